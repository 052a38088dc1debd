/* SPDX-License-Identifier: Apache-2.0
 *
 * Open MPI's mpi-ext.h tells whether messages may lie on devices. In a simulation there are none:
 * both for the parser and the compiler the answers are 0. Its other functions are refused as
 * unknown ones.
 */
#ifndef BSIM_MPI_EXT_H
#define BSIM_MPI_EXT_H

#define MPIX_CUDA_AWARE_SUPPORT 0
#define MPIX_ROCM_AWARE_SUPPORT 0
#define MPIX_Query_cuda_support() 0
#define MPIX_Query_rocm_support() 0

#endif
