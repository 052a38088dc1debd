/* SPDX-License-Identifier: Apache-2.0
 *
 * The assumption no-abnormal-exit: error checks do not fire. Code from which every way on ends in
 * an error exit, or a longjmp, is taken as never executed, so the checks in front of it are no
 * criteria.
 */
#pragma once

#include "frontend/program/program.h"

/* MPI_Abort, exit, abort and their kin, whatever the status. */
bool exits_program(const struct call *call);

/* MPI_Abort, abort, a failed assertion, exit with a constant other than 0. */
bool exits_is_abnormal(const struct call *call);

/* Sets ends_abnormally of all nodes; backwards from the exits, through functions that never return.
 */
void exits_mark(struct program *program);
