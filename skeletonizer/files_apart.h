/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the assumption files-apart may be wrong: files that are opened for reading when they, or
 * what was renamed to them, may have been written by the program itself.
 */
#pragma once

#include "skeletonizer/slice/slice.h"

/* Warns of each of them, with its place and that of the first that may have written it. */
void files_apart_report(const struct slice *slice);
