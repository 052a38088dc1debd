/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of the run as a whole that models go by: its number of ranks, and numbers among its
 * arguments by name (model/eval/program_numbers.h). Linked into skeletons only.
 */
#include "model/eval/program_numbers.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <stdlib.h>
#include <string.h>

/* Read once; the first entry without a name is the end. */
static const struct bsim_argument *find_arguments(struct bsim__shared *shared) {
    if (shared->arguments != NULL)
        return shared->arguments;
    struct bsim__command_line *line = bsim__command_line();
    shared->arguments = bsim__grow(NULL, 0, (BSIM_ARGUMENTS_MAX + 1) * sizeof *shared->arguments);
    if (line->count > 0)
        bsim_arguments_find(shared->arguments, BSIM_ARGUMENTS_MAX, line->words + 1,
                            line->count - 1);
    free(line);
    return shared->arguments;
}

/* NULL: the run has no such argument. */
static const struct bsim_argument *find_argument(const char *name) {
    const struct bsim_argument *argument = find_arguments(bsim__shared());
    for (; argument->name[0] != '\0'; argument++)
        if (strcmp(argument->name, name) == 0)
            return argument;
    return NULL;
}

static double number_of_argument(const struct bsim_stub *stub, const char *what, const char *name) {
    const struct bsim_argument *argument = find_argument(name);
    if (argument != NULL)
        return argument->number;
    bsim__stop(BSIM__STUB_PLACE
               ": error: the model of %s %d depends on the argument %s, which all profiling "
               "runs had and this run has not; make profiling runs with such arguments, then run "
               "`mpiskel fit`",
               stub->file, stub->line, what, (int)BSIM__VALUES(stub)[0], name);
}

/* Before MPI_Init what smpirun sets is all there is. */
static int number_of_ranks(const struct bsim_stub *stub, const char *what) {
    int size = bsim__current_rank()->world_size;
    const char *set = size < 1 ? getenv("SMPI_GLOBAL_SIZE") : NULL;
    if (set != NULL)
        size = atoi(set);
    if (size < 1)
        bsim__stop(BSIM__STUB_PLACE
                   ": error: the model of %s %d depends on the number of ranks, and is needed "
                   "before MPI_Init; replay it (`mpiskel verify --replay`) or generate without the "
                   "assumption cuts",
                   stub->file, stub->line, what, (int)BSIM__VALUES(stub)[0]);
    return size;
}

bool bsim__has_run_number(const char *name) {
    return strcmp(name, "ranks") == 0 || find_argument(name) != NULL;
}

double bsim__run_number(const struct bsim_stub *stub, const char *what, const char *name) {
    return strcmp(name, "ranks") == 0 ? number_of_ranks(stub, what)
                                      : number_of_argument(stub, what, name);
}
