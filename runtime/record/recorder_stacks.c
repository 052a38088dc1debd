/* SPDX-License-Identifier: Apache-2.0
 *
 * Stacks that were seen before, without unwinding them, which is most of what recording a call
 * takes: in loops the same function calls from the same place with its frame at the same address.
 * Of a stack it is remembered where in memory its return addresses lie. If they are all still
 * there, it is the same stack: from the innermost frame on each function has its frame where the
 * address that it returns to says, so that the next return address lies where it lay.
 *
 * Not told apart: stacks of functions with arrays of variable length (alloca) whose sizes differ
 * and add up to the same, while the old return addresses are still in memory.
 */
#include "runtime/record/recorder.h"

#include "analysis/writer/trace_id.h"
#include "analysis/writer/trace_table.h"

#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <stdlib.h>

#define MOST_STACKS 16384   /* of some 300 bytes each: 5 MB */
#define MOST_AT_ONE_PLACE 8 /* that are looked at: callers of callers differ */

struct stack_slot {
    const uint64_t *at;
    uint64_t address;
};

struct seen_stack {
    struct trace_node node;
    struct bsim__record_caller caller;
    void *what;
    int count;
    struct stack_slot slots[];
};

static struct trace_table seen;

static uint64_t hash_of(const struct bsim__record_caller *caller) {
    return trace_mix(caller->returns_to, caller->frame);
}

static bool is_there(const struct seen_stack *stack, const struct bsim__record_caller *caller) {
    if (stack->caller.returns_to != caller->returns_to || stack->caller.frame != caller->frame)
        return false;
    for (int i = 0; i < stack->count; i++)
        if (*stack->slots[i].at != stack->slots[i].address)
            return false;
    return true;
}

void *bsim__record_stack_find(const struct bsim__record_caller *caller) {
    struct trace_node *node = trace_table_find(&seen, hash_of(caller));
    for (int i = 0; node != NULL && i < MOST_AT_ONE_PLACE; i++, node = trace_table_after(node))
        if (is_there((const struct seen_stack *)node, caller))
            return ((const struct seen_stack *)node)->what;
    return NULL;
}

/* The place of the address that the cursor's frame goes on at: below the stack of that frame, where
 * the call pushed it. */
static struct stack_slot slot_of(unw_cursor_t *cursor) {
    unw_word_t address = 0, stack = 0;
    unw_get_reg(cursor, UNW_REG_IP, &address);
    unw_get_reg(cursor, UNW_REG_SP, &stack);
    return (struct stack_slot){(const uint64_t *)(uintptr_t)stack - 1, address};
}

/* Whether all were found, as they are on processors that push return addresses. */
static bool find_slots(struct seen_stack *out, void *const *frames, int count) {
    unw_context_t context;
    unw_cursor_t cursor;
    if (unw_getcontext(&context) != 0 || unw_init_local(&cursor, &context) != 0)
        return false;
    struct stack_slot slot = {0};
    do {
        if (unw_step(&cursor) <= 0)
            return false;
        slot = slot_of(&cursor);
    } while (slot.address != out->caller.returns_to);
    for (out->count = 0; out->count < count; out->count++) {
        if (slot.address != (uint64_t)(uintptr_t)frames[out->count] || *slot.at != slot.address)
            return false;
        out->slots[out->count] = slot;
        if (out->count + 1 < count && unw_step(&cursor) <= 0)
            return false;
        slot = slot_of(&cursor);
    }
    return true;
}

void bsim__record_stack_remember(const struct bsim__record_caller *caller, void *const *frames,
                                 int count, void *what) {
    struct seen_stack *stack = seen.count < MOST_STACKS
                                   ? calloc(1, sizeof *stack + (size_t)count * sizeof *stack->slots)
                                   : NULL;
    if (stack == NULL)
        return;
    stack->caller = *caller;
    stack->what = what;
    if (!find_slots(stack, frames, count) || !trace_table_add(&seen, &stack->node, hash_of(caller)))
        free(stack);
}
