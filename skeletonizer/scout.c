/* SPDX-License-Identifier: Apache-2.0
 *
 * The application's own compiler, or gcc in its place (scout_compiler.c), and options with
 * --coverage, by gcc without optimization, which moves counts between lines, where that can be
 * linked. The ranks of one machine
 * add their counts to the same files when they end. Everything lies in a directory beside the
 * bundle that is removed again.
 */
#include "skeletonizer/scout.h"

#include "base/file.h"
#include "base/process.h"
#include "base/str.h"
#include "skeletonizer/compile/compile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <wordexp.h>

typedef VEC(const char *) words;

#define PROGRAM '\001' /* for {}, since wordexp wants braces quoted */

static const char *with_marks(struct generation *g) {
    struct str out = {0};
    for (const char *c = g->options->scout; *c != '\0'; c++) {
        bool is_place = c[0] == '{' && c[1] == '}';
        if (is_place)
            str_addc(&out, PROGRAM);
        else
            str_printf(&out, strchr("{}", *c) != NULL ? "\\%c" : "%c", *c);
        c += is_place;
    }
    return str_into(&g->arena, &out);
}

static const char *with_program(struct generation *g, const char *word, const char *program) {
    struct str out = {0};
    for (const char *c = word; *c != '\0'; c++)
        if (*c == PROGRAM)
            str_add(&out, program);
        else
            str_addc(&out, *c);
    return str_into(&g->arena, &out);
}

/* The user's command as words, {} replaced by the program, also inside of a word (`sh -c '...'`).
 */
static int command_words(struct generation *g, const char *program, words *out,
                         struct error *error) {
    wordexp_t split;
    bool found = false;
    if (wordexp(with_marks(g), &split, WRDE_NOCMD) != 0)
        return error_set(error, "--scout: cannot split '%s' into words", g->options->scout);
    for (size_t i = 0; i < split.we_wordc; i++) {
        vec_push(out, with_program(g, split.we_wordv[i], program));
        found = found || strchr(split.we_wordv[i], PROGRAM) != NULL;
    }
    wordfree(&split);
    vec_push(out, NULL);
    if (!found)
        return error_set(error,
                         "--scout: the command has to name the program as {}, such as "
                         "'mpirun --oversubscribe -np 4 {} ARGUMENTS', not '%s'",
                         g->options->scout);
    return 0;
}

#define LOG_NAME "run.log"

static void print_log(const char *path) {
    char *text = NULL;
    struct error ignored = {0};
    if (file_read(&text, NULL, path, &ignored) == 0)
        fputs(text, stderr);
    free(text);
}

/* `exit_code` of the launcher. */
static int run_program(struct generation *g, const char *directory, int *exit_code,
                       struct error *error) {
    const char *log = path_join(&g->arena, directory, LOG_NAME);
    struct process_options options = {.stdout_file = log, .stderr_file = log};
    struct process_result result;
    words command = {0};
    int status = command_words(g, path_join(&g->arena, directory, "scout"), &command, error);
    if (status == 0)
        status = process_run(&result, command.items, &options, error);
    vec_dispose(&command);
    if (status != 0)
        return -1;
    if (process_interrupted())
        return error_set(error, "interrupted");
    *exit_code = result.exit_code;
    return 0;
}

static bool was_executed(const struct counts *counts, const struct node *node) {
    return counts_of(counts, node) > 0;
}

/* Launchers take that for an error: a program that returns from main without MPI_Finalize. */
static bool left_unfinalized(const struct generation *g) {
    const struct function *main_function = program_function(&g->program, "main");
    bool left = false;
    for (size_t i = 0; i < g->program.calls.count; i++) {
        const struct call *call = g->program.calls.items[i];
        if (call->mpi != NULL && call->mpi->class == MPI_CLASS_FINALIZE &&
            was_executed(&g->counts, call->node))
            return false;
    }
    for (size_t i = 0; main_function != NULL && i < main_function->nodes.count; i++) {
        const struct node *node = main_function->nodes.items[i];
        for (size_t k = 0; k < node->next.count; k++)
            left |= node->next.items[k] == main_function->exit && was_executed(&g->counts, node);
    }
    return left;
}

