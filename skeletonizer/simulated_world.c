/* SPDX-License-Identifier: Apache-2.0
 *
 * Directives of the project's files that name a macro of one MPI's mpi.h: units are parsed, and
 * skeletons compiled, with SimGrid's, which has none of them. Calls of getenv() that stay, with a
 * literal that begins as a launcher's variables do. Inline assembly that reads the processor's
 * clock, in functions that stay: the simulated one it cannot read.
 *
 * Not handled: macros that are made of these, names that are put together while the program runs.
 */
#include "skeletonizer/simulated_world.h"

#include "frontend/program/ast.h"
#include "skeletonizer/slice/events.h"
#include "skeletonizer/slice/kept.h"
#include "skeletonizer/text/directives.h"

#include <string.h>

static const char *const macros[] = {"OPEN_MPI",
                                     "OMPI_MAJOR_VERSION",
                                     "OMPI_MINOR_VERSION",
                                     "OMPI_RELEASE_VERSION",
                                     "OMPI_MPI_H",
                                     "MPICH",
                                     "MPICH2",
                                     "MPICH_VERSION",
                                     "MPICH_NUMVERSION",
                                     "MPICH_NAME",
                                     "MPICH2_NUMVERSION",
                                     "MVAPICH_VERSION",
                                     "MVAPICH2_VERSION",
                                     "MVAPICH2_NUMVERSION",
                                     "I_MPI_VERSION",
                                     "I_MPI_NUMVERSION",
                                     "CRAY_MPICH_VERSION",
                                     "MSMPI_VER",
                                     "PLATFORM_MPI",
                                     "HPMPI_VERSION",
                                     "LAM_MPI",
                                     "MPIX_CUDA_AWARE_SUPPORT"};

/* Of which simulations give each rank its own (runtime/smpi/launcher.c). */
static const char *const simulated[] = {
#define LAUNCHER_ROW(name, fact) #name,
#include "mpi/launcher_variables.def"
};

static const char *const prefixes[] = {
    "OMPI_", "PMI_",  "PMIX_", "PMI2_", "MPI_LOCAL", "MV2_", "I_MPI_",   "SLURM_",
    "PALS_", "FLUX_", "JSM_",  "ALPS_", "PBS_",      "LSB_", "MPIEXEC_", "HYDRA_"};

/* What is found: the first place, and how many there are. */
struct found_places {
    struct range first;
    const char *name;
    size_t count;
};

static void add_place(struct found_places *found, struct range range, const char *name) {
    if (found->count++ == 0) {
        found->first = range;
        found->name = name;
    }
}

/* ---- Directives ---- */

static const char *macro_in(const char *line, size_t length) {
    for (size_t i = 0; i < sizeof macros / sizeof *macros; i++)
        if (directives_have(line, length, macros[i]))
            return macros[i];
    return NULL;
}

static void find_directives(struct found_places *found, const struct source_file *file, int index) {
    for (size_t i = 0; i < file->lines.count; i++) {
        unsigned begin = file->lines.items[i];
        const char *line = file->text + begin;
        if (!directives_is_condition(line))
            continue;
        size_t length = strcspn(line, "\n");
        const char *macro = macro_in(line, length);
        if (macro != NULL)
            add_place(found,
                      (struct range){index, begin + (unsigned)strspn(line, " \t"),
                                     begin + (unsigned)length},
                      macro);
    }
}

/* ---- Variables of launchers ---- */

static const char *literal_of(const struct slice *s, const struct call *call) {
    const struct ast *ast = ast_without_casts(program_argument(call, 0));
    if (ast == NULL || ast->kind != AST_STRING || ast->from_macro)
        return NULL;
    const char *text = program_text(s->program, ast->range);
    return text != NULL && text[0] == '"' ? text + 1 : NULL;
}

