/* SPDX-License-Identifier: Apache-2.0
 *
 * The record is replayed kind by kind: between the kinds the order does not matter, but for macros
 * that are nothing but _Pragma, which stand among their calls.
 */
#include "frontend/program/unit_record.h"

void unit_record_dispose(struct unit_record *record) {
    vec_dispose(&record->files);
    vec_dispose(&record->macros);
    vec_dispose(&record->seen);
    vec_dispose(&record->spelled);
    vec_dispose(&record->inclusions);
}

void unit_record_replay(struct program *program, const struct unit_record *record) {
    for (size_t i = 0; i < record->macros.count; i++) {
        const struct unit_macro *macro = &record->macros.items[i];
        if (macro->range.file >= 0)
            program_add_macro(program, macro->range, macro->name);
        else
            program_add_pragma(program, macro->name);
    }
    for (size_t i = 0; i < record->seen.count; i++)
        program_note_seen(program, record->seen.items[i]);
    for (size_t i = 0; i < record->spelled.count; i++)
        program_count_spelling(program, record->spelled.items[i]);
}
