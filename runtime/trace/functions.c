/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of functions, with the types of the mpi.h that this is compiled with.
 */
#include "runtime/trace/functions.h"

#include <mpi.h>

const struct bsim__function bsim__functions[BSIM__ID_COUNT] = {
#define BSIM__ROWS
#include "bsim_table.h"
#undef BSIM__ROWS
};
