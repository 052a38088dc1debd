/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated program's command line. smpirun starts `smpimain PROGRAM ARGUMENTS`, and what runs
 * may be a copy of PROGRAM in a temporary directory.
 */
#include "runtime/smpi/runtime.h"

#include <stdio.h>
#include <string.h>

struct bsim__command_line *bsim__command_line(void) {
    struct bsim__command_line *line = bsim__grow(NULL, 0, sizeof *line);
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file != NULL ? fread(line->text, 1, sizeof line->text - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    for (size_t at = 0; at < length && line->count < BSIM__COMMAND_LINE_WORDS;
         at += strlen(line->text + at) + 1)
        line->words[line->count++] = line->text + at;
    const char *base = line->count > 0 ? strrchr(line->words[0], '/') : NULL;
    if (line->count > 1 && strcmp(base != NULL ? base + 1 : line->words[0], "smpimain") == 0)
        memmove(line->words, line->words + 1, (size_t)--line->count * sizeof *line->words);
    return line;
}
