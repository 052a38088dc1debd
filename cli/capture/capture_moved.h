/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects that a build moves or copies between compiling and linking them.
 *
 * In: the commands of a build that has ended. Out: links name what was compiled. One that no
 * command compiled is taken for the only one of that name that was, if that one is not there any
 * more (it was moved), or this one is not (moved back or removed), or both are the same, byte by
 * byte.
 */
#ifndef CLI_CAPTURE_CAPTURE_MOVED_H
#define CLI_CAPTURE_CAPTURE_MOVED_H

#include "base/arena.h"
#include "base/json.h"

void capture_find_moved(struct arena *arena, const json_t *compiles, json_t *links);

#endif
