/* SPDX-License-Identifier: Apache-2.0
 *
 * Says on standard error where the stack of a rank was too small, as nothing else can tell when the
 * simulation is over. SimGrid installs its handler of segmentation faults, on a stack of its own,
 * by sigaction(), which this file has under the same name: ours comes first, then SimGrid's.
 *
 * A stack is in use from its pointer up, so that all of this can be read and written while it is
 * large enough. It was too small if the fault is near the pointer, where a call or a recursion goes
 * beyond its end; if what the pointer points to cannot be read, since large arrays move it that
 * far; or if the fault is in a page that is there and protected, as SimGrid's behind each stack is.
 * Not handled: arrays so large that they begin in other memory that is in use, and
 * machines of which the pointer's place in the context is not known.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* What a function touches below the pointer, or a page that it probes. */
#define NEAR_BYTES 65536

typedef int (*action_setter)(int, const struct sigaction *, struct sigaction *);

static struct sigaction simgrid;

/* 0: not known. */
static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined(__x86_64__)
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    return (uintptr_t)context->uc_mcontext.sp;
#else
    (void)context;
    return 0;
#endif
}

/* Asked of the kernel, which answers where a read would fault. */
static bool can_be_read(uintptr_t address) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return true;
    bool is_read = write(ends[1], (const void *)address, 1) == 1 || errno != EFAULT;
    close(ends[0]);
    close(ends[1]);
    return is_read;
}

static bool is_overflow(const siginfo_t *info, uintptr_t pointer) {
    uintptr_t fault = (uintptr_t)info->si_addr;
    uintptr_t distance = fault > pointer ? fault - pointer : pointer - fault;
    bool is_protected = info->si_code == SEGV_ACCERR && !can_be_read(fault);
    return pointer != 0 && (distance < NEAR_BYTES || !can_be_read(pointer) || is_protected);
}

static void on_fault(int number, siginfo_t *info, void *context) {
    static const char text[] = "mpiskel: the stack of a rank was too small\n";
    if (is_overflow(info, stack_pointer(context)) && write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(128 + SIGSEGV);
    if (simgrid.sa_flags & SA_SIGINFO)
        simgrid.sa_sigaction(number, info, context);
    else
        simgrid.sa_handler(number);
}

/* SimGrid's is the first that wants a stack of its own. */
__attribute__((visibility("default"))) int
sigaction(int number, const struct sigaction *restrict action, struct sigaction *restrict old) {
    action_setter set = (action_setter)(uintptr_t)dlsym(RTLD_NEXT, "sigaction");
    if (number != SIGSEGV || action == NULL || simgrid.sa_flags != 0 ||
        (action->sa_flags & SA_ONSTACK) == 0 || action->sa_handler == SIG_DFL ||
        action->sa_handler == SIG_IGN)
        return set(number, action, old);
    simgrid = *action;
    struct sigaction ours = *action;
    ours.sa_flags |= SA_SIGINFO;
    ours.sa_sigaction = on_fault;
    return set(number, &ours, old);
}
