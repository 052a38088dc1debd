/* SPDX-License-Identifier: Apache-2.0
 *
 * See databases.h. The lines of the log are in the order in which commands ended, so that what a
 * command takes stands before it.
 */
#include "cli/capture/databases.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/str.h"
#include "cli/capture/build_command.h"
#include "runtime/builds/build_tools.h"

#include <stdlib.h>
#include <string.h>

/* One line of the log. */
struct recorded {
    struct databases *to;
    struct arena *arena; /* of the databases */
    struct build_command command;
    json_t *entry;
    json_t *inputs; /* of the link: what its words name */
};

const char *databases_output(struct arena *arena, const json_t *command) {
    return path_absolute(arena, json_get_text(command, "directory"),
                         json_get_text(command, "output"));
}

const char *databases_input(struct arena *arena, const json_t *link, size_t k) {
    const json_t *made = json_array_get(json_object_get(link, "inputs"), k);
    const char *word = json_string_value(json_array_get(json_object_get(link, "arguments"), k));
    if (json_is_string(made))
        return json_string_value(made);
    return k > 0 && word != NULL && word[0] != '-'
               ? path_absolute(arena, json_get_text(link, "directory"), word)
               : NULL;
}

bool databases_has_output(struct arena *arena, const json_t *commands, const char *path) {
    const json_t *command;
    size_t i;
    json_array_foreach(commands, i, command) {
        if (strcmp(databases_output(arena, command), path) == 0)
            return true;
    }
    return false;
}

/* Replaces the command of that output. */
static void add_command(struct databases *to, json_t *list, json_t *command) {
    const char *output = databases_output(&to->arena, command);
    for (size_t i = json_array_size(list); i-- > 0;)
        if (strcmp(databases_output(&to->arena, json_array_get(list, i)), output) == 0)
            json_array_remove(list, i);
    json_array_append_new(list, command);
}

static const char *contents_made(const struct recorded *r, const char *path) {
    const json_t *file;
    size_t i;
    json_array_foreach(json_object_get(r->entry, "made"), i, file) {
        if (strcmp(json_get_text(file, "path"), path) == 0)
            return json_get_text(file, "contents");
    }
    return NULL;
}

static void set_input(const struct recorded *r, const char *word, const char *name) {
    for (size_t i = 1; i < r->command.words.count; i++)
        if (strcmp(r->command.words.items[i], word) == 0 &&
            strcmp(r->command.words.items[i - 1], "-o") != 0)
            json_array_set_new(r->inputs, i, json_string(name));
}

static void add_compile(struct recorded *r, size_t k) {
    struct arena *arena = r->arena;
    const char *source = r->command.sources.items[k], *directory = r->command.directory;
    const char *object = build_command_object(arena, &r->command, k);
    const char *path = path_absolute(arena, directory, object);
    const char *contents = contents_made(r, path);
    bool replaces;
    const char *name = provenance_add(&r->to->provenance, path, contents, &replaces);
    json_t *compile =
        json_pack("{s:s, s:s, s:s, s:O, s:O, s:s, s:O}", "directory", directory, "file", source,
                  "output", strcmp(name, path) == 0 ? object : name, "arguments",
                  json_object_get(r->entry, "arguments"), "environment",
                  json_object_get(r->entry, "environment"), "contents",
                  contents != NULL ? contents : "", "read", json_object_get(r->entry, "read"));
    add_command(r->to, r->to->compiles, compile);
    if (!r->command.compiles_only)
        set_input(r, source, name);
}

/* An archive counts as made of the members that were compiled here. NULL: there are none. */
static const char *unpack(struct recorded *r, const json_t *file) {
    struct databases *to = r->to;
    const char *path = json_get_text(file, "path");
    json_t *words = json_pack("[s, s, s]", "ar", "qc", path);
    const json_t *member;
    const char *name = NULL;
    size_t i, known = 0;
    json_array_foreach(json_object_get(file, "members"), i, member) {
        const char *unit = provenance_find(&to->provenance, path, json_string_value(member));
        known += unit != NULL;
        if (unit != NULL)
            json_array_append_new(words, json_string(unit));
    }
    if (known > 0) {
        bool replaces;
        name = provenance_add(&to->provenance, path, json_get_text(file, "contents"), &replaces);
        add_command(to, to->links,
                    json_pack("{s:s, s:s, s:O, s:i}", "directory", path_directory(r->arena, path),
                              "output", name, "arguments", words, "unknown", (int)(i - known)));
        name = provenance_find(&to->provenance, path, json_get_text(file, "contents"));
    }
    json_decref(words);
    return name;
}

/* A file that changed since it was made: told, and taken as it was made. */
static const char *made_before(struct recorded *r, const char *path, const char *word) {
    const char *name = provenance_made_at(&r->to->provenance, path);
    if (name != NULL && r->to->changed == NULL)
        r->to->changed = arena_strdup(r->arena, word);
    return name;
}

/* True: something in it was made by this build. */
static bool resolve(struct recorded *r, const json_t *file) {
    const char *path = json_get_text(file, "path"), *word = json_get_text(file, "word");
    const char *name = provenance_find(&r->to->provenance, path, json_get_text(file, "contents"));
    if (name == NULL)
        name = unpack(r, file);
    if (name == NULL)
        name = made_before(r, path, word);
    if (name != NULL)
        set_input(r, word, name);
    return name != NULL;
}

