/* SPDX-License-Identifier: Apache-2.0
 *
 * Words of compilers and linkers, as gcc, ld and ar take them. All words live in the arena.
 */
#pragma once

#include "base/arena.h"
#include "base/file.h"

/* Adds `word` to `out`, or, of a response file @FILE, the words that are in it. Files are split as
 * libiberty's expandargv does: at blanks, with single and double quotes and backslashes; a file may
 * name further ones. One that is not there leaves the word as it is. Relative names are those of
 * `directory`. */
void build_words_expand(path_list *out, struct arena *arena, const char *directory,
                        const char *word);

/* `-l NAME` becomes -lNAME. */
void build_words_join_libraries(path_list *words, struct arena *arena);

/* The library that -lNAME finds in the directories that the words give (-L), or that -l:FILE does,
 * absolute; NULL: it is in none. As the linker does: in each directory the shared one first, unless
 * all is linked statically. `words`: `count` of them, relative to `directory`. */
const char *build_words_library(struct arena *arena, const char *const *words, size_t count,
                                const char *directory, const char *name);

/* A source in C++ by its suffix, as compilers take it. */
bool build_words_is_cxx(const char *word);

/* Of a source in C or C++ the length of its suffix with the dot; 0: it is none. */
size_t build_words_source_suffix(const char *word);
