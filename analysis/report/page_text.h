/* SPDX-License-Identifier: Apache-2.0
 *
 * A document in a terminal: the same chapters, notices and tables. Figures are left out, for tables
 * beside them say the same. Characters that steer a terminal become question marks.
 */
#pragma once

#include "analysis/report/document.h"
#include "base/str.h"

#include <stddef.h>

/* `top`: rows of each table; the number of the others is told. */
void page_text_add(struct str *out, const struct document *document, size_t top);
