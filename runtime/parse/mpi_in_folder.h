/* SPDX-License-Identifier: Apache-2.0
 *
 * <mpi/mpi.h> and <openmpi/mpi.h>, by which programs find Open MPI's header on Debian: SimGrid's.
 */
#include <mpi.h>
