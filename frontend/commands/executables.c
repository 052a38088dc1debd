/* SPDX-License-Identifier: Apache-2.0 */
#include "frontend/commands/executables.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Objects and libraries come of these, whatever they are called. */
static bool is_linked_again(const char *word) {
    static const char *const options[] = {"-r",  "--relocatable", "-Wl,-r",  "-Wl,--relocatable",
                                          "-Ur", "-Wl,-Ur",       "-shared", "-c",
                                          NULL};
    return text_is_one_of(word, options);
}

bool executable_is_made(const struct link_command *link) {
    for (size_t i = 1; i < link->arguments.count; i++)
        if (is_linked_again(link->arguments.items[i]))
            return false;
    return !path_is_library(link->output); /* a program may be called x.o */
}

static bool holds(const char *path, const char *contents) {
    struct error ignored = {0};
    char *text = NULL;
    size_t length;
    if (contents == NULL || !file_exists(path) || file_read(&text, &length, path, &ignored) != 0)
        return false;
    unsigned long long hash = hash_bytes(HASH_SEED, text, length);
    free(text);
    char *end = (char *)contents;
    for (unsigned long long one = strtoull(contents, &end, 16); end != contents;
         one = strtoull(contents, &end, 16)) {
        if (one == hash)
            return true;
        contents = end;
    }
    return false;
}

bool executable_is_named(struct arena *arena, const struct link_command *link, const char *name) {
    const char *path = path_absolute(arena, "", name);
    if (strchr(name, '/') == NULL && strcmp(path_base(link->output), name) == 0)
        return true;
    return strcmp(path, link->output) == 0 ||
           (strchr(name, '/') != NULL && text_has_suffix(link->output, name) && name[0] != '.') ||
           holds(path, link->contents);
}

static bool is_objcopy(const struct link_command *link) {
    return link->arguments.count > 0 &&
           (strstr(path_base(link->arguments.items[0]), "objcopy") != NULL ||
            strstr(path_base(link->arguments.items[0]), "strip") != NULL);
}

static int check_link(const struct link_command *link, struct error *error) {
    struct str words = {0};
    if (!is_objcopy(link))
        return 0;
    for (size_t i = 0; i < link->arguments.count; i++)
        str_printf(&words, "%s%s", i > 0 ? " " : "", link->arguments.items[i]);
    error_set(error,
              "%s:1:1: error: '%.300s' changes what the object says to the linker, and skeletons "
              "are compiled from source; do the same in the source, as with -DNAME=OTHER",
              link->output, str_text(&words));
    str_dispose(&words);
    return -1;
}

static int check_unit(const struct compile_command *unit, struct error *error) {
    if (unit->overwritten == NULL)
        return 0;
    return error_set(error,
                     "%s:1:1: error: the build replaced %s after it had compiled this file, so "
                     "that it cannot be compiled again; capture a build of this program alone, or "
                     "give each version of that file a name of its own",
                     unit->file, unit->overwritten);
}

#define MAX_DEPTH 8 /* of libraries and partly linked objects in each other */

static bool is_linked_into(const struct commands *commands, const struct link_command *link,
                           const char *path, int depth) {
    for (size_t k = 1; k < link->inputs.count; k++) {
        const char *input = link->inputs.items[k];
        if (input == NULL || strcmp(input, link->output) == 0)
            continue;
        if (strcmp(input, path) == 0)
            return true;
        for (size_t i = 0; i < commands->links.count && depth > 0; i++)
            if (strcmp(commands->links.items[i].output, input) == 0 &&
                is_linked_into(commands, &commands->links.items[i], path, depth - 1))
                return true;
    }
    return false;
}

int executable_check(const struct commands *commands, const struct link_command *link,
                     struct error *error) {
    for (size_t i = 0; i < commands->compiles.count; i++)
        if (check_unit(&commands->compiles.items[i], error) != 0)
            return -1;
    for (size_t i = 0; i < commands->links.count; i++) {
        const struct link_command *other = &commands->links.items[i];
        if (is_linked_into(commands, link, other->output, MAX_DEPTH) &&
            check_link(other, error) != 0)
            return -1;
    }
    return 0;
}
