/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the link command; see check_link.h. With --wrap=f the linker takes `f` for __wrap_f
 * and __real_f for `f`, with --defsym=f=g `f` for `g`: neither is in the sources, by which calls
 * are followed. Where the program defines nothing of it, it is a library's matter.
 */
#include "skeletonizer/check_link.h"

#include "base/error.h"
#include "base/str.h"

#include <string.h>

void check_link_sanitizers(const struct commands *commands, const struct link_command *link) {
    const char *option = NULL;
    for (size_t i = 0; i < commands->compiles.count && option == NULL; i++)
        option = commands_sanitizer(&commands->compiles.items[i]);
    for (size_t i = 1; link != NULL && i < link->arguments.count && option == NULL; i++)
        if (text_has_prefix(link->arguments.items[i], "-fsanitize="))
            option = link->arguments.items[i];
    if (option != NULL)
        note("note: %s is left out of skeleton, original and profiling build: a sanitizer knows "
             "nothing of SimGrid's stacks, and times are those of the program without it",
             option);
}

/* What follows one of the names in a word for the linker, behind `=`, `,` or as the next word;
 * NULL: the word is another one. */
static const char *value_of(const struct link_command *link, size_t i, const char *name) {
    const char *word = link->arguments.items[i];
    if (text_has_prefix(word, "-Wl,"))
        word += strlen("-Wl,");
    else if (strcmp(link->arguments.items[i - 1], "-Xlinker") != 0)
        return NULL;
    word += strspn(word, "-");
    if (!text_has_prefix(word, name))
        return NULL;
    word += strlen(name);
    if (*word == '=' || *word == ',')
        return word + 1;
    return *word == '\0' && i + 2 < link->arguments.count ? link->arguments.items[i + 2] : NULL;
}

static void check_wrap(struct program *program, const char *name) {
    const char *wrapper =
        arena_printf(&program->arena, "__wrap_%.*s", (int)strcspn(name, ",=\""), name);
    const struct function *function = program_function(program, wrapper);
    if (function != NULL)
        program_report(program, function->declaration->name_range, "error",
                       "the linker lets calls of '%s' come here (--wrap), which the sources do not "
                       "say; let callers name '%s' themselves, and leave --wrap out",
                       wrapper + strlen("__wrap_"), wrapper);
}

static void check_alias(struct program *program, const char *text) {
    size_t length = strcspn(text, ",=");
    const char *alias = arena_strndup(&program->arena, text, length);
    const char *target = text[length] != '\0' ? text + length + 1 : "";
    target = arena_strndup(&program->arena, target, strcspn(target, ","));
    const struct function *function = program_function(program, target);
    if (function != NULL)
        program_report(program, function->declaration->name_range, "error",
                       "the linker lets calls of '%s' come here (--defsym), which the sources do "
                       "not say; let callers name '%s' themselves, and leave --defsym out",
                       alias, target);
}

int check_link_names(struct program *program, const struct link_command *link) {
    for (size_t i = 1; link != NULL && i < link->arguments.count; i++) {
        const char *wrapped = value_of(link, i, "wrap"), *alias = value_of(link, i, "defsym");
        if (wrapped != NULL)
            check_wrap(program, wrapped);
        if (alias != NULL)
            check_alias(program, alias);
    }
    return program->error_count > 0 ? -1 : 0;
}
