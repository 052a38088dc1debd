/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a record of calls (docs/reference/run-files.md): place, name and inputs before the
 * call, results behind it. Who records writes the text into a file.
 */
#include "runtime/calls/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bsim__text(struct bsim__record *record, const char *format, ...) {
    for (;;) {
        size_t left = record->text_capacity - record->text_length;
        va_list args;
        va_start(args, format);
        int length =
            vsnprintf(left > 0 ? record->text + record->text_length : NULL, left, format, args);
        va_end(args);
        if (length >= 0 && (size_t)length < left) {
            record->text_length += (size_t)length;
            return;
        }
        size_t capacity = record->text_capacity * 2 + (size_t)(length > 0 ? length : 0) + 1024;
        record->text = bsim__grow(record->text, record->text_capacity, capacity);
        record->text_capacity = capacity;
    }
}

/* Blanks separate words, so in names they are written as %20, like other odd characters. */
static void text_name(struct bsim__record *record, const char *name) {
    for (; *name != '\0'; name++) {
        unsigned char c = (unsigned char)*name;
        if (c <= ' ' || c == '%' || c >= 127)
            bsim__text(record, "%%%02X", c);
        else
            bsim__text(record, "%c", c);
    }
}

/* A call in a callback of another call (an attribute's function, a reduction of the program's own):
 * the other one's line waits until this one's is complete. */
static void set_aside(struct bsim__record *record, struct bsim__call *call) {
    size_t length = record->text_length - record->complete_length;
    if (length == 0)
        return;
    call->set_aside =
        memcpy(bsim__grow(NULL, 0, length + 1), record->text + record->complete_length, length);
    record->text_length = record->complete_length;
}

/* Behind MPI_Abort nothing is completed. */
void bsim__record_take_up(struct bsim__record *record, struct bsim__call *call) {
    if (call->set_aside == NULL || bsim__functions[call->id].class == MPI_CLASS_ABORT)
        return;
    bsim__text(record, "%s", call->set_aside);
    free(call->set_aside);
    call->set_aside = NULL;
}

void bsim__record_begin(struct bsim__record *record, struct bsim__call *call) {
    set_aside(record, call);
    text_name(record, call->file);
    bsim__text(record, ":%d %s", call->line, bsim__functions[call->id].name);
    bsim__record_inputs(record, call);
}

void bsim__record_end(struct bsim__record *record, struct bsim__call *call) {
    bsim__record_outputs(record, call);
    bsim__text(record, "\n");
    record->calls++;
    record->complete_length = record->text_length;
}
