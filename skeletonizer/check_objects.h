/* SPDX-License-Identifier: Apache-2.0
 *
 * Objects of Fortran, of an assembler or of data, which are linked as they are: whether what they
 * do is known well enough. They lie nearer to the program than libraries.
 */
#pragma once

#include "frontend/commands/link_arguments.h"
#include "frontend/program/program.h"
#include "skeletonizer/binutils.h"

/* Errors of what is compiled, not from C, by the command that links it. */
void check_objects_sources(struct program *program, const struct commands *commands,
                           const struct link_command *link);

/* Appends those that can stay. Of others errors are printed and counted. */
void check_objects(link_objects *out, struct program *program, const struct binutils *binutils,
                   const struct commands *commands, const struct link_command *link);
