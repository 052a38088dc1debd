/* SPDX-License-Identifier: Apache-2.0
 *
 * SMPI's clock of what a rank computes: spared where nobody asks for it, exact where somebody does.
 * Loaded with runtime/preload/count_messages.c.
 *
 * SMPI reads the thread's processor time, a system call, when a rank leaves an MPI call and when it
 * enters the next, even where smpi/simulate-computation is off, as for skeletons, and nobody asks
 * what came out. xbt_os_threadtimer_start() and _stop() here, under SimGrid's own names, do nothing
 * then. All is as it was from the first loop on that the program has measured by SMPI
 * (SMPI_SAMPLE_LOCAL: the call comes from inside smpi_sample_cond), and with a SimGrid that is not
 * of the version that was read for this.
 *
 * For originals (runtime/original/rank_clock.h): a rank's clock stands while MPI, and what mpiskel
 * notes about the call, is at work. SMPI alone stops it some way into its call and starts it again
 * before it leaves, which took 0.4 us of simulated time per call on 64 ranks. And the clock can be
 * read without telling SMPI, which would first simulate what was computed, so that other ranks take
 * their turns, and caches, in between. What of a burst does not count is subtracted where SMPI
 * reads the timer: what others disturbed (runtime/preload/bursts.h), and what an empty burst would
 * take, since to read the processor's time is a system call (0.5 us on a virtual machine; plu's
 * ranks on 64 of them have 3,000 bursts, most of them shorter than that). Profiling runs subtract
 * theirs as well.
 */
#include "runtime/common/idle_machine.h"
#include "runtime/common/reference.h"
#include "runtime/original/rank_clock.h"
#include "runtime/preload/bursts.h"
#include "runtime/preload/interpose.h"

#include <dlfcn.h>
#include <link.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Ranks that are inside calls which SMPI lets others compute in without stopping the clock. */
#define RANKS_HELD 1024
#define EMPTY_TRIALS 201
#define AT_CLOCK UINT64_MAX /* where a burst has ended that ended in no call */

typedef void (*timer_call)(void *timer);
typedef int (*boolean_call)(const char *setting);
typedef double (*timer_reader)(const void *timer);
typedef void *(*timer_maker)(void);

static timer_call original_start, original_stop, original_resume, free_timer;
static timer_maker make_timer;
static timer_reader elapsed_s;
static boolean_call ask;
static uintptr_t sampler, sampler_bytes; /* machine code */
static enum { NOT_ASKED, TIMED, UNTIMED } state;
static bool is_known;
static bool is_sampled;     /* the program has measured loops by SMPI: it is left alone */
static void *current;       /* timer: of the rank that computes, or computed last */
static double begun_s;      /* what that timer had when the rank's burst began */
static double empty_s = -1; /* what an empty burst takes; below 0: not measured yet */
/* Timers: of ranks in calls in which SMPI has not stopped them yet. */
static void *held[RANKS_HELD];
static size_t held_count;
/* What does not count of what timers have. */
static struct spared {
    const void *timer;
    double seconds;
} *spared;
static size_t spared_count, spared_capacity;

/* Where starts that were spared are counted, and where the machine's speed (reference.h) and what
 * it disturbed are told; NULL: nowhere. */
uint64_t *bsim__untimed_count __attribute__((visibility("hidden")));
double *bsim__untimed_reference_s __attribute__((visibility("hidden")));
struct bsim__bursts *bsim__untimed_bursts __attribute__((visibility("hidden")));

void bsim__start_timer(void *timer) __asm__("xbt_os_threadtimer_start");
void bsim__stop_timer(void *timer) __asm__("xbt_os_threadtimer_stop");
double bsim__read_timer(const void *timer) __asm__("xbt_os_timer_elapsed");

__attribute__((constructor)) static void begin(void) {
    interpose_look_up(&original_start, "xbt_os_threadtimer_start");
    interpose_look_up(&original_stop, "xbt_os_threadtimer_stop");
    interpose_look_up(&original_resume, "xbt_os_threadtimer_resume");
    interpose_look_up(&elapsed_s, "xbt_os_timer_elapsed");
    interpose_look_up(&make_timer, "xbt_os_timer_new");
    interpose_look_up(&free_timer, "xbt_os_timer_free");
    interpose_look_up(&ask, "sg_cfg_get_boolean");
    sampler_bytes = interpose_find_code(&sampler, "smpi_sample_cond");
    is_known = interpose_is_known_version() && sampler_bytes != 0 && ask != NULL;
    if (!is_known)
        state = TIMED;
}