static const char *launcher_variable(const struct slice *s, const struct call *call) {
    bool asks = call->library != NULL && strcmp(call->library->name, "getenv") == 0 &&
                call->node->function != NULL && call->node->function->is_live &&
                kept_part_of_node(s, call->node);
    const char *name = asks ? literal_of(s, call) : NULL;
    for (size_t i = 0; name != NULL && i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name;
    return NULL;
}

static bool is_simulated(const char *name) {
    size_t length = strcspn(name, "\"");
    for (size_t i = 0; i < sizeof simulated / sizeof *simulated; i++)
        if (strlen(simulated[i]) == length && strncmp(simulated[i], name, length) == 0)
            return true;
    return false;
}

/* ---- Clocks that are read by assembly ---- */

static const char *const instructions[] = {"rdtsc", "cntvct_el0", "cntpct_el0", "mftb"};

/* In a macro at file scope it may be executed anywhere. */
static bool may_be_kept(const struct slice *s, int file, unsigned at) {
    for (size_t i = 0; i < s->program->functions.count; i++) {
        const struct function *function = s->program->functions.items[i];
        if (function->range.file == file && function->range.begin <= at && at < function->range.end)
            return kept_function(s, function);
    }
    return true;
}

/* In a literal, that is behind an odd number of quotation marks in its line. */
static bool is_quoted(const struct source_file *file, const char *at) {
    size_t marks = 0;
    for (const char *c = at; c > file->text && c[-1] != '\n'; c--)
        marks += c[-1] == '"';
    return marks % 2 == 1;
}

static void find_instructions(struct found_places *found, const struct slice *s, int index) {
    const struct source_file *file = s->program->files.items[index];
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        for (const char *at = file->text; (at = strstr(at, instructions[i])) != NULL; at++) {
            unsigned begin = (unsigned)(at - file->text);
            struct range range = {index, begin, begin + (unsigned)strlen(instructions[i])};
            if (is_quoted(file, at) && may_be_kept(s, index, begin))
                add_place(found, range, instructions[i]);
        }
}

/* ---- The report ---- */

static const char *others(const struct slice *s, const struct found_places *found) {
    return found->count > 1 ? arena_printf(&s->program->arena, " (likewise at %zu other place%s)",
                                           found->count - 1, found->count > 2 ? "s" : "")
                            : "";
}

void simulated_world_report(const struct slice *s) {
    struct program *program = s->program;
    struct found_places branches = {0}, variables = {0}, placed = {0}, ticks = {0};
    for (size_t i = 0; i < program->files.count; i++) {
        if (!program->files.items[i]->in_project)
            continue;
        find_directives(&branches, program->files.items[i], (int)i);
        find_instructions(&ticks, s, (int)i);
    }
    for (size_t i = 0; i < program->calls.count; i++) {
        const char *name = launcher_variable(s, program->calls.items[i]);
        if (name != NULL)
            add_place(is_simulated(name) ? &placed : &variables,
                      program->calls.items[i]->ast->range, name);
    }
    if (branches.count > 0)
        program_report(program, branches.first, "warning",
                       "this depends on which MPI compiles it, and the skeleton is compiled with "
                       "SimGrid's mpi.h, which has no %s: where the program runs it may make other "
                       "calls than in the simulation%s",
                       branches.name, others(s, &branches));
    if (ticks.count > 0)
        program_report(program, ticks.first, "warning",
                       "'%s' reads the processor's clock, which in a simulation goes on with the "
                       "time that simulating takes; read it with __rdtsc() of <x86intrin.h>, "
                       "clock_gettime() or MPI_Wtime(), which tell simulated time%s",
                       ticks.name, others(s, &ticks));
    if (variables.count > 0)
        program_report(program, variables.first, "warning",
                       "'%.*s' is set by a launcher, and in a simulation it is what the shell has, "
                       "alike for all ranks: other calls may come of it than where the program "
                       "runs%s",
                       (int)strcspn(variables.name, "\""), variables.name, others(s, &variables));
    if (placed.count > 0)
        program_report(program, placed.first, "note",
                       "'%.*s' is set by a launcher; simulations give it as their placement says "
                       "(--ranks-per-node, --hostfile)%s",
                       (int)strcspn(placed.name, "\""), placed.name, others(s, &placed));
}
