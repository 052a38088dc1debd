/* SPDX-License-Identifier: Apache-2.0
 *
 * Spares SMPI from timing what is not simulated. Loaded with runtime/messages.c.
 *
 * SMPI reads the thread's processor time, a system call, when a rank leaves an MPI call and when it
 * enters the next, even where smpi/simulate-computation is off, as for skeletons, and nobody asks
 * what came out. xbt_os_threadtimer_start() and _stop() here, under SimGrid's own names, do nothing
 * then. All is as it was from the first loop on that the program has measured by SMPI
 * (SMPI_SAMPLE_LOCAL: the call comes from inside smpi_sample_cond), and with a SimGrid that is not
 * of the version that was read for this.
 */
#include "runtime/interpose.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

typedef void (*timer_call)(void *timer);
typedef int (*boolean_call)(const char *setting);

static timer_call original_start, original_stop;
static boolean_call ask;
static uintptr_t sampler, sampler_bytes; /* machine code */
static enum { NOT_ASKED, TIMED, UNTIMED } state;

/* Where starts that were spared are counted; NULL: nowhere. */
uint64_t *bsim__untimed_count __attribute__((visibility("hidden")));

void bsim__start_timer(void *timer) __asm__("xbt_os_threadtimer_start");
void bsim__stop_timer(void *timer) __asm__("xbt_os_threadtimer_stop");

static void find_sampler(void) {
    void *code = dlsym(RTLD_NEXT, "smpi_sample_cond");
    Dl_info info;
    const ElfW(Sym) *symbol = NULL;
    if (code != NULL && dladdr1(code, &info, (void **)&symbol, RTLD_DL_SYMENT) != 0 &&
        symbol != NULL) {
        sampler = (uintptr_t)code;
        sampler_bytes = symbol->st_size;
    }
}

__attribute__((constructor)) static void begin(void) {
    interpose_look_up(&original_start, "xbt_os_threadtimer_start");
    interpose_look_up(&original_stop, "xbt_os_threadtimer_stop");
    interpose_look_up(&ask, "sg_cfg_get_boolean");
    find_sampler();
    if (!interpose_is_known_version() || sampler_bytes == 0 || ask == NULL)
        state = TIMED;
}

/* The settings are known when the first rank starts. */
static int is_timed(void) {
    if (state == NOT_ASKED)
        state = ask("smpi/simulate-computation") ? TIMED : UNTIMED;
    return state == TIMED;
}

void bsim__start_timer(void *timer) {
    if (state == UNTIMED && (uintptr_t)__builtin_return_address(0) - sampler < sampler_bytes)
        state = TIMED;
    if (is_timed())
        original_start(timer);
    else if (bsim__untimed_count != NULL)
        ++*bsim__untimed_count;
}

void bsim__stop_timer(void *timer) {
    if (is_timed())
        original_stop(timer);
}
