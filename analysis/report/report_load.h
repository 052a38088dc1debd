/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads what a report is made of: a bundle, then files of any number and order, which are told
 * apart by what is in them.
 *
 *   traces, and reports of `mpiskel run`: runs. A trace joins the run with its ranks and
 *     arguments that ends when it does.
 *   reports of `mpiskel scale`, `whatif`, `validate`: one of each
 */
#pragma once

#include "analysis/report/report_input.h"

/* The bundle with the models that were fitted last, if there are any. *out is the caller's
 * (report_dispose), after -1 too. */
int report_open(struct report_input *out, const char *bundle, struct error *error);
/* The same of a trace alone, such as that of a recording. */
int report_open_without_bundle(struct report_input *out, const char *path, struct error *error);
void report_dispose(struct report_input *input);

int report_add_file(struct report_input *input, const char *path, struct error *error);

/* A prediction as JSON; takes the reference. `name`: for people. `path`: where it came from. */
int report_add_prediction(struct report_input *input, json_t *prediction, const char *name,
                          const char *path, struct error *error);
int report_add_trace(struct report_input *input, const char *name, const char *path,
                     struct error *error);
