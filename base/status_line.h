/* SPDX-License-Identifier: Apache-2.0
 *
 * The line at the bottom of a terminal that long work overwrites in place, and rows of tables that
 * are cut to the terminal's width. What is no terminal gets no such line, and whole rows.
 *
 * Notes and errors (error.h) wipe the line first. Programs that write to the terminal themselves
 * do not.
 */
#pragma once

#include <stdio.h>

/* Until then the line is shown where stderr is a terminal. */
void status_line_switch_off(void);

/* Shows the text instead of what was there, on one line. */
void status_line_show(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Wipes the line, so that something else can be printed there; nothing where there is none. */
void status_line_hide(void);

/* Prints the text and a newline; "..." in place of what does not fit into the terminal's width. */
void row_print(FILE *out, const char *text);
