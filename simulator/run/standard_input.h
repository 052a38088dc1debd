/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tool itself is given on standard input, for each of the runs that it makes: `verify`
 * simulates the original and the skeleton, and both ask for the same answers.
 */
#pragma once

#include "base/process.h"

/* Sets input and input_offset for a run of this program. A file is read by each run from where it
 * stands. What comes out of a pipe is kept where `several` runs want the same, if the program reads
 * standard input at all (its symbols tell): this waits for the end of the pipe, and says so.
 * Otherwise the run inherits what there is: terminals, pipes on which nothing comes, files that
 * cannot be opened once more. -1: interrupted, or there is too much to be kept. */
int standard_input_set(struct process_options *options, const char *program, bool several,
                       struct error *error);

/* Whether that program does, by its symbols; false: it cannot be read. */
bool standard_input_is_read(const char *program);
