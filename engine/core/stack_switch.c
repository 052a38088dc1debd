/* SPDX-License-Identifier: Apache-2.0
 *
 * See stack_switch.h. Where there is no assembler the stack pointer stands for an ucontext_t that
 * lies at the end of the stack that was left, so that it is copied together with it.
 */
#include "engine/core/stack_switch.h"

#include <stddef.h>
#include <stdint.h>

#if STACK_SWITCH_BY_ASSEMBLER

/* The control words of the floating point units are kept as well: rounding is a rank's own. */
__asm__(".text\n"
        ".globl stack_switch\n"
        ".type stack_switch, @function\n"
        "stack_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    subq $8, %rsp\n"
        "    stmxcsr (%rsp)\n"
        "    fnstcw 4(%rsp)\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    ldmxcsr (%rsp)\n"
        "    fldcw 4(%rsp)\n"
        "    addq $8, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size stack_switch, . - stack_switch\n"
        ".section .note.GNU-stack,\"\",@progbits\n"
        ".text\n");

#define KEPT_REGISTERS 6

void *stack_prepare(char *top, void (*body)(void)) {
    void **at = (void **)((uintptr_t)top & ~(uintptr_t)15);
    uint32_t *control = NULL;
    *--at = NULL; /* where body would return to; aligned as behind a call */
    *--at = (void *)(uintptr_t)body;
    for (int i = 0; i < KEPT_REGISTERS; i++)
        *--at = NULL;
    control = (uint32_t *)--at;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(control[0]), "=m"(control[1]));
    return at;
}

#else

#include <ucontext.h>

static void (*start_body)(void);
static char *start_top;

void stack_switch(void **out, void *to) {
    ucontext_t here; /* on the stack that is left */
    *out = &here;
    if (to != start_top) {
        swapcontext(&here, to);
        return;
    }
    ucontext_t fresh;
    getcontext(&fresh);
    fresh.uc_stack.ss_size = 1u << 20; /* only its end counts */
    fresh.uc_stack.ss_sp = start_top - fresh.uc_stack.ss_size;
    fresh.uc_link = NULL;
    makecontext(&fresh, start_body, 0);
    swapcontext(&here, &fresh);
}

void *stack_prepare(char *top, void (*body)(void)) {
    start_body = body;
    return start_top = top;
}

#endif
