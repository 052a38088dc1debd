/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the ranks of a simulation can share one copy of a program.
 *
 * In: an ELF file. Out: whether it has variables of which each rank needs its own and which are not
 * reached through runtime/smpi/private.c: writable memory that is neither thread-local, nor
 * read-only once the program is loaded (PT_GNU_RELRO), nor the runtime's (.bsim_common), nor what
 * nobody looks at (.bsim_unread), nor the
 * dynamic linker's (.got, .got.plt, .dynamic), nor the nine bytes that each shared object gets from
 * the compiler (crtbeginS.o). Sections count, not symbols, so that little can hide in a stripped
 * file: single bytes could, so that symbols are needed to tell that there are none. Not looked
 * into: shared libraries that the program loads, of which there is one copy in any case.
 */
#pragma once

#include <stdbool.h>

/* False also for what cannot be read or is no 64-bit ELF file of this machine with our runtime. */
bool variables_are_apart(const char *program);
