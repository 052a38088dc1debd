/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a call comes from: the addresses of the stack (libunwind), as a frame of the trace's tree.
 * Stacks that were seen before are found by where they lie (recorder_stacks.c), else by a hash of
 * their addresses. Frames of this library and
 * of MPI's (that of Fortran among them) at the inner end are left out.
 *
 * A stack of more than MOST_FRAMES frames, as of a deep recursion, is cut at its outer end.
 */
#include "runtime/record/recorder.h"

#include "analysis/writer/trace_calls.h"
#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"

#include <dlfcn.h>
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_FRAMES 128
#define MOST_NAME 512 /* bytes of a function's name: of templates they may have thousands */

struct known_stack {
    struct trace_node node;
    uint32_t frame;
    char *place;
    uint64_t last_caller; /* frame of who called when it was last unwound */
};

static const struct trace_calls *calls;
static struct trace_writer *writer;
static struct trace_table stacks;
static uint64_t own_first, own_end;
static int64_t learning_ns;

int64_t bsim__record_learning_ns(void) {
    return learning_ns;
}

void bsim__record_paths_start(const struct trace_calls *of, struct trace_writer *to) {
    struct bsim__record_module *own =
        bsim__record_module_at((uint64_t)(uintptr_t)&bsim__record_paths_start);
    calls = of;
    writer = to;
    own_first = own != NULL ? own->first : 0;
    own_end = own != NULL ? own->end : 0;
}

/* Names of C++ as people write them, by the program's own library for C++. It stays until the next
 * call. */
static const char *readable(const char *name) {
    static char *(*demangle)(const char *, char *, size_t *, int *);
    static char text[MOST_NAME];
    static bool is_known;
    void *symbol = is_known ? NULL : dlsym(RTLD_DEFAULT, "__cxa_demangle");
    if (!is_known)
        memcpy(&demangle, &symbol, sizeof demangle);
    is_known = true;
    char *own =
        demangle != NULL && strncmp(name, "_Z", 2) == 0 ? demangle(name, NULL, NULL, NULL) : NULL;
    if (own == NULL)
        return name;
    snprintf(text, sizeof text, "%s", own);
    free(own);
    return text;
}

/* The address behind a call that does not return may be another function's. */
static const char *function_at(struct bsim__record_module *module, uint64_t address,
                               uint64_t *distance) {
    const char *function =
        module != NULL ? bsim__record_function_at(module, address - 1 - module->base, distance)
                       : NULL;
    *distance += 1;
    return function != NULL ? readable(function) : NULL;
}

static uint32_t add_frame(uint32_t parent, uint64_t address) {
    struct bsim__record_module *module = bsim__record_module_at(address);
    uint64_t ignored = 0;
    const char *function = function_at(module, address, &ignored);
    struct trace_module of = {module != NULL ? module->name : "?",
                              module != NULL ? module->build_id : ""};
    struct trace_frame frame = {.parent = parent,
                                .module = calls->trace_writer_module(writer, &of),
                                .offset = module != NULL ? address - module->base : 0,
                                .function = function != NULL ? function : ""};
    return calls->trace_writer_frame(writer, &frame);
}

/* NULL: out of memory. */
static char *place_of(uint64_t address) {
    struct bsim__record_module *module = bsim__record_module_at(address);
    uint64_t offset = 0;
    const char *function = function_at(module, address, &offset);
    const char *name = function != NULL ? function : module != NULL ? module->name : "?";
    if (function == NULL && module != NULL)
        offset = address - module->base;
    char *text = malloc(strlen(name) + 24);
    if (text != NULL)
        sprintf(text, "%s+0x%llx", name, (unsigned long long)offset);
    return text;
}

const char *bsim__record_place(uint64_t address) {
    static struct {
        uint64_t address;
        char *text;
    } known[1024]; /* as many call sites as programs of some 100,000 lines have */
    size_t slot = trace_mix(0, address) % (sizeof known / sizeof *known);
    if (known[slot].text != NULL && known[slot].address == address)
        return known[slot].text;
    free(known[slot].text);
    known[slot].address = address;
    known[slot].text = place_of(address);
    return known[slot].text != NULL ? known[slot].text : "?";
}

static struct known_stack *new_stack(void *const *frames, int first, int count, uint64_t hash) {
    struct known_stack *stack = calloc(1, sizeof *stack);
    if (stack == NULL)
        return NULL;
    for (; first < count - 1; first++) {
        struct bsim__record_module *module =
            bsim__record_module_at((uint64_t)(uintptr_t)frames[first]);
        if (module == NULL || !module->is_mpi)
            break;
    }
    for (int i = count; i-- > first;)
        stack->frame = add_frame(stack->frame, (uint64_t)(uintptr_t)frames[i]);
    stack->place = count > first ? place_of((uint64_t)(uintptr_t)frames[first]) : NULL;
    if (trace_table_add(&stacks, &stack->node, hash))
        return stack;
    free(stack->place);
    free(stack);
    return NULL;
}

/* By unwinding. NULL: out of memory. */
static struct known_stack *unwind(const struct bsim__record_caller *caller) {
    void *frames[MOST_FRAMES];
    int count = unw_backtrace(frames, MOST_FRAMES), first = 0;
    while (first < count && (uint64_t)(uintptr_t)frames[first] >= own_first &&
           (uint64_t)(uintptr_t)frames[first] < own_end)
        first++;
    uint64_t hash = 0;
    for (int i = first; i < count; i++)
        hash = trace_mix(hash, (uint64_t)(uintptr_t)frames[i]);
    struct known_stack *stack = (void *)trace_table_find(&stacks, hash);
    if (stack == NULL) {
        int64_t begin_ns = bsim__record_cpu_ns();
        stack = new_stack(frames, first, count, hash);
        learning_ns += bsim__record_cpu_ns() - begin_ns;
    }
    /* Only where it comes back: to remember one takes longer than to unwind it. */
    if (stack != NULL && caller != NULL && stack->last_caller == caller->frame)
        bsim__record_stack_remember(caller, frames + first, count - first, stack);
    if (stack != NULL && caller != NULL)
        stack->last_caller = caller->frame;
    return stack;
}

uint32_t bsim__record_path(const char **place, const struct bsim__record_caller *caller) {
    const struct known_stack *stack = caller != NULL ? bsim__record_stack_find(caller) : NULL;
    if (stack == NULL)
        stack = unwind(caller);
    *place = stack != NULL && stack->place != NULL ? stack->place : "";
    return stack != NULL ? stack->frame : 0;
}
