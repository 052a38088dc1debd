/* SPDX-License-Identifier: Apache-2.0
 *
 * Commands are looked through in the order in which they ended. What a command makes of C++ is C++
 * as well: objects, archives and libraries; a program is told of if it is made of C, too. Sources
 * that are gone were those of a test, as configure compiles them.
 */
#include "cli/capture/cxx_sources.h"

#include "base/file.h"
#include "base/hash_table.h"
#include "base/str.h"
#include "base/vec.h"
#include "cli/capture/capture_cxx.h"
#include "cli/capture/databases.h"
#include "cli/common/command_syntax.h"
#include "runtime/builds/build_tools.h"

#include <stdlib.h>
#include <string.h>

struct cxx_sources {
    struct arena *arena;
    const json_t *compiles;
    struct hash_table made; /* by path: what is made of C++; the source's name */
    size_t count;           /* of sources */
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

static void note_made(struct cxx_sources *c, const struct cxx_command *command, const char *output,
                      const char *source) {
    const char **known = hash_table_add_text(
        &c->made, path_absolute(c->arena, command->directory, output), sizeof(char *));
    *known = arena_strdup(c->arena, source);
}

static void note_source(struct cxx_sources *c, const struct cxx_command *command,
                        const char *source) {
    const char *base = path_base(source), *dot = strrchr(base, '.');
    const char *object = arena_printf(c->arena, "%.*s.o", (int)(dot - base), base);
    if (!file_exists(path_absolute(c->arena, command->directory, source)))
        return;
    if (command->compiles_only)
        note_made(c, command, command->output != NULL ? command->output : object, source);
    if (c->count++ > 0)
        return;
    c->first = arena_strdup(c->arena, source);
    c->driver = arena_strdup(c->arena, command->driver);
    c->is_c = text_has_suffix(source, ".c");
}

/* Of the words, a C++ source or what was made of one; *of_c: one of them is made of C. */
static const char *find_cxx(const struct cxx_sources *c, const struct cxx_command *command,
                            bool *of_c) {
    bool by_cxx = build_tools_has_cxx(command->driver);
    const char *found = NULL;
    for (size_t i = 1; i < command->words.count; i++) {
        const char *word = command->words.items[i];
        const char *path = path_absolute(c->arena, command->directory, word);
        const char **made = hash_table_find_text(&c->made, path);
        if (word[0] == '-' || strcmp(command->words.items[i - 1], "-o") == 0)
            continue;
        *of_c = *of_c || databases_has_output(c->arena, c->compiles, path) ||
                (!by_cxx && text_has_suffix(word, ".c"));
        if (found == NULL)
            found = made != NULL ? *made : is_cxx_source(word, by_cxx) ? word : NULL;
    }
    return found != NULL ? arena_strdup(c->arena, found) : NULL;
}

static void look_at_link(struct cxx_sources *c, const struct cxx_command *command) {
    bool of_c = false, is_archive = strcmp(command->driver, "ar") == 0;
    const char *output = command->output != NULL ? command->output : "a.out";
    for (size_t i = 1; is_archive && i < command->words.count; i++)
        if (text_has_suffix(command->words.items[i], ".a"))
            output = command->words.items[i];
    const char *source = find_cxx(c, command, &of_c);
    if (source == NULL)
        return;
    if (is_archive || strstr(path_base(output), ".so") != NULL)
        note_made(c, command, output, source);
    else if (of_c)
        note("warning: %s is linked from C and C++ (%s), and mpiskel reads C only: write in C what "
             "makes MPI calls, and link the C++ part as a shared library",
             output, source);
}

static void look_at(struct cxx_sources *c, const json_t *entry) {
    struct cxx_command command = {0};
    read_command(&command, entry);
    bool by_cxx = build_tools_has_cxx(command.driver);
    for (size_t i = 1; i < command.words.count && !command.preprocesses; i++)
        if (command.words.items[i][0] != '-' && is_cxx_source(command.words.items[i], by_cxx))
            note_source(c, &command, command.words.items[i]);
    if (!command.compiles_only && !command.preprocesses)
        look_at_link(c, &command);
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
    struct cxx_sources c = {.arena = arena, .compiles = compiles};
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
    hash_table_dispose(&c.made);
    return c.count > 0 && json_array_size(compiles) == 0 ? refuse(&c, error) : 0;
}
