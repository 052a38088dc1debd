/* SPDX-License-Identifier: Apache-2.0
 *
 * A line at a time into one buffer; see call_record.h. The place ends where ` MPI_` begins, since a
 * file's name may hold blanks.
 */
#include "simulator/compare/call_record.h"

#include "base/arena.h"
#include "base/str.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void call_record_open(struct call_record *out, const char *path) {
    *out = (struct call_record){.file = fopen(path, "r"), .state = CALL_RECORD_CALL, .path = path};
    out->line = xmalloc(CALL_RECORD_LINE_BYTES);
    if (out->file == NULL && errno == ENOENT)
        out->state = CALL_RECORD_MISSING;
    else if (out->file == NULL) {
        out->state = CALL_RECORD_MALFORMED;
        error_set(&out->problem, "cannot read %s: %s", path, strerror(errno));
    }
}

void call_record_close(struct call_record *record) {
    if (record->file != NULL)
        fclose(record->file);
    free(record->line);
    record->file = NULL;
    record->line = NULL;
}

static void malformed(struct call_record *record, const char *what) {
    record->state = CALL_RECORD_MALFORMED;
    error_set(&record->problem, "%s:%llu:1: error: %s", record->path, record->calls + 1, what);
}

/* Fills the buffer with one line, without its newline; false if the state changed instead. */
static bool read_line(struct call_record *record) {
    size_t length = 0;
    int character;
    while ((character = getc_unlocked(record->file)) != EOF && character != '\n') {
        if (character == '\0' || length + 1 == CALL_RECORD_LINE_BYTES) {
            malformed(record, character == '\0' ? "a byte of zero" : "this line is over 64 KiB");
            return false;
        }
        record->line[length++] = (char)character;
    }
    record->line[length] = '\0';
    if (character == EOF)
        record->state = CALL_RECORD_TRUNCATED;
    return character != EOF;
}

static void take_end(struct call_record *record) {
    char *end = NULL;
    unsigned long long count = strtoull(record->line + 4, &end, 10);
    if (end == record->line + 4 || *end != '\0' || count != record->calls)
        malformed(record, "the end does not tell the number of calls");
    else if (getc_unlocked(record->file) != EOF)
        malformed(record, "text behind the end");
    else
        record->state = CALL_RECORD_END;
}

/* Operations of devices have no place (runtime/operations/operation_lines.c). */
static char *find_name(char *line) {
    static const char device[] = "device:0";
    if (text_has_prefix(line, device) && text_has_prefix(line + strlen(device), " cl"))
        return line + strlen(device);
    return strstr(line, " MPI_");
}

static void take_call(struct call_record *record) {
    char *text = find_name(record->line);
    if (text == NULL || text == record->line) {
        malformed(record, "this is not a call: no FILE:LINE MPI_...");
        return;
    }
    *text = '\0';
    record->place = record->line;
    record->text = text + 1;
    record->calls++;
}

enum call_record_state call_record_next(struct call_record *record) {
    if (record->state != CALL_RECORD_CALL || !read_line(record))
        return record->state;
    if (text_has_prefix(record->line, "end "))
        take_end(record);
    else
        take_call(record);
    return record->state;
}
