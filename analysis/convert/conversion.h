/* SPDX-License-Identifier: Apache-2.0
 *
 * Traces as files of other tools, and such files as traces (docs/reference/trace.md tells what goes
 * along). One file of this folder for each format and direction; to_* write, from_* read.
 */
#pragma once

#include "analysis/trace/trace_pass.h"

#include <stdio.h>

struct import_target;

/* Writes what the settings ask for. A file comes as `out`, a directory as its path alone. */
typedef int conversion_write(FILE *out, const char *path, const struct trace *trace,
                             const struct trace_settings *settings, struct error *error);
/* Reads the file into a new trace. */
typedef int conversion_read(struct import_target *target, const char *path, struct error *error);

struct conversion {
    const char *name;
    const char *endings; /* of files, by which the format is guessed: ".json.gz .json" */
    bool is_directory;
    conversion_write *write; /* NULL: it is only read */
    conversion_read *read;   /* NULL: it is only written */
    const char *what;        /* in words */
};

/* All of them; {0} behind the last. */
const struct conversion *conversions(void);

/* By its name; or, without one (NULL), by the ending of the path. NULL: there is none. */
const struct conversion *conversion_find(const char *name, const char *path);

int conversion_export(const char *path, const struct conversion *conversion,
                      const struct trace *trace, const struct trace_settings *settings,
                      struct error *error);
/* `events`: how many the new trace has. */
int conversion_import(uint64_t *events, const char *output, const char *path,
                      const struct conversion *conversion, struct error *error);

conversion_write to_csv, to_chrome, to_paje, to_otf2, to_stacks, to_smpi;
conversion_read from_paje, from_otf2, from_smpi, from_records;
