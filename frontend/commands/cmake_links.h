/* SPDX-License-Identifier: Apache-2.0
 *
 * What a build directory of CMake links: its compile database does not tell, but what CMake wrote
 * for make or ninja does.
 */
#pragma once

#include "frontend/commands/compile_commands.h"

/* Adds to the links of commands whose compiles have been read. Where the database is not in a build
 * directory of CMake nothing is added. */
int cmake_links_read(struct commands *out, struct error *error);
