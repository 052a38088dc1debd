/* SPDX-License-Identifier: Apache-2.0 */
#include "skeletonizer/features/code_region.h"

void code_region_dispose(struct code_region *region) {
    vec_dispose(&region->trees);
    vec_dispose(&region->features);
    vec_dispose(&region->exits);
}
