/* SPDX-License-Identifier: Apache-2.0
 *
 * In: a compile command. Out: `-undef` and a -D for each macro that `COMPILER OPTIONS -dM -E`
 * prints. The application's own -D and -U are left out of the question, since they go behind the
 * answer. What gcc has as words of the language, and clang has not, becomes a macro as well.
 *
 * Not handled: compilers that do not know -dM; they are parsed as clang would.
 */
#include "frontend/commands/predefined_macros.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

typedef VEC(const char *) words;

/* Options that change no predefined macro, and those that are followed by a value. */
static bool is_of_no_concern(const char *word, bool *takes_next) {
    static const char *const paths[] = {"-isystem", "-iquote",  "-idirafter",
                                        "-include", "-imacros", NULL};
    static const char *const glued[] = {"-D", "-U", "-I", "-L", "-l", NULL};
    *takes_next = text_is_one_of(word, paths) || text_is_one_of(word, glued);
    for (size_t i = 0; glued[i] != NULL; i++)
        if (text_has_prefix(word, glued[i]))
            return true;
    return *takes_next || text_has_prefix(word, "-W") || text_has_prefix(word, "-g");
}

/* Such as -specs=FILE, which is looked for from the command's directory on. */
static bool may_name_a_file(const char *word) {
    return word[0] != '-' || text_has_prefix(word, "--") || text_has_prefix(word, "-B") ||
           (strchr(word, '=') != NULL && !text_has_prefix(word, "-std=") &&
            !text_has_prefix(word, "-m"));
}

/* The question is the same in all directories where nothing in it could be a file of one. */
static bool needs_directory(const struct compile_command *command, const words *options) {
    const char *compiler = command->arguments.items[0];
    bool needs = command->environment != NULL || (compiler[0] != '/' && strchr(compiler, '/'));
    for (size_t i = 0; i < options->count && !needs; i++)
        needs = may_name_a_file(options->items[i]);
    return needs;
}

static void add_options(words *out, struct arena *arena, const struct compile_command *command) {
    struct compile_arguments options = {0};
    bool takes_next;
    commands_build_arguments(&options, arena, command);
    for (int i = 0; i < options.count; i++)
        if (!is_of_no_concern(options.items[i], &takes_next))
            vec_push(out, options.items[i]);
        else if (takes_next)
            i++;
}

static void make_question(words *out, struct arena *arena, const struct compile_command *command) {
    const char *const first[] = {"env", "-C", command->directory};
    const char *const last[] = {"-dM",       "-E", "-x", command->is_cxx ? "c++" : "c",
                                "/dev/null", NULL};
    words options = {0};
    add_options(&options, arena, command);
    for (size_t i = 0; i < sizeof first / sizeof *first && needs_directory(command, &options); i++)
        vec_push(out, first[i]);
    for (const char *const *word = command->environment; word != NULL && *word != NULL; word++)
        vec_push(out, *word);
    vec_push(out, command->arguments.items[0]);
    for (size_t i = 0; i < options.count; i++)
        vec_push(out, options.items[i]);
    for (size_t i = 0; i < sizeof last / sizeof *last; i++)
        vec_push(out, last[i]);
    vec_dispose(&options);
}

/* clang's headers name these themselves. */
static void add_lock_free(words *out, struct arena *arena, const char *macro) {
    if (text_has_prefix(macro, "__GCC_ATOMIC_"))
        vec_push(out, arena_printf(arena, "-D__CLANG_%s", macro + strlen("__GCC_")));
}

/* `#define NAME VALUE` lines; a parameter list holds no blank. */
static void add_definitions(words *out, struct arena *arena, char *text) {
    char *state = NULL;
    for (char *line = strtok_r(text, "\n", &state); line != NULL;
         line = strtok_r(NULL, "\n", &state)) {
        if (!text_has_prefix(line, "#define "))
            continue;
        char *macro = line + strlen("#define "), *value = macro + strcspn(macro, " ");
        if (*value == ' ')
            *value = '=';
        else
            macro = arena_printf(arena, "%s=", macro);
        vec_push(out, arena_printf(arena, "-D%s", macro));
        add_lock_free(out, arena, macro);
    }
}

