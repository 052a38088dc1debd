/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's mpi.h as `mpiskel generate` parses programs with it: without its macro SEED, a name
 * that programs use as well, and without the functions of <unistd.h> (unistd.h beside this file).
 * bsim.h does the same for what is compiled.
 */
#pragma GCC system_header
#pragma push_macro("SEED")
#undef SEED
#define BSIM_ASKS
#include_next <mpi.h>
#define BSIM_HAS_MPI
#pragma pop_macro("SEED")
