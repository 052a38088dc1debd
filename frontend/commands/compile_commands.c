/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads compile and link commands and chooses those of one executable.
 *
 * A link command is matched with compile commands by the object files (or sources) that it names;
 * static archives are looked into by the `ar` commands that capture records, and which of their
 * members are taken tells the linker (link_trace.c). Without any link command all units are one
 * program, and two mains among them are an error that asks for --link.
 */
#include "frontend/commands/compile_commands.h"

#include "base/arena.h"
#include "base/build_words.h"
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "frontend/commands/build_environment.h"
#include "frontend/commands/cmake_links.h"
#include "frontend/commands/copied_project.h"
#include "frontend/commands/executables.h"
#include "frontend/commands/link_trace.h"
#include "frontend/commands/openmp_option.h"

#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

/* ---- Included sources ---- */

/*
 * Sources that a unit includes by their absolute paths, as CMake's unity builds do: they are the
 * program's own, wherever the unit lies.
 */

static char *common_directory(struct arena *arena, char *directory, const char *path) {
    while (!path_inside(directory, path))
        directory = path_directory(arena, directory);
    return directory;
}

/* The deepest directory that holds `directory`, the file and those sources. From the arena. */
static char *included_sources_directory(struct arena *arena, char *directory, const char *path) {
    static const char begin[] = "#include \"/", end[] = ".c\"";
    struct error ignored = {0};
    char *text = NULL, *state = NULL;
    directory = common_directory(arena, directory, path);
    if (file_read(&text, NULL, path, &ignored) != 0)
        return directory;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state))
        if (text_has_prefix(line, begin) && text_has_suffix(line, end)) {
            line[strlen(line) - 1] = '\0';
            directory = common_directory(arena, directory, strchr(line, '/'));
        }
    free(text);
    return directory;
}

/* ---- Compile commands ---- */

/* Shell words of CMake's "command" strings, without running anything. */
static int split_words(struct arena *arena, const char *text, struct compile_command *out) {
    wordexp_t words;
    if (wordexp(text, &words, WRDE_NOCMD | WRDE_UNDEF) != 0)
        return -1;
    for (size_t i = 0; i < words.we_wordc; i++)
        vec_push(&out->arguments, arena_strdup(arena, words.we_wordv[i]));
    wordfree(&words);
    return 0;
}

static void read_arguments(struct arena *arena, const json_t *entry, struct compile_command *out) {
    size_t i;
    json_t *word;
    json_array_foreach(json_object_get(entry, "arguments"), i, word) {
        if (json_is_string(word))
            vec_push(&out->arguments, arena_strdup(arena, json_string_value(word)));
    }
    const char *command = json_get_text(entry, "command");
    if (out->arguments.count == 0 && command != NULL)
        split_words(arena, command, out);
}

/* Those that are there still: some builds remove them. */
static void expand_response_files(struct arena *arena, struct compile_command *command) {
    path_list words = {0};
    for (size_t i = 0; i < command->arguments.count; i++)
        build_words_expand(&words, arena, command->directory, command->arguments.items[i]);
    command->arguments.count = 0;
    for (size_t i = 0; i < words.count; i++)
        vec_push(&command->arguments, words.items[i]);
    vec_dispose(&words);
}

/* It makes a precompiled header, which is nothing that is linked: -x c-header. */
static bool makes_header(const struct compile_command *command) {
    bool is = false;
    for (size_t i = 1; i < command->arguments.count; i++) {
        const char *word = command->arguments.items[i];
        if (text_has_prefix(word, "-x") && strcmp(word, "-x") != 0)
            word += 2;
        else if (strcmp(command->arguments.items[i - 1], "-x") != 0)
            continue;
        is = text_has_suffix(word, "-header");
    }
    return is;
}

/* As the words tell; without -o it is called like the source. */
static const char *output_argument(struct arena *arena, const struct compile_command *command) {
    const char *base = path_base(command->file), *const *words = command->arguments.items;
    for (size_t i = 1; i < command->arguments.count; i++)
        if (strcmp(words[i], "-o") == 0 && i + 1 < command->arguments.count)
            return words[i + 1];
        else if (text_has_prefix(words[i], "-o") && words[i][2] != '\0' &&
                 !openmp_option_is_on(words[i]))
            return words[i] + 2;
    return commands_have(command, "-c") ? arena_printf(arena, "%.*so", (int)strlen(base) - 1, base)
                                        : NULL;
}

