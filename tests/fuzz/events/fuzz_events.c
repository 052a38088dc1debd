/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of event expressions and text records, as libFuzzer makes them: whatever the bytes are,
 * there is an answer or a message. The input is a program, then "\n---\n" and records; without that
 * line it is a program over usual records, or (FUZZ_RECORDS) records alone. Programs that
 * ask for more than some thousand elements are left out: they may, and only take time.
 *
 * Linked with fuzz_main.c it runs the seeds.
 */
#include "analysis/events/result.h"
#include "analysis/events/view/data_view.h"
#include "analysis/events/view/text_view.h"
#include "analysis/source/text_records.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES 65536
#define MOST_CELLS 100000 /* of all arrays: views go through each */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char usual_records[] = "SEND { long time \"ns\"; int q; float w; string who; }\n"
                                    "RECV { long time \"ns\"; int q; string who; }\n"
                                    "const int ranks = 4;\n"
                                    "SEND 1000 1 1 ann\n"
                                    "RECV 1000 1 cid\n"
                                    "SEND 1010 1 2.5 bob\n"
                                    "SEND 9223372036854775807 -7 1e308 \"\"\n"
                                    "RECV 1045 3 ann\n";

static void view_all(struct events_program *program) {
    result_list results;
    struct str out = {0};
    if (results_collect(&results, program) == 0) {
        for (size_t i = 0; i < results.count; i++)
            for (int view = RESULT_BAR; view <= RESULT_VALUES; view++) {
                results.items[i].view = (enum result_view)view;
                text_view(&out, &results.items[i], 80);
            }
        csv_view(&out, &results);
        json_view(&out, &results);
        svg_view(&out, &results);
    }
    str_dispose(&out);
    vec_dispose(&results);
}

static bool is_small(const struct events_program *program) {
    long cells = 0;
    for (size_t i = 0; i < program->arrays.count; i++)
        cells += program->arrays.items[i]->rows * program->arrays.items[i]->row_length;
    return cells < MOST_CELLS;
}

static void run_program(struct event_source *source, const char *text, size_t length) {
    struct arena arena = {0};
    struct script script;
    struct events_program program;
    struct error error = {0};
    size_t count;
    script_init(&script, "fuzz", text, length);
    if (expressions_load(&program, &arena, &script, source, NULL, 0) == 0 && is_small(&program) &&
        expressions_run(&count, &program, source, &error) == 0 && is_small(&program))
        view_all(&program);
    expressions_dispose(&program);
    script_dispose(&script);
    arena_dispose(&arena);
}

static void read_all(struct event_source *source) {
    const struct source_event *block;
    struct error error = {0};
    size_t count = 1;
    while (count > 0 && source->next(&block, &count, source, &error) == 0)
        ;
}

/* Zeroes of bytes: the text of a program has none, a file of records may. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char line[] = "\n---\n";
    const char *records = usual_records, *text = (const char *)data;
    size_t program_length = size, record_length = strlen(usual_records);
    struct event_source *source = NULL;
    struct error error = {0};
    if (size == 0 || size > MOST_BYTES)
        return 0;
    const char *found = memmem(text, size, line, strlen(line));
    bool only_records = getenv("FUZZ_RECORDS") != NULL;
    if (only_records) {
        records = text;
        record_length = size;
    } else if (found != NULL) {
        program_length = (size_t)(found - text);
        records = found + strlen(line);
        record_length = size - program_length - strlen(line);
    }
    FILE *stream = record_length > 0 ? fmemopen((void *)(uintptr_t)records, record_length, "r")
                                     : fopen("/dev/null", "r");
    if (stream == NULL || text_records_read(&source, stream, "records", &error) != 0)
        return 0;
    if (only_records)
        read_all(source);
    else
        run_program(source, text, program_length);
    event_source_close(source);
    return 0;
}
