/* SPDX-License-Identifier: Apache-2.0
 *
 * Ranks as coroutines on one stack: the live part of a rank's stack is copied away while it waits,
 * and back to the same addresses before it goes on, so pointers into it stay right. What takes
 * memory is what is live (some 1 KB in most programs), not what was reserved.
 *
 * In: a function that is the body of each. Order: coroutines_init once, then coroutine_resume until
 * has_ended. Not handled: threads, and signal handlers that switch.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* {0}: has not begun. */
struct coroutine {
    void *stack_pointer; /* while it waits */
    char *saved;         /* its live stack; NULL before it begins, and after its end */
    uint32_t saved_bytes, saved_capacity;
    bool has_begun, has_ended;
};

/* `body` is what each of them executes. Below the stack lies a page that no one can write. */
void coroutines_init(size_t stack_bytes, void (*body)(void));

/* Lets it run until it yields or its body returns. */
void coroutine_resume(struct coroutine *coroutine);
/* From within: back to who has resumed it. */
void coroutine_yield(void);
/* From within: it ends here, whatever is on its stack. */
void coroutine_end(void) __attribute__((noreturn));

/* Where a byte at `address` of the program lies while the coroutine does not run. */
void *coroutine_memory(const struct coroutine *coroutine, const void *address);
/* Is the address in the page below the stack, that is has the stack been too small? */
bool coroutine_is_overflow(const void *address);
void coroutine_dispose(struct coroutine *coroutine);
