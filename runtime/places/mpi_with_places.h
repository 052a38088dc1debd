/* SPDX-License-Identifier: Apache-2.0
 *
 * In front of the application's own mpi.h in profiling builds: behind it, calls tell where they
 * are.
 */
#pragma GCC system_header
#include_next <mpi.h>

/* Its macros would change the prototypes, so that they come last. */
#include "bsim_places.h"
