/* SPDX-License-Identifier: Apache-2.0
 *
 * Linkers print what they read: GNU ld `(LIBRARY)MEMBER`, gold, lld and mold `LIBRARY(MEMBER)`, all
 * of them an object by its path, as they do with the members of a thin archive. Options that make
 * further files (maps, dependencies) are left out.
 *
 * Not handled: a linker that is called by a script of another name.
 */
#include "frontend/commands/link_trace.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) words;

/* Of these the value is the next word. */
static bool takes_output(const char *word) {
    static const char *const options[] = {"-o", "-MF", "-MT", "-MQ", "-Map", NULL};
    return text_is_one_of(word, options);
}

static bool makes_other_files(const char *word) {
    return text_has_prefix(word, "-M") || text_has_prefix(word, "-Wl,-M") ||
           text_has_prefix(word, "-Wl,--print-map") || text_has_prefix(word, "-save-temps") ||
           text_has_prefix(word, "-Wl,--out-implib") || text_has_prefix(word, "-Wl,--dependency");
}

static void make_command(words *out, const struct link_command *link, const char *output) {
    bool is_linker = text_has_prefix(path_base(link->arguments.items[0]), "ld");
    for (size_t i = 0; i < link->arguments.count; i++) {
        const char *word = link->arguments.items[i];
        if (takes_output(word))
            i++;
        else if (!makes_other_files(word))
            vec_push(out, word);
    }
    vec_push(out, "-o");
    vec_push(out, output);
    for (int i = 0; i < 2; i++) /* GNU ld names members from the second on */
        vec_push(out, is_linker ? "--trace" : "-Wl,--trace");
    vec_push(out, NULL);
}

static void add_member(struct arena *arena, struct link_command *link, const char *archive,
                       const char *member) {
    struct link_member found = {
        archive != NULL ? path_absolute(arena, link->directory, archive) : NULL,
        archive != NULL ? member : path_absolute(arena, link->directory, member)};
    vec_push(&link->members, found);
}

static void read_line(struct arena *arena, struct link_command *link, char *line) {
    size_t length = strlen(line);
    char *close = line[0] == '(' ? strchr(line, ')') : NULL, *open = strrchr(line, '(');
    if (close != NULL) {
        *close = '\0';
        add_member(arena, link, line + 1, close + 1);
    } else if (open != NULL && line[length - 1] == ')') {
        line[length - 1] = *open = '\0';
        add_member(arena, link, line, open + 1);
    } else {
        add_member(arena, link, NULL, line);
    }
}

static bool run(const words *command, const char *directory, const char *log) {
    struct process_options options = {
        .directory = directory, .stdout_file = log, .stderr_file = log};
    struct process_result result;
    struct error ignored = {0};
    return process_run(&result, command->items, &options, &ignored) == 0 && result.exit_code == 0;
}

static void ask(struct arena *arena, struct link_command *link, const char *directory) {
    struct error ignored = {0};
    words command = {0};
    char *text = NULL, *state = NULL;
    const char *log = path_join(arena, directory, "log");
    make_command(&command, link, path_join(arena, directory, "program"));
    link->has_members =
        run(&command, link->directory, log) && file_read(&text, NULL, log, &ignored) == 0;
    for (char *line = link->has_members ? strtok_r(text, "\n", &state) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &state))
        read_line(arena, link, arena_strdup(arena, line));
    free(text);
    vec_dispose(&command);
}

void link_trace(struct commands *commands, const struct link_command *link) {
    struct link_command *asked = &commands->links.items[link - commands->links.items];
    struct error ignored = {0};
    if (asked->is_traced)
        return;
    asked->is_traced = true;
    const char *directory = directory_temporary(&commands->arena, "mpiskel-link", &ignored);
    if (directory == NULL)
        return;
    ask(&commands->arena, asked, directory);
    directory_remove(directory, &ignored);
}

/* Whether the linker tells of the archive: some do only where they take a member. */
static bool is_told(const struct link_command *link, const char *archive) {
    for (size_t i = 0; i < link->members.count; i++) {
        const struct link_member *member = &link->members.items[i];
        if (strcmp(member->archive != NULL ? member->archive : member->name, archive) == 0)
            return true;
    }
    return false;
}

/* Whether the command itself names the file. */
static bool is_named(const struct link_command *link, const char *path) {
    struct arena scratch = {0};
    bool found = false;
    for (size_t i = 1; i < link->arguments.count && !found; i++)
        found =
            strcmp(path_absolute(&scratch, link->directory, link->arguments.items[i]), path) == 0;
    arena_dispose(&scratch);
    return found;
}

/* A member is known by its file name: that of a thin archive is told by its path, which need not be
 * where it was compiled. */
static bool is_member(const struct link_command *link, const struct link_member *member,
                      const char *archive, const char *object) {
    if (strcmp(path_base(member->name), path_base(object)) != 0)
        return false;
    return member->archive != NULL ? strcmp(member->archive, archive) == 0
                                   : !is_named(link, member->name);
}

bool link_trace_takes(bool *out_known, const struct link_command *link, const char *archive,
                      const char *object, size_t namesakes) {
    size_t count = 0;
    for (size_t i = 0; i < link->members.count; i++) {
        const struct link_member *member = &link->members.items[i];
        *out_known = true;
        if (member->archive == NULL && strcmp(member->name, object) == 0)
            return true;
        count += is_member(link, member, archive, object);
    }
    *out_known = is_told(link, archive) && (count == 0 || count >= namesakes);
    return count > 0;
}