/* gcov's JSON, or what `llvm-cov gcov` lists, which has to find the source. */
static int read_unit(struct generation *g, const char *directory, size_t index,
                     struct error *error) {
    const struct compile_command *command = &g->commands.compiles.items[index];
    const struct scout_compiler *compiler = &g->scout_compiler;
    const char *counters = arena_printf(&g->arena, "%s/scout.%zu.gcda", directory, index);
    const char *const gcov[] = {compiler->gcov, "--json-format", "--stdout", counters, NULL};
    const char *const llvm[] = {"env",  "-C",       command->directory, compiler->llvm_cov,
                                "gcov", "--stdout", counters,           NULL};
    struct process_result result;
    char *text = NULL;
    int status = 0;
    if (!file_exists(counters))
        return 0;
    if (process_capture(&result, &text, compiler->gcov != NULL ? gcov : llvm, false, error) != 0)
        return -1;
    if (compiler->gcov != NULL)
        status = counts_add_gcov(&g->counts, &g->program, text, command->directory, error);
    else
        counts_add_listing(&g->counts, &g->program, text, command->directory);
    free(text);
    return status;
}

static int compile(struct generation *g, const char *directory, struct error *error) {
    struct compilation compilation = generation_compilation(g, directory);
    return compile_scout(&compilation, error);
}

static int build(struct generation *g, const char *directory, struct error *error) {
    const char *name = g->commands.compiles.items[0].arguments.items[0];
    if (scout_compiler_choose(&g->scout_compiler, &g->arena, name, directory, error) != 0)
        return -1;
    int status = -1;
    if (!g->scout_compiler.optimizes)
        status = compile(g, directory, error);
    if (status != 0 && error->set) /* it could not be tried */
        return -1;
    g->scout_compiler.optimizes = true;
    if (status != 0)
        status = compile(g, directory, error);
    if (status != 0 && g->scout_compiler.replacement.replaced != NULL)
        note("note: --scout counts with gcc, which stands in for %s here and has to understand the "
             "application, too; clang counts itself where llvm-cov and its profiling runtime are "
             "installed (Debian: llvm-19 and libclang-rt-19-dev for clang-19)",
             g->scout_compiler.replacement.replaced);
    return status;
}

static int make_counts(struct generation *g, const char *directory, struct error *error) {
    int exit_code = 0;
    if (directory_make(directory, error) != 0 || build(g, directory, error) != 0 ||
        run_program(g, directory, &exit_code, error) != 0)
        return -1;
    for (size_t i = 0; i < g->commands.compiles.count; i++)
        if (read_unit(g, directory, i, error) != 0)
            return -1;
    if (exit_code != 0 && !(g->counts.known && left_unfinalized(g))) {
        print_log(path_join(&g->arena, directory, LOG_NAME));
        return error_set(error, "--scout: '%s' ended with exit code %d; its output is above",
                         g->options->scout, exit_code);
    }
    if (exit_code != 0)
        note("note: --scout: the program returned from main without MPI_Finalize; the exit code %d "
             "is taken to come of that",
             exit_code);
    if (!g->counts.known && g->scout_compiler.replacement.replaced != NULL)
        return error_set(error,
                         "--scout: the run left no counts; programs have to end by themselves, and "
                         "their MPI wrapper has to call gcc instead of %s where OMPI_CC or "
                         "MPICH_CC says so",
                         g->scout_compiler.replacement.replaced);
    if (!g->counts.known)
        return error_set(error, "--scout: the run left no counts; programs have to end by "
                                "themselves");
    g->counts.command = g->options->scout;
    return 0;
}

int scout_check(struct generation *g, struct error *error) {
    words command = {0};
    int result = g->options->scout != NULL ? command_words(g, "program", &command, error) : 0;
    vec_dispose(&command);
    return result;
}

int scout_counts(struct generation *g, struct error *error) {
    if (g->options->scout == NULL)
        return counts_read(&g->counts, &g->program,
                           path_join(&g->arena, g->options->output, "counts.json"), error);
    const char *directory = path_absolute(
        &g->arena, "", arena_printf(&g->arena, "%s.scout%ld", g->options->output, (long)getpid()));
    int result = make_counts(g, directory, error);
    struct error ignored = {0};
    directory_remove(directory, &ignored);
    return result;
}
