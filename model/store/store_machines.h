/* SPDX-License-Identifier: Apache-2.0
 *
 * The machines of a bundle's store: what there is of each, other names for them, and runs that are
 * given to another machine or taken out. What changes the store is one transaction.
 */
#pragma once

#include "base/arena.h"
#include "model/store/store.h"
#include "model/store/store_networks.h"
#include "model/store/store_noises.h"

/* A run, all its parts together. */
struct stored_run {
    struct run run;
    int parts;
    long long samples;
    double total_s; /* in the regions that are computations, over all ranks */
};

/* What there is of a region on a machine. */
struct region_sum {
    long long samples;
    double total_s; /* 0 of a value */
};

struct machine {
    const char *name;
    struct stored_run *runs; /* by id */
    int run_count;
    struct region_sum *regions; /* of all of the bundle's */
    int region_count;           /* with samples */
    double total_s;
    const char *statistics; /* of which there are models, separated by blanks; "": none */
    const struct stored_network *network; /* NULL: not measured */
    const struct stored_noise *noise;     /* likewise */
};

struct machines {
    struct arena arena; /* owns everything below */
    struct machine *items;
    int count;
};

/* Those with runs of the bundle, or a network or noise that was measured, by name; *out is the
 * caller's (machines_dispose). */
int machines_read(struct machines *out, struct store *store, const struct regions *regions,
                  struct error *error);
void machines_dispose(struct machines *machines);

/* NULL: there is none of that name. */
const struct machine *machine_find(const struct machines *machines, const char *name);

/* Gives the machine another name, in all bundles of the store; an error if there is no such machine
 * or the new name is taken. */
int store_rename_machine(struct store *store, const char *old, const char *name,
                         struct error *error);

/* Gives the bundle's run to the machine of this name, which is made if it is not there; takes it
 * out of the store. An error if there is no such run. Models that were fitted to it stay as they
 * are. */
int store_label_run(struct store *store, const char *bundle, const char *run, const char *machine,
                    struct error *error);
int store_forget_run(struct store *store, const char *bundle, const char *run, struct error *error);
