/* SPDX-License-Identifier: Apache-2.0
 *
 * How many ranks compute while this one waits in MPI (profile_company.c).
 */
#pragma once

#include <mpi.h>

/* `comm` has some ranks of another communicator only, or may have. */
void bsim__company_part(MPI_Comm comm);

/* The rank communicates. */
void bsim__company_note(MPI_Comm comm);

/* How many others have computed since this was last asked, if there were `ranks` in all. */
double bsim__company_others(double ranks);
