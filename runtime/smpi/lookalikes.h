/* SPDX-License-Identifier: Apache-2.0
 *
 * Datatypes that SimGrid need not tell apart.
 */
#pragma once

#include "runtime/smpi/runtime.h"

/* Before a call, when it has been recorded: puts one datatype for all that look alike. */
void bsim__lookalikes_show(struct bsim__call *call);

/* After it: frees datatypes that were made for the call. */
void bsim__lookalikes_forget(struct bsim__call *call);
