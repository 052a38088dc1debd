/* SPDX-License-Identifier: Apache-2.0
 *
 * The program of a synthesised bundle: each rank makes the calls that the model says.
 *
 * In: the model's text, which `synthesize` links into the skeleton; arguments NAME=VALUE, one for
 * each parameter. Out: MPI calls, in front of them the latencies of the bundle's regions. Calls are
 * at the file that is their call path, line 0.
 */
#pragma once

#include <stddef.h>

/* What main returns. Stops the simulation where arguments or model cannot be used, or calls do not
 * fit together. */
int bsim__synthesis_main(int argc, char **argv, const char *text, size_t length);
