/* SPDX-License-Identifier: Apache-2.0
 *
 * Included in front of and behind a declaration with static storage that MPI_COMM_WORLD
 * initialises. For SMPI, in whose mpi.h it is a variable, the name is a constant in between, which
 * runtime/smpi/worlds.c replaces. Each inclusion undoes the one before.
 */
#pragma GCC system_header

#ifndef BSIM_PROFILE
#ifndef BSIM__NAMES_WORLD
#define BSIM__NAMES_WORLD
extern const char bsim_world __attribute__((visibility("hidden")));
#pragma push_macro("MPI_COMM_WORLD")
#undef MPI_COMM_WORLD
#define MPI_COMM_WORLD ((MPI_Comm) & bsim_world)
#else
#pragma pop_macro("MPI_COMM_WORLD")
#undef BSIM__NAMES_WORLD
#endif
#endif
