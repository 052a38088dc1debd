/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the shape of a loop. Out: calls of the runtime's functions that work out its trip count.
 */
#include "skeletonizer/features/trip_counts.h"

#include <string.h>

/* A loop that does not iterate never evaluates it. */
static bool print_step(struct str *out, const struct frame *frame, const struct loop_shape *loop) {
    struct frame checked = *frame;
    checked.unsafe = true;
    if (loop->down && !loop->geometric)
        str_addc(out, '-');
    if (loop->step == NULL) {
        str_addc(out, '1');
        return true;
    }
    if (loop->shift)
        str_add(out, "(1L << ");
    if (!expression_print(out, &checked, loop->step_node, loop->step))
        return false;
    if (loop->shift)
        str_addc(out, ')');
    return true;
}

static bool print_end(struct str *out, const struct frame *frame, const struct loop_shape *loop) {
    struct frame checked = *frame;
    checked.unsafe = checked.unsafe || loop->guarded;
    /* `i <= 3.5` is `i < 4` */
    static const struct type whole = {.kind = TYPE_INTEGER, .size_bytes = 8, .name = "long"};
    const struct type *type = loop->inclusive && !loop->down ? &whole : NULL;
    if (!expression_print_as(out, &checked, loop->tree->condition, loop->end, type))
        return false;
    if (loop->inclusive)
        str_add(out, loop->down ? " - 1" : " + 1");
    return true;
}

bool trip_counts_print(struct str *out, const struct frame *frame, const struct loop_shape *loop) {
    str_add(out, !loop->geometric ? "bsim_trips" : loop->down ? "bsim_halvings" : "bsim_doublings");
    if (frame->region->value == NULL && !frame->region->is_kept)
        str_printf(out, "_of(%d, ", frame->slice->loop_numbers[loop->tree->condition->id]);
    else
        str_addc(out, '(');
    if (!expression_print(out, frame, loop->first_node, loop->first))
        return false;
    str_add(out, ", ");
    if (!print_end(out, frame, loop))
        return false;
    str_add(out, ", ");
    if (!print_step(out, frame, loop))
        return false;
    str_addc(out, ')');
    return true;
}

/* From the parenthesis that the one at `end` closes. */
static const char *begin_of(const char *text, const char *end) {
    int depth = 0;
    for (const char *at = end; at > text; at--) {
        depth += (*at == ')') - (*at == '(');
        if (depth == 0)
            return at;
    }
    return text;
}

static bool condition_has(const char *text, const char *end, const char *variable) {
    const char *found = strstr(begin_of(text, end), variable);
    return found != NULL && found < end;
}

/* What goes by conditions on the variable, or by any remainder, is taken to be far from linear in
 * it: in the text, the variable is not looked for within remainders. */
static bool is_uneven(const char *inner, const char *variable) {
    for (const char *at = strstr(inner, FEATURE_GUARD); at != NULL;
         at = strstr(at + 1, FEATURE_GUARD))
        if (condition_has(inner, at + strlen(FEATURE_GUARD) - 1, variable))
            return true;
    return strchr(inner, '%') != NULL || strstr(inner, "bsim_remainder") != NULL;
}

const char *trip_counts_sum_name(const struct loop_shape *loop, const char *variable,
                                 const char *inner) {
    return loop->geometric              ? "BSIM_SUM_ALL"
           : is_uneven(inner, variable) ? "BSIM_SUM_PARTS"
                                        : "BSIM_SUM";
}

bool trip_counts_print_range(struct str *out, const struct frame *frame,
                             const struct loop_shape *loop) {
    str_add(out, !loop->geometric ? "bsim_last, "
                 : loop->down     ? "bsim_last_halving, "
                                  : "bsim_last_doubling, ");
    if (!expression_print(out, frame, loop->first_node, loop->first))
        return false;
    str_add(out, ", ");
    if (!trip_counts_print(out, frame, loop))
        return false;
    str_add(out, ", ");
    return print_step(out, frame, loop);
}
