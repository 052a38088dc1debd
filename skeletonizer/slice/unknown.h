/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells of each function without source and without a row in externs.def, once, with the row that
 * its prototype suggests, ready to be put into the hints.
 */
#pragma once

#include "frontend/program/program.h"

void unknown_report(struct program *program);
