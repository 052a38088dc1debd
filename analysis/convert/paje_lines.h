/* SPDX-License-Identifier: Apache-2.0
 *
 * The lines of a Paje file: each event with its fields by name, as the definitions at the beginning
 * say in which order they come.
 */
#pragma once

#include "base/error.h"
#include "base/hash_table.h"
#include "base/vec.h"

#define PAJE_FIELDS 32

struct paje_definition {
    char *event;
    char *fields[PAJE_FIELDS];
    int field_count;
};

struct paje_lines {
    const char *path;
    const char *at; /* the next line */
    int line;
    struct hash_table definitions; /* by number: struct paje_definition */
    char *copy;                    /* of the line */
    const char *event;             /* PajePushState */
    const struct paje_definition *definition;
    const char *words[PAJE_FIELDS];
    int word_count;
};

/* From the beginning; definitions of an earlier pass stay. The text stays the caller's. */
void paje_lines_start(struct paje_lines *lines, const char *text, const char *path);
void paje_lines_dispose(struct paje_lines *lines);

/* 1: the next event; 0: there are no more; -1. */
int paje_lines_next(struct paje_lines *lines, struct error *error);

/* NULL: the event has no such field. Valid until the next event. */
const char *paje_lines_field(const struct paje_lines *lines, const char *name);

/* error_set with the place. */
int paje_lines_fail(const struct paje_lines *lines, const char *what, struct error *error);
