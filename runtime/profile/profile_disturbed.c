/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether others disturbed a profiling run, told in one line when it ends. Two signs, on the rank
 * where they are strongest: how long a rank was ready and did not get a processor (Linux tells), if
 * its node has a processor for each of its ranks; and by how much the reference loop took longer in
 * the mean than at its best, for what others do on a core's second thread, or a lower clock. With
 * BSIM_QUIET, which waits for others, nothing is said here, nor where processor time is counted.
 */
#include "runtime/profile/profile_disturbed.h"

#include "runtime/common/reference.h"
#include "runtime/profile/profile.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define SHORTEST_S 0.1      /* shorter runs: the kernel's own ticks would count */
#define WAITED_MATTERS 0.05 /* of the time */
#define SLOWER_MATTERS 0.1  /* processors turn their clocks by some percent (disturbed.c) */

enum sign { SIGN_WAITED, SIGN_SLOWER, SIGN_COUNT };

static double waited_before_s;

/* Ready, without a processor, since the process began; 0: not known. */
static double waited_s(void) {
    double computed_ns = 0, waited_ns = 0;
    FILE *file = fopen("/proc/self/schedstat", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%lf %lf", &computed_ns, &waited_ns) != 2)
        waited_ns = 0;
    fclose(file);
    return 1e-9 * waited_ns;
}

void bsim__disturbed_start(void) {
    waited_before_s = waited_s();
}

static bool has_processor(MPI_Comm comm) {
    MPI_Comm node;
    int ranks = 0;
    PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    PMPI_Comm_size(node, &ranks);
    PMPI_Comm_free(&node);
    return ranks <= sysconf(_SC_NPROCESSORS_ONLN);
}

static void tell(const double *signs) {
    if (signs[SIGN_WAITED] >= WAITED_MATTERS)
        fprintf(stderr,
                "mpiskel: this machine was disturbed: others had a rank's processor for "
                "%.0f %% of the run",
                100 * signs[SIGN_WAITED]);
    else
        fprintf(stderr,
                "mpiskel: this machine was disturbed: a loop that is always the same took "
                "%.0f %% longer than at its best",
                100 * signs[SIGN_SLOWER]);
    fputs("; make the profiling run again while nothing else runs, or with BSIM_QUIET=60, which "
          "waits for that\n",
          stderr);
}

void bsim__disturbed_tell(MPI_Comm comm, double elapsed_s) {
    double mine[SIGN_COUNT] = {0}, signs[SIGN_COUNT] = {0};
    bool is_alone = has_processor(comm);
    if (elapsed_s >= SHORTEST_S && is_alone)
        mine[SIGN_WAITED] = fmin((waited_s() - waited_before_s) / elapsed_s, 1);
    if (elapsed_s >= SHORTEST_S && bsim__reference_least_s() > 0)
        mine[SIGN_SLOWER] = bsim__reference_s() / bsim__reference_least_s() - 1;
    PMPI_Reduce(mine, signs, SIGN_COUNT, MPI_DOUBLE, MPI_MAX, 0, comm);
    if (bsim__profile.rank == 0 && bsim__profile.counted == NULL && getenv("BSIM_QUIET") == NULL &&
        (signs[SIGN_WAITED] >= WAITED_MATTERS || signs[SIGN_SLOWER] >= SLOWER_MATTERS))
        tell(signs);
}