static bool names_objects(const struct recorded *r) {
    for (size_t i = 0; i < r->command.files.count; i++) {
        const char *word = r->command.files.items[i];
        if (text_has_suffix(word, ".o") || text_has_suffix(word, ".lo") || path_is_library(word))
            return true;
    }
    return false;
}

static void add_link(struct recorded *r) {
    struct build_command *command = &r->command;
    bool is_of_here = command->sources.count > 0, replaces;
    const json_t *file;
    size_t i;
    json_array_foreach(json_object_get(r->entry, "took"), i, file) {
        const char *word = json_get_text(file, "word");
        bool is_output = command->output != NULL && strcmp(word, command->output) == 0;
        if (!is_output || i == 0)
            is_of_here = resolve(r, file) || is_of_here;
    }
    if (!is_of_here && (command->compiles_only || !names_objects(r)))
        return;
    const char *output = build_command_target(r->arena, command);
    const char *path = path_absolute(r->arena, command->directory, output);
    const char *contents = contents_made(r, path);
    const char *name = provenance_add(&r->to->provenance, path, contents, &replaces);
    add_command(r->to, r->to->links,
                json_pack("{s:s, s:s, s:O, s:O, s:O, s:s}", "directory", command->directory,
                          "output", strcmp(name, path) == 0 ? output : name, "arguments",
                          json_object_get(r->entry, "arguments"), "environment",
                          json_object_get(r->entry, "environment"), "inputs", r->inputs, "contents",
                          contents != NULL ? contents : ""));
}

/* A program that was stripped is known by both. */
static void add_contents(struct databases *to, const char *name, const char *contents) {
    json_t *link;
    size_t i;
    json_array_foreach(to->links, i, link) {
        if (strcmp(databases_output(&to->arena, link), name) == 0)
            json_object_set_new(
                link, "contents",
                json_string(
                    arena_printf(&to->arena, "%s %s", json_get_text(link, "contents"), contents)));
    }
}

/* What strip and objcopy make is what they took. In archives member by member. */
static void add_copy(struct recorded *r, const json_t *from, const json_t *to) {
    const char *path = json_get_text(to, "path");
    const char *name = provenance_find(&r->to->provenance, json_get_text(from, "path"),
                                       json_get_text(from, "contents"));
    const json_t *before = json_object_get(from, "members"),
                 *after = json_object_get(to, "members");
    if (name != NULL) {
        provenance_alias(&r->to->provenance, path, json_get_text(to, "contents"), name);
        add_contents(r->to, name, json_get_text(to, "contents"));
    }
    for (size_t i = 0; i < json_array_size(before) && i < json_array_size(after); i++) {
        name =
            provenance_find(&r->to->provenance, path, json_string_value(json_array_get(before, i)));
        if (name != NULL)
            provenance_alias(&r->to->provenance, path, json_string_value(json_array_get(after, i)),
                             name);
    }
}

static void add_copies(struct recorded *r) {
    const json_t *took = json_object_get(r->entry, "took"),
                 *made = json_object_get(r->entry, "made");
    const json_t *from, *to;
    size_t i, k;
    bool in_place = r->command.output == NULL && json_array_size(took) == json_array_size(made);
    json_array_foreach(took, i, from) {
        json_array_foreach(made, k, to) {
            if (in_place ? i == k : i == 0 && k + 1 == json_array_size(made))
                add_copy(r, from, to);
        }
    }
}

static void add_recorded(struct recorded *r) {
    struct build_command *command = &r->command;
    if (command->words.count == 0)
        return;
    const char *driver = path_base(command->words.items[0]);
    if ((build_tools_has_fortran(driver) && command->sources.count > 0) || command->preprocesses)
        return;
    if (command->copies) {
        add_copies(r);
        return;
    }
    for (size_t k = 0; k < command->sources.count; k++)
        if (build_words_is_cxx(command->sources.items[k]) || !build_tools_has_cxx(driver))
            add_compile(r, k);
    if (!command->compiles_only || command->sources.count == 0)
        add_link(r);
}

static void read_line(struct databases *to, const char *line) {
    struct recorded r = {
        .to = to, .arena = &to->arena, .entry = json_loads(line, 0, NULL), .inputs = json_array()};
    const json_t *word;
    size_t i;
    if (r.entry == NULL) {
        json_decref(r.inputs);
        return;
    }
    r.command.directory = json_get_text(r.entry, "directory");
    json_array_foreach(json_object_get(r.entry, "arguments"), i, word) {
        vec_push(&r.command.words, json_string_value(word));
        json_array_append_new(r.inputs, json_null());
    }
    build_command_classify(&r.command);
    if (r.command.output == NULL || strcmp(r.command.output, "/dev/null") != 0)
        add_recorded(&r);
    build_command_dispose(&r.command);
    json_decref(r.inputs);
    json_decref(r.entry);
}

int databases_read(struct databases *out, const char *log, struct error *error) {
    char *text = NULL, *state = NULL;
    *out = (struct databases){.compiles = json_array(), .links = json_array()};
    out->log = arena_strdup(&out->arena, log);
    if (file_exists(log) && file_read(&text, NULL, log, error) != 0)
        return -1;
    for (char *line = text != NULL ? strtok_r(text, "\n", &state) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &state))
        read_line(out, line);
    free(text);
    return 0;
}

void databases_dispose(struct databases *databases) {
    json_decref(databases->compiles);
    json_decref(databases->links);
    provenance_dispose(&databases->provenance);
    arena_dispose(&databases->arena);
}
