/* SPDX-License-Identifier: Apache-2.0
 *
 * From which size on the malloc of an original maps blocks, for each rank as on a real one.
 */
#pragma once

struct bsim__rank;

/* The rank computes from now on. Nothing without BSIM_MMAP_THRESHOLD. */
void bsim__malloc_use(const struct bsim__rank *rank);