static bool defines(const words *options, const char *name) {
    for (size_t i = 0; i < options->count; i++)
        if (text_has_prefix(options->items[i], name))
            return true;
    return false;
}

static bool is_another_one(const words *options) {
    return defines(options, "-D__clang__=") || defines(options, "-D__INTEL_COMPILER=") ||
           defines(options, "-D__NVCOMPILER=") || defines(options, "-D__PGI=");
}

/* Types of gcc's, and glibc's headers use them where __GNUC__ says that it is gcc; in C++ these
 * headers declare them as types of their own. */
static void add_words_of_gcc(words *out, bool is_cxx) {
    static const char *const macros[] = {"-D__seg_fs=__attribute__((address_space(257)))",
                                         "-D__seg_gs=__attribute__((address_space(256)))",
                                         "-D__float80=long double",
                                         "-D_Float32=float",
                                         "-D_Float32x=double",
                                         "-D_Float64=double",
                                         "-D_Float64x=long double",
                                         "-D_Float128=__float128"};
    for (size_t i = 0; i < (is_cxx ? 3 : sizeof macros / sizeof *macros); i++)
        vec_push(out, macros[i]);
}

/* In C++ the library's headers are those of the build's compiler: NULL is not known. */
static const char *library_of(struct arena *arena, const struct compile_command *command) {
    const char *const question[] = {
        "env", "-C", command->directory, command->arguments.items[0], "-print-libgcc-file-name",
        NULL};
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    const char *out = NULL;
    if (process_capture(&result, &text, question, false, &ignored) == 0 && result.exit_code == 0) {
        text[strcspn(text, "\n")] = '\0';
        char *path = realpath(text, NULL);
        if (path != NULL)
            out = arena_printf(arena, "--gcc-install-dir=%s", path_directory(arena, path));
        free(path);
    }
    free(text);
    return out;
}

static void finish(struct predefined_macros *out, struct arena *arena, words *options,
                   const struct compile_command *command) {
    out->is_known = true;
    out->is_gcc = defines(options, "-D__GNUC__=") && !is_another_one(options);
    if (out->is_gcc)
        add_words_of_gcc(options, command->is_cxx);
    const char *library = out->is_gcc && command->is_cxx ? library_of(arena, command) : NULL;
    if (library != NULL)
        vec_push(options, library);
    out->options.count = (int)options->count;
    out->options.items = ARENA_ARRAY(arena, const char *, options->count + 1);
    memcpy(out->options.items, options->items, options->count * sizeof *options->items);
}

static void ask(struct predefined_macros *out, struct arena *arena, const char *const *question,
                const struct compile_command *command) {
    struct process_result result;
    struct error ignored = {0};
    char *text = NULL;
    words options = {0};
    if (process_capture(&result, &text, question, false, &ignored) == 0 && result.exit_code == 0) {
        vec_push(&options, "-undef");
        add_definitions(&options, arena, text);
        if (options.count > 1)
            finish(out, arena, &options, command);
    }
    vec_dispose(&options);
    free(text);
}

const struct predefined_macros *predefined_macros_of(struct predefined_answers *answers,
                                                     const struct compile_command *command) {
    words question = {0};
    struct str key = {0};
    make_question(&question, &answers->arena, command);
    for (size_t i = 0; question.items[i] != NULL; i++)
        str_printf(&key, "%s\n", question.items[i]);
    struct predefined_macros *out = hash_table_find_text(&answers->by_command, str_text(&key));
    if (out == NULL) {
        out = hash_table_add_text(&answers->by_command, str_text(&key), sizeof *out);
        ask(out, &answers->arena, question.items, command);
    }
    vec_dispose(&question);
    str_dispose(&key);
    return out;
}

void predefined_answers_dispose(struct predefined_answers *answers) {
    hash_table_dispose(&answers->by_command);
    arena_dispose(&answers->arena);
}
