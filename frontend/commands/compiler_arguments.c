/* SPDX-License-Identifier: Apache-2.0
 *
 * Compiler arguments: those that matter to a parser, those for compiling a rewritten unit.
 * Directories are made absolute, since the commands run elsewhere.
 *
 * The parser gets a list of known options only: libclang refuses what gcc alone understands. OpenMP
 * pragmas are parsed as comments; _OPENMP stays defined.
 */
#include "frontend/commands/compile_commands.h"

#include "base/build_words.h"
#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "frontend/commands/openmp_option.h"
#include "frontend/commands/predefined_macros.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) words;

/* Options that take a path, glued or as the next word. */
static const char *const path_options[] = {"-I",       "-isystem", "-iquote", "-idirafter",
                                           "-include", "-imacros", "-L"};
/* Others that take a value, glued or as the next word. */
static const char *const value_options[] = {"-D",      "-U", "-x",        "-std",
                                            "--param", "-l", "-framework"};

static const char *matching(const char *const *options, size_t count, const char *word) {
    for (size_t i = 0; i < count; i++)
        if (text_has_prefix(word, options[i]) &&
            (strlen(options[i]) == 2 || options == path_options ||
             word[strlen(options[i])] == '\0' || word[strlen(options[i])] == '='))
            return options[i];
    return NULL;
}

#define MATCHING(options, word) matching((options), sizeof(options) / sizeof *(options), (word))

static bool has_suffix_of(const char *word, const char *const *suffixes) {
    for (; *suffixes != NULL; suffixes++)
        if (text_has_suffix(word, *suffixes))
            return true;
    return false;
}

static bool is_input(const char *word) {
    static const char *const suffixes[] = {".o", ".a", ".so", ".lo", NULL};
    return word[0] != '-' && (build_words_source_suffix(word) > 0 || has_suffix_of(word, suffixes));
}

/* Absolute form of a path option at index i; *used tells how many words it took. */
static const char *absolute_option(struct arena *arena, const struct compile_command *command,
                                   const char *option, size_t i, int *used) {
    const char *word = command->arguments.items[i];
    const char *value = word + strlen(option);
    *used = 1;
    if (*value == '\0' && i + 1 < command->arguments.count) {
        value = command->arguments.items[i + 1];
        *used = 2;
    }
    bool glued = strlen(option) == 2;
    /* -include NAME is searched like a quoted include: only a name that is there is a path. */
    const char *path = path_absolute(arena, command->directory, value);
    if (strcmp(option, "-include") == 0 && !file_exists(path))
        path = value;
    return glued ? arena_printf(arena, "%s%s", option, path) : path;
}

static bool is_dependency_option(const char *word) {
    return text_has_prefix(word, "-M") || strcmp(word, "-c") == 0 || strcmp(word, "-S") == 0 ||
           strcmp(word, "-E") == 0 || strcmp(word, "-pipe") == 0;
}

/* `-omain.o`; icc's -openmp is none. */
static bool is_glued_output(const char *word) {
    return text_has_prefix(word, "-o") && word[2] != '\0' && !openmp_option_is_on(word);
}

static bool takes_dependency_file(const char *word) {
    return strcmp(word, "-MF") == 0 || strcmp(word, "-MT") == 0 || strcmp(word, "-MQ") == 0;
}

/* They look for mistakes of the program, have to be loaded before all else, and know nothing of
 * SimGrid's stacks; macros and times are those of the program without them in all builds. */
static bool is_sanitizer_option(const char *word) {
    static const char *const prefixes[] = {"-fsanitize",       "-fno-sanitize",   "-static-libasan",
                                           "-static-libubsan", "-static-libtsan", "-static-liblsan",
                                           "-shared-libasan",  "-static-libsan",  "-shared-libsan"};
    static const char *const libraries[] = {"-lasan", "-lubsan", "-ltsan", "-llsan", NULL};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(word, prefixes[i]))
            return true;
    return text_is_one_of(word, libraries);
}

const char *commands_sanitizer(const struct compile_command *command) {
    for (size_t i = 1; i < command->arguments.count; i++)
        if (text_has_prefix(command->arguments.items[i], "-fsanitize="))
            return command->arguments.items[i];
    return NULL;
}

/* Everything but compiler, inputs, outputs, dependency files, sanitizers and devices, which a
 * simulation does not have. */
static void common_arguments(words *out, struct arena *arena,
                             const struct compile_command *command) {
    for (size_t i = 1; i < command->arguments.count; i++) {
        const char *word = command->arguments.items[i];
        const char *path_option = MATCHING(path_options, word);
        const char *value_option = MATCHING(value_options, word);
        int used = 1;
        if (strcmp(word, "-o") == 0 || takes_dependency_file(word)) {
            i++;
        } else if (openmp_option_is_for_devices(word)) {
            i += text_has_prefix(word, "-Xopenmp-target");
        } else if (is_dependency_option(word) || is_input(word) || is_sanitizer_option(word) ||
                   is_glued_output(word)) {
            continue;
        } else if (path_option != NULL) {
            const char *value = absolute_option(arena, command, path_option, i, &used);
            if (strlen(path_option) > 2)
                vec_push(out, path_option);
            vec_push(out, value);
            i += (size_t)used - 1;
        } else if (value_option != NULL && strcmp(value_option, word) == 0 &&
                   i + 1 < command->arguments.count) {
            vec_push(out, word);
            vec_push(out, command->arguments.items[++i]);
        } else {
            vec_push(out, word);
        }
    }
}

