/* SPDX-License-Identifier: Apache-2.0
 *
 * From which size on the malloc of an original maps blocks, for each rank as on a real one.
 */
#ifndef RUNTIME_ORIGINAL_MALLOC_THRESHOLD_H
#define RUNTIME_ORIGINAL_MALLOC_THRESHOLD_H

struct bsim__rank;

/* The rank computes from now on. Nothing without BSIM_MMAP_THRESHOLD. */
void bsim__malloc_use(const struct bsim__rank *rank);

#endif
