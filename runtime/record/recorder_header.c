/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a recording's trace (docs/reference/trace.md): what ran, on which machine, with
 * which MPI. What is learned from several recordings is of one of each.
 */
#include "runtime/record/recorder.h"

#include "runtime/common/counted_clock.h"
#include "runtime/common/json_text.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Name and version, without what MPI libraries say of how they were built. */
static void write_mpi(FILE *out) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    PMPI_Get_library_version(text, &length);
    text[strcspn(text, ",\n")] = '\0';
    for (char *at = text; *at != '\0'; at++)
        if (*at == '\t')
            *at = ' ';
    bsim__json_string(out, text);
}

/* Of the processor time in events, where the program counts what it executes. */
static void write_clock(FILE *out) {
    const char *clock = bsim_counted_clock != NULL ? bsim_counted_clock() : NULL;
    if (clock == NULL)
        return;
    fputs(",\"clock\":", out);
    bsim__json_string(out, clock);
}

static void write_run(FILE *out) {
    const char *run = getenv("BSIM_RECORD_RUN");
    fputs(",\"run\":", out);
    bsim__json_string(out, run != NULL ? run : "");
}

char *bsim__record_header(int ranks) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return NULL;
    bsim__json_begin_trace(out, ranks, true);
    fputs(",\"cpu\":", out);
    bsim__json_processor(out);
    fputs(",\"mpi\":", out);
    write_mpi(out);
    write_clock(out);
    write_run(out);
    fputc('}', out);
    fclose(out);
    return text;
}
