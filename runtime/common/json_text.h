/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts as JSON, where no library for that is.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* A string, bytes beyond ASCII escaped each. */
void bsim__json_string(FILE *out, const char *text);

/* The program's arguments as a list, from the system, since MPI_Init may get none. */
void bsim__json_arguments(FILE *out);

/* The processor's name as the system tells it, or an empty string. */
void bsim__json_processor(FILE *out);

/* The header of a trace of a real run, as far as all of them have it; the caller goes on with
 * members of its own, and ends it. */
void bsim__json_begin_trace(FILE *out, int ranks, bool has_details);
