/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory as the system counts it: what there is, what a process takes, and the budget of a command.
 *
 * Long computations say which stage they are in. While they are in one, the budget is looked at
 * whenever some more memory was allocated (arena.c), by what the process has resident: libraries
 * and sanitizers count as well. A stage that takes more ends the process, with what it was and what
 * to do about it on stderr, and exit code 1; so does one to which the system gives nothing more.
 * Stages are for work that has nothing on disk yet. Not handled: control groups of version 1, swap.
 */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* A size such as 2GiB: bytes, or with kB, MB, GB, TB, KiB, MiB, GiB, TiB; -1: it is none. */
int memory_size_parse(double *out_bytes, const char *text);

/* In MiB or GiB. */
void memory_size_print(char *out, size_t length, double bytes);

/* What this process' control group and those above it leave (batch systems and containers set it);
 * infinite where nothing is known. */
double memory_group_bytes(void);

/* Of all in /proc/meminfo: "MemTotal:", "MemAvailable:"; infinite where it is not known. */
double memory_system_bytes(const char *key);

/* The least of what the system and the control group have available. */
double memory_available_bytes(void);

/* Of a process as it is now; 0: it has ended. */
double memory_resident_bytes(pid_t pid);

/* What stages of this process may take; until then there is no limit. */
void memory_budget_set(double bytes);

/* What follows is this stage, and ends the one before. Both texts are borrowed until the next:
 * `what` stands before "took", `remedy` is a sentence's part that says what to do. */
void memory_stage_begin(const char *what, const char *remedy);
void memory_stage_end(void);

/* So many bytes are going to be allocated; for arena.c. */
void memory_budget_take(size_t bytes);

/* The system gave nothing more: does not return. */
void memory_ran_out(void) __attribute__((noreturn));