static int read_compile(struct commands *out, const json_t *entry, const char *path, size_t index,
                        struct error *error) {
    struct arena *arena = &out->arena;
    const char *directory = json_get_text(entry, "directory"), *file = json_get_text(entry, "file");
    struct compile_command command = {0};
    if (file == NULL || directory == NULL)
        return error_set(error, "%s: entry %zu has no \"directory\" or no \"file\"", path,
                         index + 1);
    if (build_words_source_suffix(file) == 0)
        return 0;
    command.is_cxx = build_words_is_cxx(file);
    command.directory = path_absolute(arena, "", directory);
    command.file = path_absolute(arena, command.directory, file);
    command.environment = build_environment_read(arena, entry);
    read_arguments(arena, entry, &command);
    expand_response_files(arena, &command);
    if (makes_header(&command)) {
        vec_dispose(&command.arguments);
        return 0;
    }
    const char *output = json_get_text(entry, "output");
    if (output == NULL)
        output = output_argument(arena, &command);
    if (output != NULL)
        command.output = path_absolute(arena, command.directory, output);
    const char *overwritten = json_get_text(entry, "overwritten");
    command.overwritten = overwritten != NULL ? arena_strdup(arena, overwritten) : NULL;
    if (command.arguments.count == 0)
        return error_set(error, "%s: entry %zu (%s) has no \"arguments\" and no \"command\"", path,
                         index + 1, file);
    for (size_t i = 0; i < out->compiles.count; i++) {
        struct compile_command *old = &out->compiles.items[i];
        bool same_output = old->output != NULL && command.output != NULL
                               ? strcmp(old->output, command.output) == 0
                               : old->output == command.output;
        if (strcmp(old->file, command.file) == 0 && same_output) { /* built again: the newer one */
            vec_dispose(&old->arguments);
            *old = command;
            return 0;
        }
    }
    vec_push(&out->compiles, command);
    return 0;
}

/* The link (or ar) command that makes this file, or NULL. */
static const struct link_command *maker(const struct commands *commands, const char *path) {
    for (size_t i = commands->links.count; i-- > 0;)
        if (strcmp(commands->links.items[i].output, path) == 0)
            return &commands->links.items[i];
    return NULL;
}

/* libtalk.so is often a symbolic link to what was made, libtalk.so.1. */
static const char *behind_symbolic_link(const struct commands *commands, const char *path) {
    bool is_looked_for = path_is_library(path) && maker(commands, path) == NULL;
    char *real = is_looked_for ? realpath(path, NULL) : NULL;
    const char *found = path;
    for (size_t i = 0; real != NULL && i < commands->links.count && found == path; i++) {
        const char *output = commands->links.items[i].output;
        char *made = path_is_library(output) ? realpath(output, NULL) : NULL;
        found = made != NULL && strcmp(made, real) == 0 ? output : path;
        free(made);
    }
    free(real);
    return found;
}

static const char *input_of(struct commands *commands, const struct link_command *link,
                            const char *word) {
    const char *path = NULL;
    if (text_has_prefix(word, "-l") && word[2] != '\0')
        path = build_words_library(&commands->arena, link->arguments.items, link->arguments.count,
                                   link->directory, word + 2);
    else if (word[0] != '-')
        path = path_absolute(&commands->arena, link->directory, word);
    return path != NULL ? behind_symbolic_link(commands, path) : NULL;
}

/* Files are looked for once, however many units ask. */
static void find_inputs(struct commands *commands) {
    for (size_t i = 0; i < commands->links.count; i++) {
        struct link_command *link = &commands->links.items[i];
        for (size_t k = 0; k < link->arguments.count; k++) {
            if (k == link->inputs.count)
                vec_push(&link->inputs, NULL);
            if (link->inputs.items[k] == NULL)
                link->inputs.items[k] = input_of(commands, link, link->arguments.items[k]);
        }
    }
}

/* Those that capture told. */
static void read_inputs(struct arena *arena, const json_t *entry, struct link_command *out) {
    const char *contents = json_get_text(entry, "contents");
    const json_t *input;
    size_t i;
    json_array_foreach(json_object_get(entry, "inputs"), i, input) {
        const char *path = json_string_value(input);
        if (i < out->arguments.count)
            vec_push(&out->inputs, path != NULL ? arena_strdup(arena, path) : NULL);
    }
    out->contents = contents != NULL ? arena_strdup(arena, contents) : NULL;
}

