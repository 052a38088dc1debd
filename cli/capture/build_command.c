/* SPDX-License-Identifier: Apache-2.0
 *
 * See build_command.h. Options are those of gcc, clang, ld, objcopy and strip.
 */
#include "cli/capture/build_command.h"

#include "base/build_words.h"
#include "base/str.h"
#include "runtime/builds/build_tools.h"

#include <string.h>

static bool names_library(const char *word) {
    return text_has_suffix(word, ".a") || text_has_suffix(word, ".o");
}

/* `-Wl,--whole-archive,libx.a,--no-whole-archive`: three words, of which the second is a file. */
static void add_linker_words(struct build_command *out, struct arena *arena, const char *word) {
    char *rest = arena_strdup(arena, word + strlen("-Wl,")), *state = NULL;
    bool has_files = false;
    for (const char *at = rest; at != NULL && !has_files; at = strchr(at + 1, ',')) {
        const char *begin = at + (*at == ',');
        has_files =
            *begin != '-' && names_library(arena_strndup(arena, begin, strcspn(begin, ",")));
    }
    if (!has_files)
        vec_push(&out->words, word);
    for (char *part = has_files ? strtok_r(rest, ",", &state) : NULL; part != NULL;
         part = strtok_r(NULL, ",", &state))
        vec_push(&out->words, part[0] != '-' && names_library(part)
                                  ? part
                                  : arena_printf(arena, "-Wl,%s", part));
}

void build_command_read(struct build_command *out, struct arena *arena, const char *directory,
                        int argc, char *const *argv) {
    path_list words = {0};
    int first = 0;
    *out = (struct build_command){.directory = arena_strdup(arena, directory)};
    while (first < argc && !build_tools_has(path_base(argv[first])))
        first++;
    for (int i = first; i < argc; i++)
        build_words_expand(&words, arena, directory, argv[i]);
    for (size_t i = 0; i < words.count; i++)
        if (text_has_prefix(words.items[i], "-Wl,"))
            add_linker_words(out, arena, words.items[i]);
        else
            vec_push(&out->words, words.items[i]);
    vec_dispose(&words);
    build_words_join_libraries(&out->words, arena);
    build_command_classify(out);
}

/* Their values are no files that are compiled or linked. */
static bool takes_value(const char *word) {
    static const char *const options[] = {
        "-MF",      "-MT",     "-MQ",      "-include",   "-imacros", "-I",      "-L",
        "-isystem", "-iquote", "-Xlinker", "-idirafter", "-x",       "-D",      "-U",
        "-T",       "-rpath",  "-soname",  "-h",         "-Map",     "--param", NULL};
    return text_is_one_of(word, options);
}

static bool preprocesses(const char *word) {
    static const char *const options[] = {"-E", "-M", "-MM", "-fsyntax-only", NULL};
    return text_is_one_of(word, options);
}

/* Of strip and objcopy: debugging information goes, and what a linker does not look at. */
static bool keeps_names(const char *word) {
    static const char *const options[] = {"-g", "-S", "-d", "-s", "-x", "-X", "-p",
                                          "-v", "-D", "-U", "-w", "-o", NULL};
    static const char *const prefixes[] = {"--strip-debug",
                                           "--strip-unneeded",
                                           "--strip-all",
                                           "--strip-dwo",
                                           "--discard-",
                                           "--preserve-dates",
                                           "--only-keep-debug",
                                           "--add-gnu-debuglink",
                                           "--compress-debug",
                                           "--decompress-debug",
                                           "--verbose",
                                           "-R.comment",
                                           "-R.note",
                                           "--remove-section=.comment",
                                           "--remove-section=.note",
                                           "--enable-deter",
                                           "--disable-deter"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(word, prefixes[i]))
            return true;
    return text_is_one_of(word, options);
}

/* `-R .comment` in two words. */
static bool removes_note(const char *word, const char *next) {
    return (strcmp(word, "-R") == 0 || strcmp(word, "--remove-section") == 0) &&
           (text_has_prefix(next, ".comment") || text_has_prefix(next, ".note"));
}

