/* SPDX-License-Identifier: Apache-2.0
 *
 * From one stack to another: registers that a function has to keep are pushed, the stack pointer is
 * exchanged, and they are popped. A few lines of assembler for x86-64 (System V ABI), ucontext
 * elsewhere.
 */
#pragma once

#if defined(__x86_64__) && !defined(ENGINE_WITH_UCONTEXT)
#define STACK_SWITCH_BY_ASSEMBLER 1
#else
#define STACK_SWITCH_BY_ASSEMBLER 0
#endif

/* Leaves the stack whose pointer is written to *out, and goes on with the one at `to`. */
void stack_switch(void **out, void *to);

/* A stack pointer at which stack_switch begins to execute `body`, which never returns. */
void *stack_prepare(char *top, void (*body)(void));
