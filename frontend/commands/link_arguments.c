/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of link commands, sorted. Of a shared library of the project only the libraries go along
 * that it names: its other options say how a library is made.
 */
#include "frontend/commands/link_arguments.h"

#include "base/file.h"
#include "base/str.h"
#include "base/words.h"

#include <string.h>

typedef VEC(const char *) words;

static const struct link_command *maker_of(const struct commands *commands, const char *path) {
    for (size_t i = commands->links.count; path != NULL && i-- > 0;)
        if (strcmp(commands->links.items[i].output, path) == 0)
            return &commands->links.items[i];
    return NULL;
}

bool link_arguments_is_made_here(const struct commands *commands, const char *path) {
    for (size_t i = 0; path != NULL && i < commands->compiles.count; i++) {
        const char *object = commands->compiles.items[i].output;
        if (object != NULL && strcmp(object, path) == 0)
            return true;
    }
    return maker_of(commands, path) != NULL;
}

void link_arguments_links(link_list *out, const struct commands *commands,
                          const struct link_command *link) {
    if (!vec_push_new(out, link))
        return;
    for (size_t i = 1; i < link->inputs.count; i++) {
        const struct link_command *made = maker_of(commands, link->inputs.items[i]);
        if (made != NULL && made != link && !text_has_suffix(made->output, ".a"))
            link_arguments_links(out, commands, made);
    }
}

/* libtalk.so.1 as well */
static bool is_library(const struct link_command *link, size_t i) {
    return link->arguments.items[i][0] != '-' && path_is_library(link->arguments.items[i]);
}

/* An object, an archive or a library of the project, but for what -o names. */
static bool is_compiled_again(const struct commands *commands, const struct link_command *link,
                              size_t i) {
    return strcmp(link->arguments.items[i - 1], "-o") != 0 &&
           link_arguments_is_made_here(commands, link->inputs.items[i]);
}

/* Those of the compiler, such as crt1.o, are below /usr. */
static bool is_kept_object(const struct commands *commands, const struct link_command *link,
                           size_t i) {
    const char *path = link->inputs.items[i];
    return path != NULL && link->arguments.items[i][0] != '-' &&
           strcmp(link->arguments.items[i - 1], "-o") != 0 &&
           (text_has_suffix(path, ".o") || text_has_suffix(path, ".obj")) &&
           !path_inside("/usr", path) && file_exists(path) &&
           !link_arguments_is_made_here(commands, path);
}

void link_arguments_objects(link_objects *out, const struct commands *commands,
                            const struct link_command *link) {
    link_list links = {0};
    link_arguments_links(&links, commands, link);
    for (size_t k = 0; k < links.count; k++)
        for (size_t i = 1; i < links.items[k]->arguments.count; i++)
            if (is_kept_object(commands, links.items[k], i) &&
                !words_contain(out->items, out->count, links.items[k]->inputs.items[i]))
                vec_push(out, links.items[k]->inputs.items[i]);
    vec_dispose(&links);
}

/* A map of the link, over the application's own. */
static bool writes_file(const char *word) {
    return text_has_prefix(word, "-Wl,-Map") || text_has_prefix(word, "-Wl,--Map") ||
           text_has_prefix(word, "-Wl,--out-implib");
}

static bool names_library(const struct link_command *link, size_t i) {
    const char *word = link->arguments.items[i];
    bool is_value = i > 1 && (strcmp(link->arguments.items[i - 1], "-L") == 0 ||
                              strcmp(link->arguments.items[i - 1], "-l") == 0);
    return is_value || text_has_prefix(word, "-l") || text_has_prefix(word, "-L") ||
           text_has_prefix(word, "-pthread") || text_has_prefix(word, "-fopenmp");
}

static void add_options(words *out, struct arena *arena, const struct commands *commands,
                        const struct link_command *link, bool libraries_only) {
    struct compile_command as_compile = {.directory = link->directory};
    struct compile_arguments arguments;
    vec_push(&as_compile.arguments, link->arguments.items[0]);
    for (size_t i = 1; i < link->arguments.count; i++)
        if (!is_compiled_again(commands, link, i) && !is_library(link, i) &&
            !is_kept_object(commands, link, i) && !writes_file(link->arguments.items[i]) &&
            (!libraries_only || names_library(link, i)))
            vec_push(&as_compile.arguments, link->arguments.items[i]);
    commands_build_arguments(&arguments, arena, &as_compile);
    for (int i = 0; i < arguments.count; i++)
        vec_push(out, arguments.items[i]);
    vec_dispose(&as_compile.arguments);
}

/* By path, from elsewhere. */
static void add_libraries(words *out, const struct commands *commands,
                          const struct link_command *link) {
    for (size_t i = 1; i < link->arguments.count; i++) {
        const char *path = link->inputs.items[i];
        bool is_output = strcmp(link->arguments.items[i - 1], "-o") == 0;
        if (path != NULL && is_library(link, i) && !is_output &&
            !link_arguments_is_made_here(commands, path))
            vec_push(out, path);
    }
}

void link_arguments_read(struct compile_arguments *out, struct arena *arena,
                         const struct commands *commands, const struct link_command *link) {
    link_list links = {0};
    words all = {0};
    link_objects objects = {0};
    link_arguments_objects(&objects, commands, link);
    for (size_t i = 0; i < objects.count; i++)
        vec_push(&all, objects.items[i]);
    vec_dispose(&objects);
    link_arguments_links(&links, commands, link);
    for (size_t i = 0; i < links.count; i++) {
        add_options(&all, arena, commands, links.items[i], i > 0);
        add_libraries(&all, commands, links.items[i]);
    }
    out->count = (int)all.count;
    out->items = ARENA_ARRAY(arena, const char *, all.count + 1);
    for (size_t i = 0; i < all.count; i++)
        out->items[i] = all.items[i];
    vec_dispose(&all);
    vec_dispose(&links);
}