static void finish(struct compile_arguments *out, struct arena *arena, words *from) {
    out->count = (int)from->count;
    out->items = ARENA_ARRAY(arena, const char *, from->count + 1);
    for (size_t i = 0; i < from->count; i++)
        out->items[i] = from->items[i];
    vec_dispose(from);
}

void commands_build_arguments(struct compile_arguments *out, struct arena *arena,
                              const struct compile_command *command) {
    words all = {0};
    common_arguments(&all, arena, command);
    finish(out, arena, &all);
}

/* Where the compiler's own MPI headers lie: they must not be found before SMPI's. */
static bool holds_mpi_header(struct arena *arena, const char *option) {
    if (!text_has_prefix(option, "-I"))
        return false;
    return file_exists(path_join(arena, option + 2, "mpi.h"));
}

static bool matters_to_parser(const char *word) {
    static const char *const prefixes[] = {
        "-D",    "-U",   "-I",    "-std=",    "-fsigned-",     "-funsigned-",   "-fgnu89",
        "-fms-", "-m32", "-ansi", "-fshort-", "-fpack-struct", "-mlong-double-"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (text_has_prefix(word, prefixes[i]))
            return true;
    return false;
}

bool commands_have(const struct compile_command *command, const char *option) {
    for (size_t i = 1; i < command->arguments.count; i++)
        if (strcmp(command->arguments.items[i], option) == 0)
            return true;
    return false;
}

const char *commands_smpi_include(struct arena *arena) {
    static const char *const candidates[] = {"/usr/include/smpi", "/usr/local/include/smpi",
                                             "/opt/simgrid/include/smpi"};
    const char *chosen = getenv("MPISKEL_SMPI_INCLUDE");
    if (chosen != NULL)
        return arena_strdup(arena, chosen);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (file_exists(path_join(arena, candidates[i], "mpi.h")))
            return candidates[i];
    return NULL;
}

/* Before SimGrid's, whose mpi.h it includes; NULL: not installed with the program. */
static const char *own_include(struct arena *arena) {
    const char *directory =
        path_join(arena, path_directory(arena, path_executable(arena)), "parse");
    return file_exists(path_join(arena, directory, "mpi.h")) ? directory : NULL;
}

/* omp.h is the compiler's own; libclang has none. */
static void add_compiler_headers(words *out, struct arena *arena) {
    const char *const argv[] = {"gcc", "-print-file-name=include", NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    if (process_capture(&result, &text, argv, false, &ignored) != 0)
        return;
    text[strcspn(text, "\n")] = '\0';
    if (result.exit_code == 0 && text[0] == '/') {
        vec_push(out, "-idirafter");
        vec_push(out, arena_strdup(arena, text));
    }
    free(text);
}

void commands_with_compiler_headers(struct compile_arguments *out, struct arena *arena,
                                    const char *const *arguments, int count) {
    words all = {0};
    for (int i = 0; i < count; i++)
        vec_push(&all, arguments[i]);
    add_compiler_headers(&all, arena);
    finish(out, arena, &all);
}

void commands_parse_arguments(struct compile_arguments *out, struct arena *arena,
                              const struct compile_command *command,
                              const struct predefined_macros *predefined) {
    words all = {0}, kept = {0};
    for (int i = 0; i < predefined->options.count; i++)
        vec_push(&kept, predefined->options.items[i]);
    common_arguments(&all, arena, command);
    const char *smpi = commands_smpi_include(arena);
    const char *own = own_include(arena);
    if (smpi != NULL && own != NULL) {
        vec_push(&kept, arena_printf(arena, "-I%s", own));
        vec_push(&kept, "-include"); /* as in what is compiled: before the program's macros */
        vec_push(&kept, path_join(arena, own, "mpi.h"));
    }
    if (smpi != NULL)
        vec_push(&kept, arena_printf(arena, "-I%s", smpi));
    for (size_t i = 0; i < all.count; i++) {
        const char *word = all.items[i];
        bool pair = strlen(word) > 2 && MATCHING(path_options, word) != NULL &&
                    strcmp(MATCHING(path_options, word), word) == 0;
        if (pair && i + 1 < all.count) {
            vec_push(&kept, word);
            vec_push(&kept, all.items[++i]);
        } else if ((strcmp(word, "-D") == 0 || strcmp(word, "-U") == 0) && i + 1 < all.count) {
            vec_push(&kept, word);
            vec_push(&kept, all.items[++i]);
        } else if (strcmp(word, "-fplan9-extensions") == 0) {
            vec_push(&kept, "-fms-extensions"); /* of which it is more */
        } else if (strcmp(word, "-fopenmp") == 0) {
            if (!predefined->is_known)
                vec_push(&kept, "-D_OPENMP=201511");
            add_compiler_headers(&kept, arena);
        } else if (matters_to_parser(word) && !holds_mpi_header(arena, word)) {
            vec_push(&kept, word);
        }
    }
    static const char *const tolerant[] = {"-DBSIM_SKELETON", "-ferror-limit=0",
                                           /* also what clang takes for errors and gcc does not */
                                           "-Wno-everything",
                                           /* builtins that clang does not know are told by it */
                                           "-Wimplicit-function-declaration",
                                           "-Wno-error=implicit-function-declaration"};
    vec_push(&kept, command->is_cxx ? "-xc++" : "-xc");
    for (size_t i = 0; i < sizeof tolerant / sizeof *tolerant; i++)
        vec_push(&kept, tolerant[i]);
    vec_dispose(&all);
    finish(out, arena, &kept);
}
