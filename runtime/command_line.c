/* SPDX-License-Identifier: Apache-2.0
 *
 * The simulated program's command line. smpirun starts `smpimain PROGRAM ARGUMENTS`, and what runs
 * may be a copy of PROGRAM in a temporary directory.
 */
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>

int bsim__command_line(char *text, const char **words) {
    FILE *file = fopen("/proc/self/cmdline", "r");
    size_t length = file != NULL ? fread(text, 1, BSIM__COMMAND_LINE_BYTES - 1, file) : 0;
    int count = 0;
    if (file != NULL)
        fclose(file);
    text[length] = '\0';
    for (size_t at = 0; at < length && count < BSIM__COMMAND_LINE_WORDS;
         at += strlen(text + at) + 1)
        words[count++] = text + at;
    const char *base = count > 0 ? strrchr(words[0], '/') : NULL;
    if (count > 1 && strcmp(base != NULL ? base + 1 : words[0], "smpimain") == 0)
        memmove(words, words + 1, (size_t)--count * sizeof *words);
    return count;
}
