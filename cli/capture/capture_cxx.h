/* SPDX-License-Identifier: Apache-2.0
 *
 * Links by C++ drivers. In: the commands of a build that has ended. Out: of those links only such
 * as are of what was compiled from C: programs that a build links by mpicxx since it might have
 * units in C++ as well. Others are no programs in C, or hold what is not made again.
 */
#ifndef CLI_CAPTURE_CAPTURE_CXX_H
#define CLI_CAPTURE_CAPTURE_CXX_H

#include "base/arena.h"
#include "base/json.h"

/* After objects that were moved have been found. */
void capture_leave_out_cxx(struct arena *arena, const json_t *compiles, json_t *links);

#endif
