/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of a rank's communicators have a topology, as the program makes and frees them.
 */
#pragma once

#include "runtime/smpi/topologies.h"

/* Remembers it for the current rank, with all that it points to. */
void kept_topologies_add(const struct topology *topology);
int *kept_topologies_numbers(const int *numbers, int count); /* a copy; NULL: NULL */

/* Between bsim__enter and bsim__leave, before and after the call: communicators that it frees; that
 * it makes with a grid or copies. */
void bsim__kept_topologies_forget(const struct bsim__call *call);
void bsim__kept_topologies_note(const struct bsim__call *call);
