/* SPDX-License-Identifier: Apache-2.0
 *
 * The host computes what is pending, then enqueues or waits. Waiting is sleeping until the end that
 * is foreseen, and again where another rank of the device has come between.
 *
 * Not handled: a rank that waits although its operation, since others were enqueued meanwhile, ends
 * earlier than was foreseen: it sleeps on until that time.
 */
#include "runtime/devices/simulated_device.h"

#include "model/eval/eval.h"
#include "runtime/devices/traced_devices.h"
#include "runtime/smpi/runtime.h"

#define BSIM_SKELETON
#define BSIM_NO_MACROS
#include "bsim_calls.h"
#include "runtime/include/bsim.h"

#include <math.h>
#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the model is asked for, as a stub in the program's text would ask. */
struct timed {
    struct timed *next;
    const char *what, *kernel;
    bool is_given; /* by BSIM_DEVICE, and no model is asked */
    double given_s, given_s_per_byte;
    struct {
        struct bsim_stub stub;
        double values[1 + BSIM__KERNEL_FEATURES];
    } place;
    char file[256];
};

static _Thread_local struct timed *all_timed; /* of this rank */

/* ---- What it takes ---- */

/* Of "launch=2e-05 0;copy to=1e-06 1e-10". */
static void take_given(struct timed *timed) {
    const char *text = getenv("BSIM_DEVICE");
    size_t length = strlen(timed->what);
    for (; text != NULL; text = strchr(text, ';') != NULL ? strchr(text, ';') + 1 : NULL)
        if (strncmp(text, timed->what, length) == 0 && text[length] == '=')
            timed->is_given = sscanf(text + length + 1, "%lf %lf", &timed->given_s,
                                     &timed->given_s_per_byte) == 2;
}

static struct timed *new_timed(const char *what, const char *kernel) {
    struct bsim__operation_region region = bsim__operation_region(what, kernel);
    struct timed *timed = bsim__grow(NULL, 0, sizeof *timed);
    timed->what = what;
    timed->kernel = kernel;
    strcpy(timed->file, region.file);
    timed->place.stub = (struct bsim_stub){.latency_s = -1,
                                           .value_count = 1 + region.feature_count,
                                           .line = region.line,
                                           .file = timed->file};
    timed->place.values[0] = region.region;
    timed->place.stub.own = bsim__stub_own(&timed->place.stub);
    take_given(timed);
    timed->next = all_timed;
    return all_timed = timed;
}

static struct timed *find_timed(const char *what, const char *kernel) {
    for (struct timed *timed = all_timed; timed != NULL; timed = timed->next)
        if (strcmp(timed->what, what) == 0 && strcmp(timed->kernel, kernel) == 0)
            return timed;
    return new_timed(what, kernel);
}

/* Of one more execution. In the trace only set-ups are regions: the rest is not what the rank
 * computes. */
static double asked_s(struct bsim_stub *stub, const double *values, bool is_traced) {
    struct bsim__rank *rank = bsim__current_rank();
    struct bsim__traced_rank *traced = rank->traced;
    bool is_same = stub->executions < stub->good_for;
    for (int i = 1; i < stub->value_count; i++)
        is_same = is_same && BSIM__VALUES(stub)[i] == values[i];
    rank->traced = is_traced ? traced : NULL;
    if (!is_same)
        bsim__stub_evaluate(stub, values);
    rank->traced = traced;
    stub->executions++;
    return stub->latency_s;
}

double bsim__simulated_latency_s(struct bsim_stub *stub, const double *values) {
    if (stub->own == NULL)
        bsim__stub_own(stub);
    return asked_s(stub, values, false);
}

static double latency_s(struct timed *timed, const double *features) {
    struct bsim_stub *stub = &timed->place.stub;
    double values[1 + BSIM__KERNEL_FEATURES] = {timed->place.values[0]};
    for (int i = 1; i < stub->value_count; i++)
        values[i] = features[i - 1];
    return asked_s(stub, values, strcmp(timed->what, "set-up") == 0);
}

static double duration_s(const struct bsim__operation *operation) {
    if (operation->kind >= BSIM__MARKER)
        return 0;
    struct timed *timed = find_timed(bsim__operation_what(operation->kind), operation->kernel);
    if (timed->place.values[0] < 0)
        bsim__stop("%s: error: no kernel of this name was found in the sources: '%s'; run `mpiskel "
                   "generate` again",
                   operation->function, operation->kernel);
    if (timed->is_given)
        return bsim__shared()->charges_latencies
                   ? timed->given_s + timed->given_s_per_byte * operation->features[0]
                   : 0;
    return latency_s(timed, operation->features);
}

/* The host's part in it. What no profiling run has seen, such as the gap between operations of a
 * program that waits for each, takes no time. */
static double constant_s(const char *what, const char *of) {
    struct timed *timed = find_timed(what, of);
    int region = (int)timed->place.values[0];
    if (!bsim__shared()->charges_latencies)
        return 0;
    if (timed->is_given)
        return timed->given_s;
    if (region < 0 || bsim_model_region(bsim__model(&timed->place.stub), region) == NULL)
        return 0;
    return latency_s(timed, NULL);
}

