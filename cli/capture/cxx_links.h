/* SPDX-License-Identifier: Apache-2.0
 *
 * Links by C++ drivers. In: the commands of a build that has ended. Out: without shared libraries
 * of C++, which stay as the build made them, like those of the system, and without executables of
 * C++ that no MPI library is linked to: tools of the build.
 */
#ifndef CLI_CAPTURE_CXX_LINKS_H
#define CLI_CAPTURE_CXX_LINKS_H

#include "base/arena.h"
#include "base/json.h"

/* After objects that were moved have been found. */
void cxx_links_leave_out(struct arena *arena, const json_t *compiles, json_t *links);

#endif
