/* SPDX-License-Identifier: Apache-2.0
 *
 * Which communicators are certainly not the same: messages in different ones never meet.
 */
#ifndef SKELETONIZER_SLICE_COMMUNICATORS_H
#define SKELETONIZER_SLICE_COMMUNICATORS_H

#include "skeletonizer/slice/slice.h"

/* False if the two MPI calls may be in the same communicator. */
bool communicators_differ(const struct slice *slice, const struct call *one,
                          const struct call *other);

#endif
