/* SPDX-License-Identifier: Apache-2.0
 *
 * The index of an element. Where the program may never read it (`unsafe` of the frame), an array is
 * read within its bounds, and memory behind a pointer only where the region reads just that element
 * in any case.
 */
#include "skeletonizer/features/always_executed.h"
#include "skeletonizer/features/expression.h"

static bool is_behind_pointer(const struct ast *element) {
    return element->kids[0]->type->kind == TYPE_POINTER;
}

/* By its type; 0: that is not known, or, as with [1] at the end of a record, more is behind it. */
static long long count_of(const struct type *array) {
    const struct type *element = array->kind == TYPE_ARRAY ? array->element : NULL;
    bool sized = element != NULL && element->size_bytes > 0 && !array->variable_length;
    long long count = sized ? array->size_bytes / element->size_bytes : 0;
    return count > 1 ? count : 0;
}

/* *unsafe: the program may never read the element. */
static bool print_index(struct str *out, const struct frame *frame, const struct node *node,
                        const struct ast *element, bool *unsafe) {
    const struct ast *index = element->kids[1];
    long long count = count_of(element->kids[0]->type);
    int begins = expression_begins(frame);
    struct str text = {0};
    bool known = expression_print(&text, frame, node, index);
    *unsafe = frame->unsafe || expression_begins(frame) != begins;
    bool keep = !index->has_value && *unsafe && !is_behind_pointer(element);
    known = known && (!keep || count > 0);
    if (known && keep)
        str_printf(out, "[bsim_within(%s, %lld)]", str_text(&text), count);
    else if (known)
        str_printf(out, "[%s%s]", index->has_value ? "" : "(long)", str_text(&text));
    str_dispose(&text);
    return known;
}

bool expression_print_index(struct str *out, size_t begin, const struct frame *frame,
                            const struct node *node, const struct ast *element) {
    const struct ast *index = element->kids[1];
    bool unsafe;
    if (!print_index(out, frame, node, element, &unsafe))
        return false;
    return !unsafe || !is_behind_pointer(element) || (index->has_value && index->value == 0) ||
           always_executed_follows(frame, out->text + begin);
}