static int read_links(struct commands *out, const char *path, struct error *error) {
    json_t *list;
    size_t i;
    json_t *entry;
    if (json_read(&list, path, error) != 0)
        return -1;
    json_array_foreach(list, i, entry) {
        struct compile_command words = {0};
        const char *directory = json_get_text(entry, "directory");
        const char *output = json_get_text(entry, "output");
        if (directory == NULL || output == NULL)
            continue;
        read_arguments(&out->arena, entry, &words);
        struct link_command link = {.directory = arena_strdup(&out->arena, directory),
                                    .environment = build_environment_read(&out->arena, entry)};
        link.output = path_absolute(&out->arena, link.directory, output);
        for (size_t k = 0; k < words.arguments.count; k++)
            vec_push(&link.arguments, words.arguments.items[k]);
        vec_dispose(&words.arguments);
        read_inputs(&out->arena, entry, &link);
        vec_push(&out->links, link);
    }
    json_decref(list);
    return 0;
}

int commands_read(struct commands *out, const char *path, struct error *error) {
    *out = (struct commands){0};
    struct arena *arena = &out->arena;
    out->path = path_absolute(arena, "", path);
    if (directory_exists(out->path))
        out->path = path_join(arena, out->path, "compile_commands.json");
    if (!file_exists(out->path))
        return error_set(error,
                         "no compile database: %s is not there; make one with `mpiskel capture -- "
                         "make`, or with CMake's -DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                         path);
    json_t *list, *entry;
    size_t i;
    if (json_read(&list, out->path, error) != 0)
        return -1;
    int result = 0;
    if (!json_is_array(list))
        result = error_set(error, "%s:1:1: error: not a compile database: a list was expected",
                           out->path);
    json_array_foreach(list, i, entry) {
        if (result == 0)
            result = read_compile(out, entry, out->path, i, error);
        if (build_environment_is_recorded(entry))
            build_environment_leave();
    }
    json_decref(list);
    if (result == 0 && out->compiles.count == 0)
        result =
            error_set(error,
                      "%s: no C or C++ file in it; clean the build first, so that capture sees "
                      "every file being compiled",
                      out->path);
    if (result == 0)
        result = copied_project_check(out, error);
    const char *links = path_join(arena, path_directory(arena, out->path), "link_commands.json");
    if (result == 0)
        result = file_exists(links) ? read_links(out, links, error) : cmake_links_read(out, error);
    find_inputs(out);
    return result;
}

void commands_dispose(struct commands *commands) {
    for (size_t i = 0; i < commands->compiles.count; i++)
        vec_dispose(&commands->compiles.items[i].arguments);
    for (size_t i = 0; i < commands->links.count; i++) {
        vec_dispose(&commands->links.items[i].arguments);
        vec_dispose(&commands->links.items[i].inputs);
        vec_dispose(&commands->links.items[i].members);
    }
    vec_dispose(&commands->compiles);
    vec_dispose(&commands->links);
    arena_dispose(&commands->arena);
}

/* How a unit comes into a file. */
enum membership { NO_MEMBER, MEMBER_OF_ARCHIVE, MEMBER };

/* `by` is what the linker made, `link` that or an archive. */
static enum membership names_unit(struct commands *commands, const struct link_command *by,
                                  const struct link_command *link,
                                  const struct compile_command *unit, int depth);

/* An archive holds what all its `ar` commands put in, other files what the last command did. */
static enum membership is_made_of(struct commands *commands, const struct link_command *by,
                                  const char *path, const struct compile_command *unit, int depth) {
    const struct link_command *last = maker(commands, path);
    bool is_archive = text_has_suffix(path, ".a");
    enum membership found = NO_MEMBER;
    for (size_t i = 0; i < commands->links.count; i++) {
        const struct link_command *link = &commands->links.items[i];
        if ((link != last && !is_archive) || strcmp(link->output, path) != 0)
            continue;
        enum membership here = names_unit(commands, is_archive ? by : link, link, unit, depth);
        found = here > found ? here : found;
    }
    return found;
}

static size_t count_namesakes(const struct commands *commands, const char *archive,
                              const char *object) {
    size_t count = 0;
    for (size_t i = 0; i < commands->links.count; i++) {
        const struct link_command *link = &commands->links.items[i];
        for (size_t k = 1; k < link->inputs.count && strcmp(link->output, archive) == 0; k++)
            count += link->inputs.items[k] != NULL &&
                     strcmp(path_base(link->inputs.items[k]), path_base(object)) == 0;
    }
    return count;
}

/* Of what is in an archive: whether the linker takes it. */
static enum membership membership_of_object(struct commands *commands,
                                            const struct link_command *by, const char *archive,
                                            const char *object) {
    bool is_known = false, is_taken = false;
    link_trace(commands, by);
    if (by->has_members)
        is_taken = link_trace_takes(&is_known, by, archive, object,
                                    count_namesakes(commands, archive, object));
    return !is_known ? MEMBER_OF_ARCHIVE : is_taken ? MEMBER : NO_MEMBER;
}

/* By the word k of the link command. */
static enum membership word_names_unit(struct commands *commands, const struct link_command *by,
                                       const struct link_command *link, size_t k,
                                       const struct compile_command *unit, int depth) {
    const char *path = link->inputs.items[k];
    enum membership found = NO_MEMBER;
    if (path == NULL)
        return NO_MEMBER;
    if (strcmp(path, unit->file) == 0 || (unit->output != NULL && strcmp(path, unit->output) == 0))
        found = MEMBER;
    else if (depth < 8 && strcmp(path, link->output) != 0)
        found = is_made_of(commands, by, path, unit, depth + 1);
    bool is_object = text_has_suffix(link->output, ".a") && !text_has_suffix(path, ".a");
    if (found == NO_MEMBER || !is_object)
        return found;
    enum membership taken = membership_of_object(commands, by, link->output, path);
    return taken < found ? taken : found;
}

static enum membership names_unit(struct commands *commands, const struct link_command *by,
                                  const struct link_command *link,
                                  const struct compile_command *unit, int depth) {
    enum membership found = NO_MEMBER;
    for (size_t k = 1; k < link->arguments.count && found != MEMBER; k++) {
        enum membership here = word_names_unit(commands, by, link, k, unit, depth);
        found = here > found ? here : found;
    }
    return found;
}

/* The first word of the executable's link command that the unit comes by. */
static enum membership find_position(struct commands *commands, const struct link_command *link,
                                     struct compile_command *unit) {
    enum membership found = NO_MEMBER;
    for (size_t k = 1; k < link->arguments.count && found != MEMBER; k++) {
        enum membership here = word_names_unit(commands, link, link, k, unit, 0);
        if (here > found) {
            unit->link_position = k;
            found = here;
        }
    }
    return found;
}

/* `-Wl,--whole-archive`: nothing is left out. */
static bool takes_all(const struct link_command *link) {
    for (size_t i = 0; i < link->arguments.count; i++)
        if (strstr(link->arguments.items[i], "--whole-archive") != NULL)
            return true;
    return false;
}

static int find_link(struct commands *commands, const char *name, const struct link_command **out,
                     struct error *error) {
    struct str names = {0};
    int found = 0;
    for (size_t i = 0; i < commands->links.count; i++) {
        const struct link_command *link = &commands->links.items[i];
        if (!executable_is_made(link) || maker(commands, link->output) != link)
            continue;
        str_printf(&names, "%s%s", names.length > 0 ? ", " : "", path_base(link->output));
        if (name == NULL || executable_is_named(&commands->arena, link, name)) {
            *out = link;
            found++;
        }
    }
    int result = 0;
    if (found > 1)
        result =
            error_set(error, "the build links several executables (%s): choose one with --link",
                      str_text(&names));
    if (found == 0 && name != NULL)
        result = error_set(error, "no executable '%s' is linked in %s; it knows: %s", name,
                           commands->path, names.length > 0 ? names.text : "none");
    str_dispose(&names);
    return result;
}

int commands_select(struct commands *commands, const char *name,
                    const struct link_command **out_link, struct error *error) {
    *out_link = NULL;
    if (commands->links.count == 0 && name != NULL)
        return error_set(
            error,
            "no link command is known beside %s, so that '%s' cannot be chosen: build "
            "with `mpiskel capture -- make`, which writes link_commands.json, or leave "
            "--link out to take all units",
            commands->path, name);
    if (commands->links.count > 0 && find_link(commands, name, out_link, error) != 0)
        return -1;
    if (*out_link == NULL)
        return 0;
    const struct link_command *link = *out_link;
    size_t kept = 0;
    for (size_t i = 0; i < commands->compiles.count; i++) {
        struct compile_command *unit = &commands->compiles.items[i];
        enum membership membership = find_position(commands, link, unit);
        unit->in_archive = membership == MEMBER_OF_ARCHIVE && !takes_all(link);
        if (membership != NO_MEMBER)
            commands->compiles.items[kept++] = *unit;
        else
            vec_dispose(&unit->arguments);
    }
    commands->compiles.count = kept;
    if (kept == 0)
        return error_set(error,
                         "no compiled unit of %s is linked into %s; clean the build and "
                         "capture it again",
                         commands->path, (*out_link)->output);
    return executable_check(commands, *out_link, error);
}

char *commands_sources(struct arena *arena, const struct commands *commands) {
    char *directory = path_directory(arena, commands->compiles.items[0].file);
    for (size_t i = 0; i < commands->compiles.count; i++)
        directory = included_sources_directory(arena, directory, commands->compiles.items[i].file);
    return directory;
}
