/* SPDX-License-Identifier: Apache-2.0
 *
 * The report that people look at: all chapters in order, as a page or for a terminal.
 */
#pragma once

#include "analysis/report/document.h"
#include "analysis/report/report_input.h"

/* *out is the caller's (document_dispose); it borrows texts of the input. */
void report_compose(struct document *out, const struct report_input *input);

/* Writes the page; a file that was there stays if anything fails. */
int report_write_page(const char *path, const struct report_input *input, struct error *error);
