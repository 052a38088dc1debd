/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and types: what each part of an expression is, and whether it may stand there.
 */
#pragma once

#include "analysis/events/events_program.h"

/* Fills `result`, `shape` and what a node names. -1: the script has a message. Constants become
 * values. */
int check_expression(struct events_program *program, struct syntax *node);

/* May a value of that type go where `wanted` is needed? Tells what is lost or wrong there. */
int check_conversion(struct events_program *program, const struct syntax *node,
                     enum event_type wanted);

/* Is it a number? What a filter or a condition needs; `what` names it. */
int check_truth(struct events_program *program, const struct syntax *node, const char *what);

/* For calls that are not element by element; check_builtin.c. */
int check_builtin(struct events_program *program, struct syntax *node);
