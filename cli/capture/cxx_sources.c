/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands are looked through in the order in which they ended. Objects are known by their
 * contents, also as members of archives; a program is told of if there are some of C and some of
 * C++ in it. Sources that are gone were those of a test, as configure compiles them. Shared
 * libraries are not looked into: nothing of them is made again.
 */
#include "cli/capture/cxx_sources.h"

#include "base/file.h"
#include "base/hash_table.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/capture/capture_cxx.h"
#include "cli/common/command_syntax.h"
#include "runtime/builds/build_tools.h"

#include <stdlib.h>
#include <string.h>

struct cxx_object {
    const char *source;
    bool is_cxx;
};

struct cxx_sources {
    struct arena *arena;
    struct hash_table objects; /* by contents: struct cxx_object */
    size_t count;              /* of sources in C++ */
    const char *first, *driver;
    bool is_c; /* the first one, by its suffix */
};

struct cxx_command {
    const char *directory, *driver;
    VEC(const char *) words;
    bool compiles_only, preprocesses;
    const char *output; /* as given; NULL: none */
};

static bool is_cxx_source(const char *word, bool by_cxx) {
    static const char *const suffixes[] = {".cc", ".cpp", ".cxx", ".c++", ".cp", ".C", NULL};
    for (size_t i = 0; suffixes[i] != NULL; i++)
        if (text_has_suffix(word, suffixes[i]))
            return true;
    return by_cxx && text_has_suffix(word, ".c");
}

static void read_command(struct cxx_command *out, const json_t *entry) {
    const json_t *word;
    size_t i;
    out->directory = json_get_text(entry, "directory");
    json_array_foreach(json_object_get(entry, "arguments"), i, word) {
        const char *text = json_string_value(word);
        const char *last = out->words.count > 0 ? out->words.items[out->words.count - 1] : "";
        if (strcmp(last, "-o") == 0)
            out->output = text;
        out->compiles_only =
            out->compiles_only || strcmp(text, "-c") == 0 || strcmp(text, "-S") == 0;
        out->preprocesses = out->preprocesses || strcmp(text, "-E") == 0 ||
                            strcmp(text, "-M") == 0 || strcmp(text, "-MM") == 0;
        vec_push(&out->words, text);
    }
    out->driver = out->words.count > 0 ? path_base(out->words.items[0]) : "";
}

static void note_objects(struct cxx_sources *c, const json_t *entry, const char *source,
                         bool is_cxx) {
    const json_t *made;
    size_t i;
    json_array_foreach(json_object_get(entry, "made"), i, made) {
        struct cxx_object *object =
            hash_table_add_text(&c->objects, json_get_text(made, "contents"), sizeof *object);
        *object = (struct cxx_object){arena_strdup(c->arena, source), is_cxx};
    }
}

static void note_source(struct cxx_sources *c, const struct cxx_command *command,
                        const char *source) {
    if (!file_exists(path_absolute(c->arena, command->directory, source)) || c->count++ > 0)
        return;
    c->first = arena_strdup(c->arena, source);
    c->driver = arena_strdup(c->arena, command->driver);
    c->is_c = text_has_suffix(source, ".c");
}

/* What a link is made of. */
struct cxx_parts {
    const char *cxx; /* a source; NULL: none */
    bool has_c;
};

static void add_object(struct cxx_parts *out, const struct cxx_sources *c, const char *contents) {
    const struct cxx_object *object =
        contents != NULL ? hash_table_find_text(&c->objects, contents) : NULL;
    if (object != NULL && object->is_cxx)
        out->cxx = object->source;
    else if (object != NULL)
        out->has_c = true;
}

static void add_objects(struct cxx_parts *out, const struct cxx_sources *c, const json_t *entry) {
    const json_t *file, *member;
    size_t i, k;
    json_array_foreach(json_object_get(entry, "took"), i, file) {
        add_object(out, c, json_get_text(file, "contents"));
        json_array_foreach(json_object_get(file, "members"), k, member)
            add_object(out, c, json_string_value(member));
    }
}

static void look_at_link(struct cxx_sources *c, const struct cxx_command *command,
                         const json_t *entry) {
    struct cxx_parts parts = {0};
    bool by_cxx = build_tools_has_cxx(command->driver);
    add_objects(&parts, c, entry);
    for (size_t i = 1; i < command->words.count; i++) {
        const char *word = command->words.items[i];
        bool is_cxx = word[0] != '-' && is_cxx_source(word, by_cxx);
        if (is_cxx)
            parts.cxx = word;
        else if (word[0] != '-' && text_has_suffix(word, ".c"))
            parts.has_c = true;
    }
    if (parts.cxx != NULL && parts.has_c)
        note("warning: %s is linked from C and C++ (%s), and mpiskel reads C only: write in C what "
             "makes MPI calls, and link the C++ part as a shared library",
             command->output != NULL ? command->output : "a.out", parts.cxx);
}

static void look_at_source(struct cxx_sources *c, const struct cxx_command *command,
                           const json_t *entry, const char *word) {
    bool is_cxx = is_cxx_source(word, build_tools_has_cxx(command->driver));
    if (word[0] == '-' || (!is_cxx && !text_has_suffix(word, ".c")))
        return;
    if (is_cxx)
        note_source(c, command, word);
    if (command->compiles_only)
        note_objects(c, entry, word, is_cxx);
}

static void look_at(struct cxx_sources *c, const json_t *entry) {
    struct cxx_command command = {0};
    read_command(&command, entry);
    for (size_t i = 1; i < command.words.count && !command.preprocesses; i++)
        look_at_source(c, &command, entry, command.words.items[i]);
    if (!command.compiles_only && !command.preprocesses)
        look_at_link(c, &command, entry);
    vec_dispose(&command.words);
}

static int refuse(const struct cxx_sources *c, struct error *error) {
    const char *others = c->count > 1 ? ", ..." : "";
    if (c->is_c)
        return error_set(error,
                         "the build compiled %zu C file%s as C++ (%s%s, by %s); mpiskel does C "
                         "only: let it compile C by a C compiler (CC=mpicc), and link as before",
                         c->count, c->count > 1 ? "s" : "", c->first, others, c->driver);
    return error_set(error, "the build compiled %zu C++ file%s (%s%s); mpiskel does C only",
                     c->count, c->count > 1 ? "s" : "", c->first, others);
}

int cxx_sources_check(struct arena *arena, const char *log, const json_t *compiles,
                      struct error *error) {
    struct cxx_sources c = {.arena = arena};
    char *text = NULL, *state = NULL;
    if (!file_exists(log))
        return 0;
    if (file_read(&text, NULL, log, error) != 0)
        return -1;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        json_t *entry = json_loads(line, 0, NULL);
        if (entry != NULL)
            look_at(&c, entry);
        json_decref(entry);
    }
    free(text);
    hash_table_dispose(&c.objects);
    return c.count > 0 && json_array_size(compiles) == 0 ? refuse(&c, error) : 0;
}
