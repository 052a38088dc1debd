/* SPDX-License-Identifier: Apache-2.0
 *
 * From main through targets and callbacks of calls. See live.h.
 */
#include "skeletonizer/pointsto/live.h"

#include "base/str.h"

#include <string.h>

typedef VEC(struct function *) function_list;

/* The end of what stands in parentheses from there on. */
static const char *closing(const char *text) {
    int depth = 0;
    for (; *text != '\0'; text++) {
        depth += (*text == '(') - (*text == ')');
        if (depth == 0 && *text == ')')
            break;
    }
    return text;
}

/* Attributes of functions that run without being called, */
static const char *const hidden[] = {"destructor", "cleanup"};
/* or are called by other names. */
static const char *const renamed[] = {"section"};

static bool has_word(const char *begin, const char *end, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (memmem(begin, (size_t)(end - begin), words[i], strlen(words[i])) != NULL)
            return true;
    return false;
}

static bool has_attributes(struct program *program, int file) {
    const char *whole = program->files.items[file]->text, *text = whole;
    bool found = false;
    while (text != NULL && (text = strstr(text, "__attribute")) != NULL) {
        const char *begin = text + strlen("__attribute");
        begin += strspn(begin, "_ \t\n");
        const char *end = *begin == '(' ? closing(begin) : begin;
        struct range range = {file, (unsigned)(text - whole), (unsigned)(end - whole)};
        bool hides = has_word(begin, end, hidden, sizeof hidden / sizeof *hidden);
        if (hides)
            program_report(program, range, "warning",
                           "what a function does that runs without being called is not followed; "
                           "see with mpiskel verify whether communication goes by it");
        found |= hides || has_word(begin, end, renamed, sizeof renamed / sizeof *renamed);
        text = begin;
    }
    return found;
}

static bool has_hidden_calls(struct program *program) {
    bool found = false;
    for (size_t i = 0; i < program->files.count; i++)
        if (program->files.items[i]->in_project)
            found |= has_attributes(program, (int)i);
    return found;
}

static bool add(function_list *found, struct function *function) {
    bool is_new = !function->is_live;
    function->is_live = true;
    if (is_new)
        vec_push(found, function);
    return is_new;
}

static bool add_roots(function_list *found, struct program *program) {
    struct function *main_function = program_function(program, "main");
    bool all = main_function == NULL || has_hidden_calls(program), grown = false;
    for (size_t i = 0; i < program->functions.count; i++) {
        struct function *function = program->functions.items[i];
        bool is_root = function == main_function || function->definition->is_constructor ||
                       text_has_prefix(function->name, "__wrap_"); /* the linker's --wrap */
        if (all || is_root)
            grown |= add(found, function);
    }
    return grown;
}

static bool add_called(function_list *found, const struct function *function) {
    bool grown = false;
    for (size_t i = 0; i < function->nodes.count; i++)
        for (size_t k = 0; k < function->nodes.items[i]->calls.count; k++) {
            const struct call *call = function->nodes.items[i]->calls.items[k];
            for (size_t t = 0; t < call->targets.count; t++)
                grown |= add(found, call->targets.items[t]);
            for (size_t t = 0; t < call->callbacks.count; t++)
                grown |= add(found, call->callbacks.items[t]);
        }
    return grown;
}

bool live_mark(struct program *program) {
    function_list found = {0};
    bool grown = false, begun = false;
    for (size_t i = 0; i < program->functions.count; i++)
        if (program->functions.items[i]->is_live) {
            begun = true;
            grown |= add_called(&found, program->functions.items[i]);
        }
    if (!begun)
        grown = add_roots(&found, program);
    for (size_t i = 0; i < found.count; i++)
        add_called(&found, found.items[i]);
    vec_dispose(&found);
    return grown;
}