/* ---- Devices ---- */

static int number_of_environment(const char *name, int most) {
    const char *text = getenv(name);
    if (text == NULL || text[0] == '\0')
        return 1;
    char *end;
    long number = strtol(text, &end, 10);
    if (*end != '\0' || number < 1 || number > most)
        bsim__stop("mpiskel: error: %s is '%s'; give a number from 1 to %d", name, text, most);
    return (int)number;
}

static void end_devices(void) {
    struct bsim__shared *shared = bsim__shared();
    for (int i = 0; i < shared->device_count; i++)
        if (shared->devices[i] != NULL)
            bsim__device_end(shared->devices[i]);
}

static struct device *own_device(void) {
    struct bsim__shared *shared = bsim__shared();
    int sharing = number_of_environment("BSIM_RANKS_PER_DEVICE", 1 << 20);
    int index = (int)(sg_actor_self_get_pid() - 1) / sharing;
    if (index >= shared->device_count) {
        int count = index + index / 2 + 16;
        size_t size = sizeof *shared->devices;
        shared->devices =
            bsim__grow(shared->devices, (size_t)shared->device_count * size, (size_t)count * size);
        shared->device_count = count;
    }
    if (shared->devices[index] == NULL) {
        shared->devices[index] = bsim__grow(NULL, 0, sizeof(struct device));
        shared->devices[index]->engine_count =
            number_of_environment("BSIM_DEVICE_ENGINES", DEVICE_ENGINES_MOST);
        shared->devices[index]->blocks = getenv("BSIM_DEVICES_BLOCK") != NULL;
        shared->devices[index]->number = index;
        shared->devices[index]->begun = bsim__traced_begun;
        shared->end_devices = end_devices;
    }
    return shared->devices[index];
}

struct device_queue *bsim__simulated_queue(bool is_in_order) {
    return bsim__device_queue_new(own_device(), is_in_order);
}

/* ---- The host ---- */

double bsim__simulated_now_s(void) {
    struct bsim__rank *rank = bsim__current_rank();
    bsim__charge_rank(rank);
    return simgrid_get_clock() + rank->remainder_s;
}

static void host_is_in_call(double seconds) {
    struct bsim__rank *rank = bsim__current_rank();
    rank->device_s += seconds;
    bsim__sleep(rank, seconds);
}

static enum device_engine engine_of(enum bsim__operation_kind kind) {
    return kind == BSIM__COPY_TO     ? DEVICE_TO
           : kind == BSIM__COPY_FROM ? DEVICE_FROM
                                     : DEVICE_KERNELS;
}

/* Libraries may compile a kernel for its sizes, in the call or on the device. */
static double enqueue_s(const struct bsim__operation *what) {
    return what->is_first ? constant_s("first enqueue", what->kernel) : constant_s("enqueue", "");
}

static double launch_s(const struct bsim__operation *what) {
    if (what->kind >= BSIM__MARKER)
        return 0;
    return what->is_first ? constant_s("first launch", what->kernel) : constant_s("launch", "");
}

double bsim__set_up_begin(const char *function) {
    (void)function;
    return 0;
}

void bsim__set_up_end(const char *function, double begin_s) {
    (void)begin_s;
    bsim__own.pending_s += constant_s("set-up", function);
}

struct device_operation *bsim__simulated_operation(const struct bsim__operation *what,
                                                   struct device_queue *queue) {
    return bsim__simulated_timed(what, queue, duration_s(what));
}

struct device_operation *bsim__simulated_timed(const struct bsim__operation *what,
                                               struct device_queue *queue, double takes_s) {
    struct device_operation operation = {.engine = -1, .duration_s = takes_s};
    if (what->kind < BSIM__MARKER) {
        operation.engine = bsim__device_engine(queue->device, engine_of(what->kind));
        operation.gap_s = constant_s("gap", "");
    }
    bsim__simulated_now_s();
    host_is_in_call(enqueue_s(what));
    double now_s = bsim__simulated_now_s();
    operation.launched_s = now_s + launch_s(what);
    operation.after = (struct device_operation **)(uintptr_t)what->wait_for;
    operation.after_count = what->wait_count;
    operation.note = bsim__traced_note_of(what);
    return bsim__device_enqueue(&operation, queue, now_s, what->kind == BSIM__BARRIER);
}

static double wait_until_end(struct device_operation *operation, struct device_queue *queue) {
    double slept_s = 0;
    for (;;) {
        double now_s = bsim__simulated_now_s();
        double end_s = operation != NULL ? bsim__device_operation_end_s(operation, now_s)
                                         : bsim__device_queue_end_s(queue, now_s);
        if (end_s <= now_s + bsim__shared()->precision_s)
            break;
        host_is_in_call(end_s - now_s);
        slept_s += end_s - now_s;
    }
    if (slept_s > 0)
        host_is_in_call(constant_s(bsim__wake_what(slept_s), ""));
    return slept_s;
}

double bsim__simulated_wait(struct device_operation *operation) {
    return wait_until_end(operation, NULL);
}

double bsim__simulated_finish(struct device_queue *queue) {
    return wait_until_end(NULL, queue);
}
