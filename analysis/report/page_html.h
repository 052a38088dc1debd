/* SPDX-License-Identifier: Apache-2.0
 *
 * A document as one HTML page that needs nothing but itself: style, scripts and data are in it, and
 * its content security policy forbids any request. Tables are there without scripts; each number
 * has its full digits in `data-v`. Texts are escaped, also inside the JSON of figures.
 */
#pragma once

#include "analysis/report/document.h"
#include "base/error.h"
#include "base/str.h"

/* Adds the page to *out; -1: its style or scripts are not installed. */
int page_html_add(struct str *out, const struct document *document, struct error *error);
