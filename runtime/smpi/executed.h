/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank it is that SimGrid is executing. Stubs and all calls ask, several times each, so the
 * rank is told by SimGrid's own variable for what its thread executes, which is read with the
 * initial executable model: one instruction, where sg_actor_self() takes four calls. A SimGrid
 * without it (BSIM__CONTEXT is not defined, runtime/CMakeLists.txt) is asked.
 */
#pragma once

#ifdef BSIM__CONTEXT
extern _Thread_local void *bsim__context __asm__(BSIM__CONTEXT)
    __attribute__((tls_model("initial-exec")));

/* Differs between ranks; NULL: of no rank. */
static inline const void *bsim__executed(void) {
    return bsim__context;
}
#else
#include <simgrid/actor.h>

static inline const void *bsim__executed(void) {
    return sg_actor_self();
}
#endif
