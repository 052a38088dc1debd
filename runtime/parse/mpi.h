/* SPDX-License-Identifier: Apache-2.0
 *
 * SimGrid's mpi.h as `mpiskel generate` parses programs with it: without its macro SEED, a name
 * that programs use as well. bsim.h does the same for what is compiled.
 */
#pragma GCC system_header
#pragma push_macro("SEED")
#undef SEED
#include_next <mpi.h>
#pragma pop_macro("SEED")
