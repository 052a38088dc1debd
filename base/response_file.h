/* SPDX-License-Identifier: Apache-2.0
 *
 * Response files: gcc, ld and ar take the words of FILE in place of a word @FILE. Files are split
 * as libiberty's expandargv does: at blanks, with single and double quotes and backslashes; a file
 * may name further ones.
 */
#ifndef BASE_RESPONSE_FILE_H
#define BASE_RESPONSE_FILE_H

#include "base/arena.h"
#include "base/file.h"

/* Adds `word`, or what it stands for, to `out`, whose words live in the arena. A file that is not
 * there leaves the word as it is. Relative names are those of `directory`. */
void response_file_expand(path_list *out, struct arena *arena, const char *directory,
                          const char *word);

#endif
