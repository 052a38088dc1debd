/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of libc that a simulated rank has otherwise (runtime/smpi/libc_calls.c): clocks,
 * sleeps, options, its end and its number, and those that stop it. Where a program declares one of
 * them, calls and pointers go to the symbol that is named here. No name is taken away by that, as
 * macros would: a member, a local variable or a static function of the program may be called sleep
 * or exit.
 */
#ifndef BSIM_LIBC_H
#define BSIM_LIBC_H

#pragma redefine_extname clock_gettime bsim_libc_clock_gettime
#pragma redefine_extname exit bsim_libc_exit
#pragma redefine_extname getopt bsim_libc_getopt
#pragma redefine_extname getopt_long bsim_libc_getopt_long
#pragma redefine_extname getopt_long_only bsim_libc_getopt_long_only
#pragma redefine_extname getpid bsim_libc_getpid
#pragma redefine_extname gettimeofday bsim_libc_gettimeofday
#pragma redefine_extname nanosleep bsim_libc_nanosleep
#pragma redefine_extname sleep bsim_libc_sleep
#pragma redefine_extname usleep bsim_libc_usleep

/* Those that no simulation can do (skeletonizer/check.c): it stops there. */
#pragma redefine_extname clone bsim_libc_clone
#pragma redefine_extname fopencookie bsim_libc_fopencookie
#pragma redefine_extname fork bsim_libc_fork
#pragma redefine_extname funopen bsim_libc_funopen
#pragma redefine_extname getcontext bsim_libc_getcontext
#pragma redefine_extname makecontext bsim_libc_makecontext
#pragma redefine_extname pthread_create bsim_libc_pthread_create
#pragma redefine_extname setcontext bsim_libc_setcontext
#pragma redefine_extname swapcontext bsim_libc_swapcontext
#pragma redefine_extname thrd_create bsim_libc_thrd_create
#pragma redefine_extname vfork bsim_libc_vfork

/* The processor's clock, which <x86intrin.h> reads with these: the simulated one, in nanoseconds.
 */
#if defined(__x86_64__) || defined(__i386__)
unsigned long long bsim_ticks(unsigned *bsim_processor);
#define __builtin_ia32_rdtsc() bsim_ticks(0)
#define __builtin_ia32_rdtscp(bsim_processor) bsim_ticks(bsim_processor)
#ifdef __clang__
#define __rdtsc() bsim_ticks(0)
#endif
#endif

#endif