/* The settings are known when the first rank starts. */
static int is_timed(void) {
    if (state == NOT_ASKED)
        state = ask("smpi/simulate-computation") ? TIMED : UNTIMED;
    return state == TIMED;
}

static bool spare_more(void) {
    size_t capacity = spared_capacity > 0 ? 2 * spared_capacity : 64;
    struct spared *larger = realloc(spared, capacity * sizeof *larger);
    if (larger == NULL)
        return false;
    spared = larger;
    spared_capacity = capacity;
    return true;
}

static void spare(const void *timer, double seconds) {
    size_t i = 0;
    while (i < spared_count && spared[i].timer != timer)
        i++;
    if (i == spared_count) {
        if (spared_count == spared_capacity && !spare_more())
            return; /* it counts in full */
        spared[spared_count++] = (struct spared){.timer = timer};
    }
    spared[i].seconds += seconds;
}

static void forget_spared(const void *timer) {
    for (size_t i = 0; i < spared_count; i++)
        if (spared[i].timer == timer) {
            spared[i] = spared[--spared_count];
            return;
        }
}

double bsim__read_timer(const void *timer) {
    double seconds = elapsed_s(timer);
    for (size_t i = 0; i < spared_count; i++)
        if (spared[i].timer == timer)
            seconds -= spared[i].seconds;
    return seconds;
}

void bsim__start_timer(void *timer) {
    forget_spared(timer);
    begun_s = 0;
    if ((uintptr_t)__builtin_return_address(0) - sampler < sampler_bytes) {
        state = TIMED;
        is_sampled = true;
    }
    current = timer;
    if (is_timed())
        original_start(timer);
    else if (bsim__untimed_count != NULL)
        ++*bsim__untimed_count;
}

static bool take_held(const void *timer) {
    for (size_t i = held_count; i-- > 0;)
        if (held[i] == timer) {
            held[i] = held[--held_count];
            return true;
        }
    return false;
}

void bsim__stop_timer(void *timer) {
    if (is_timed() && !take_held(timer))
        original_stop(timer);
}

/* ---- For originals ---- */

static bool is_read(void) {
    return is_known && !is_sampled && current != NULL && is_timed();
}

static double measured_empty_s(void) {
    double trials[EMPTY_TRIALS];
    void *timer = make_timer != NULL && free_timer != NULL ? make_timer() : NULL;
    if (timer == NULL)
        return 0;
    for (int i = 0; i < EMPTY_TRIALS; i++) {
        original_start(timer);
        original_stop(timer);
        trials[i] = elapsed_s(timer);
    }
    free_timer(timer);
    return bsim__median(trials, EMPTY_TRIALS);
}

static void note_burst(int rank, uint64_t place) {
    if (empty_s < 0)
        empty_s = measured_empty_s();
    double seconds = fmax(elapsed_s(current) - begun_s - empty_s, 0);
    double counted_s = seconds - bsim__burst_ended(rank, place, seconds);
    spare(current, elapsed_s(current) - begun_s - counted_s);
    bsim__reference_computed(seconds);
    if (bsim__untimed_reference_s != NULL)
        *bsim__untimed_reference_s = bsim__reference_s();
    if (bsim__untimed_bursts != NULL)
        *bsim__untimed_bursts = bsim__bursts;
}

void *bsim_burst_end(int rank, uint64_t place) {
    if (!is_read() || held_count == RANKS_HELD)
        return NULL;
    original_stop(current);
    note_burst(rank, place);
    held[held_count++] = current;
    return current;
}

void bsim_burst_begin(void *timer) {
    bsim__idle_machine_wait();
    if (take_held(timer)) {
        current = timer;
        begun_s = elapsed_s(timer); /* SMPI has not asked for it in this call */
        original_resume(timer);
    } else
        bsim__start_timer(timer);
}

double bsim_burst_clock_s(int rank) {
    if (!is_read())
        return -1;
    original_stop(current);
    if (!bsim__bursts_matter())
        return fmax(bsim__read_timer(current) - fmax(empty_s, 0), 0);
    note_burst(rank, AT_CLOCK);
    double seconds = fmax(bsim__read_timer(current), 0);
    bsim__idle_machine_wait();
    begun_s = elapsed_s(current);
    original_resume(current);
    return seconds;
}
