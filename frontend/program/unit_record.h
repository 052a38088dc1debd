/* SPDX-License-Identifier: Apache-2.0
 *
 * What parsing a unit does to the program besides giving its syntax tree, as a value: whoever takes
 * the tree from elsewhere does it again.
 */
#pragma once

#include "base/file.h"
#include "frontend/program/program.h"

struct unit_macro {
    struct range range; /* of a call; file -1: the definition of one that is nothing but _Pragma */
    const char *name;
};

/* In the order in which it was done. Files are indices into program.files. */
struct unit_record {
    VEC(int) files; /* that it came across, by first use */
    VEC(struct unit_macro) macros;
    VEC(const char *) seen;    /* records and globals, for program_sees */
    VEC(struct range) spelled; /* for program_spelled_again */
    path_list inclusions;      /* all files that it consists of */
};

void unit_record_dispose(struct unit_record *record);

/* Does to the program what the record says. */
void unit_record_replay(struct program *program, const struct unit_record *record);
