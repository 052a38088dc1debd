/* SPDX-License-Identifier: Apache-2.0
 *
 * A machine as one file that is carried from store to store: its runs of the bundle with their
 * samples, and its models (docs/reference/store.md, "Machine").
 */
#pragma once

#include "model/store/store.h"

#define MACHINE_FILE_LINE_BYTES (16 << 20)

/* Writes the file; an error if the store has no runs of the bundle on the machine. The same store
 * gives the same bytes. */
int machine_export(const char *path, struct store *store, const struct regions *regions,
                   const char *machine, struct error *error);

struct import_summary {
    char machine[65];  /* under which name they are now */
    bool same_bundle;  /* false: of an earlier or later state of the program */
    int regions_taken; /* of the file's regions those that are the bundle's, too */
    int regions_in_file;
    int runs, runs_known; /* added; there already, which stay as they are */
    long long samples;
    int models, models_left; /* taken; not taken, since the machine has other runs now */
    bool network, noise;     /* taken: the store had none, or an older one */
};

/* Reads the file into the store: all of it or, after -1, nothing. Of another bundle's file the
 * samples are taken of regions whose id, code and features are this bundle's; there has to be one.
 * `name` is that of the machine in this store; NULL: as in the file. A machine that is there has to
 * have the file's processor. */
int machine_import(struct import_summary *out, const char *path, struct store *store,
                   const struct regions *regions, const char *name, struct error *error);