/* objcopy of any file, as it is. */
static bool reads_data(const path_list *words, size_t i) {
    const char *word = words->items[i];
    return strcmp(word, "-Ibinary") == 0 || strcmp(word, "--input-target=binary") == 0 ||
           (strcmp(word, "-I") == 0 && i + 1 < words->count &&
            strcmp(words->items[i + 1], "binary") == 0);
}

/* A copy under other names is a thing of its own. */
static void classify_copy(struct build_command *command) {
    const path_list *words = &command->words, *files = &command->files;
    for (size_t i = 1; i < words->count; i++)
        command->preprocesses = command->preprocesses || reads_data(words, i);
    for (size_t i = 1; i < words->count && command->copies; i++)
        command->copies =
            words->items[i][0] != '-' || keeps_names(words->items[i]) ||
            (i + 1 < words->count && removes_note(words->items[i], words->items[i + 1]));
    if (!command->copies && command->output == NULL && files->count > 0)
        command->output = files->items[files->count - 1];
}

void build_command_classify(struct build_command *command) {
    const char *name = command->words.count > 0 ? path_base(command->words.items[0]) : "";
    command->copies = build_tools_has_copier(name);
    for (size_t i = 1; i < command->words.count; i++) {
        const char *word = command->words.items[i];
        bool has_next = i + 1 < command->words.count;
        if (strcmp(word, "-o") == 0 && has_next)
            command->output = command->words.items[++i];
        else if (text_has_prefix(word, "-o") && word[2] != '\0' && !command->copies)
            command->output = word + 2;
        else if (strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0)
            command->compiles_only = !command->copies;
        else if (preprocesses(word))
            command->preprocesses = true;
        else if (takes_value(word) && !command->copies)
            i += has_next;
        else if (word[0] != '-' && build_words_source_suffix(word) > 0)
            vec_push(&command->sources, word);
        else if (word[0] != '-' || (text_has_prefix(word, "-l") && word[2] != '\0'))
            vec_push(&command->files, word);
    }
    if (command->copies)
        classify_copy(command);
}

void build_command_dispose(struct build_command *command) {
    vec_dispose(&command->words);
    vec_dispose(&command->sources);
    vec_dispose(&command->files);
}

const char *build_command_target(struct arena *arena, const struct build_command *command) {
    if (command->output != NULL)
        return command->output;
    if (!command->compiles_only || command->files.count == 0)
        return "a.out";
    const char *base = path_base(command->files.items[0]); /* work.s */
    return arena_printf(arena, "%.*s.o", (int)strcspn(base, "."), base);
}

const char *build_command_object(struct arena *arena, const struct build_command *command,
                                 size_t k) {
    const char *base = path_base(command->sources.items[k]);
    int length = (int)(strlen(base) - build_words_source_suffix(base));
    if (!command->compiles_only)
        return arena_printf(arena, "%s.dir/%zu-%.*s.o", build_command_target(arena, command), k,
                            length, base);
    if (command->output != NULL)
        return command->output;
    bool to_assembly = false;
    for (size_t i = 1; i < command->words.count; i++)
        to_assembly = to_assembly || strcmp(command->words.items[i], "-S") == 0;
    return arena_printf(arena, "%.*s.%c", length, base, to_assembly ? 's' : 'o');
}

static void add_output(path_list *out, struct arena *arena, const struct build_command *command,
                       const char *word) {
    vec_push(out, path_absolute(arena, command->directory, word));
}

path_list build_command_outputs(struct arena *arena, const struct build_command *command) {
    path_list out = {0};
    if (command->copies && command->output == NULL) {
        for (size_t i = 0; i < command->files.count; i++)
            add_output(&out, arena, command, command->files.items[i]);
    } else if (command->compiles_only && command->sources.count > 0 && command->output == NULL) {
        for (size_t k = 0; k < command->sources.count; k++)
            add_output(&out, arena, command, build_command_object(arena, command, k));
    } else {
        add_output(&out, arena, command, build_command_target(arena, command));
    }
    return out;
}

const char *build_command_file(struct arena *arena, const struct build_command *command,
                               const char *word) {
    if (text_has_prefix(word, "-l"))
        return build_words_library(arena, command->words.items, command->words.count,
                                   command->directory, word + strlen("-l"));
    const char *path = path_absolute(arena, command->directory, word);
    return file_exists(path) ? path : NULL;
}
