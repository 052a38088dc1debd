/* SPDX-License-Identifier: Apache-2.0
 *
 * The file that BSIM_HOST_FACTORS names: a line for each rank of the world, of as many bytes, with
 * the number by which its computation takes longer than on the platform's fastest hosts.
 */
#ifndef RUNTIME_FORMATS_HOST_FACTORS_H
#define RUNTIME_FORMATS_HOST_FACTORS_H

#define HOST_FACTOR_BYTES 32

#endif
