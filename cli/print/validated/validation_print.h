/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of `mpiskel validate`.
 */
#pragma once

#include "base/output_format.h"
#include "simulator/prediction/validation.h"

#include <stdio.h>

/* `top`: rows of a table in text. */
void validation_print(FILE *out, const struct validation *validation, enum output_format format,
                      size_t top);
