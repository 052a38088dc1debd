/* SPDX-License-Identifier: Apache-2.0
 *
 * What a simulated rank has for itself that stubs need each time; one object, since each access to
 * thread-local variables is a call (runtime/smpi/private.c).
 */
#ifndef BSIM_OWN_H
#define BSIM_OWN_H

#ifdef __cplusplus
#define BSIM__PRIVATE __thread
#else
#define BSIM__PRIVATE _Thread_local
#endif

struct bsim__own {
    double pending_s; /* computation not yet charged to the simulated clock */
    int kept_depth;  /* kept computations being executed: the outermost was charged for all of it */
    int last_region; /* that was executed; -1: none was */
    struct bsim__rank *rank;
};
extern BSIM__PRIVATE struct bsim__own bsim__own __attribute__((visibility("hidden")));

/* Where no access is left, clang still says that the object is hidden, but not that it is
 * thread-local, and the linker refuses that. */
#if defined __clang__ && defined __ELF__
__asm__(".type bsim__own, STT_TLS");
#endif

/* Originals: whether regions take what the models say (BSIM_LATENCIES). */
extern int bsim__takes_latencies __attribute__((visibility("hidden")));

#endif
