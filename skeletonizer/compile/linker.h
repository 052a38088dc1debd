/* SPDX-License-Identifier: Apache-2.0
 *
 * What links the programs of a bundle, and which words of the application's link command do not go
 * along.
 */
#pragma once

#include "skeletonizer/compile/compilation.h"

/* The first word of the first unit in this language; NULL: there is none. */
const char *linker_first_compiler(const struct compilation *c, bool is_cxx);

/* The first word of a link command. */
const char *linker_choose(const struct compilation *c);
bool linker_is_fortran(const char *linker);

/* Words for which SimGrid's have to stand in. */
bool linker_word_is_mpi(const char *word);
bool linker_word_is_for_executables(const char *word);
bool linker_word_is_for_devices(const char *word);
