/* SPDX-License-Identifier: Apache-2.0
 *
 * Text inside XML: elements and attributes.
 */
#pragma once

#include "base/str.h"

/* Appends the text with `<`, `>`, `&` and `"` as entities; control characters, which XML cannot
 * hold, become question marks. */
void xml_escape(struct str *out, const char *text);
