/* SPDX-License-Identifier: Apache-2.0
 *
 * How many ranks compute while this one waits in MPI, for BSIM_CACHE=cold: those of the largest
 * communicator that was used since the last region. Where the columns of a grid of 8 x 8 ranks
 * factor a panel, 8 take turns and 56 wait, and what the 8 use stays in caches that 64 would need.
 *
 * Profiling runs have fewer ranks than what they are made for. A communicator of c of P ranks
 * stands for one of Q^(log c / log P) of Q: a row of 2 x 2 for a row of 8 x 8. Of a part
 * (MPI_Comm_split, MPI_Cart_sub) of one or two ranks nobody can tell whether it is a row or all:
 * it stands for the square root, a row of a square grid.
 */
#include "runtime/profile/profile_company.h"

#include "runtime/profile/profile.h"

#include <math.h>

#define FEW_RANKS 3
#define EXPONENT_OF_PART 0.5

static struct {
    double exponent; /* of the ranks that computed; 1: all */
    bool noted;      /* since the last region */
} company = {.exponent = 1};

static int part_key = MPI_KEYVAL_INVALID;

void bsim__company_part(MPI_Comm comm) {
    static int anything;
    if (comm == MPI_COMM_NULL)
        return;
    if (part_key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &part_key, NULL);
    PMPI_Comm_set_attr(comm, part_key, &anything);
}

static bool is_part(MPI_Comm comm) {
    void *value;
    int found = 0;
    if (part_key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, part_key, &value, &found);
    return found;
}

static double exponent_of(MPI_Comm comm) {
    int size = bsim__profile.size;
    if (comm == MPI_COMM_WORLD)
        return 1;
    PMPI_Comm_size(comm, &size);
    if (bsim__profile.size < FEW_RANKS)
        return is_part(comm) ? EXPONENT_OF_PART : 1;
    return log(size) / log(bsim__profile.size);
}

void bsim__company_note(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL)
        return;
    double exponent = exponent_of(comm);
    if (!company.noted || exponent > company.exponent)
        company.exponent = exponent;
    company.noted = true;
}

double bsim__company_others(double ranks) {
    company.noted = false;
    return pow(ranks, company.exponent) - 1;
}
