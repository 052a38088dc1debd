/* SPDX-License-Identifier: Apache-2.0
 *
 * What the report says of the options of placement.h.
 */
#include "simulator/run/placement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void tell_change(struct scenario *out, const char *option,
                        const struct placement_change *change, const char *what) {
    if (change->text != NULL)
        scenario_add(out, option, change->text, "of each link to a host");
    if (change->factor_text == NULL)
        return;
    char product[32];
    snprintf(product, sizeof product, "%.9gx", change->factor);
    bool once = strtod(change->factor_text, NULL) == change->factor;
    scenario_add(out, option, once ? change->factor_text : product, what);
}

void placement_tell(struct scenario *out, const struct placement *placement,
                    const struct placement_options *options) {
    static const char links[] = "of what the network has, on all links but memory";
    struct arena arena;
    arena_init(&arena);
    if (options->network != NULL)
        scenario_add(out, "--network", options->network, "instead of one switch");
    if (options->platform != NULL)
        scenario_add(out, "--platform", options->platform, "instead of one switch");
    if (options->hostfile != NULL)
        scenario_add(out, "--hostfile", options->hostfile,
                     arena_printf(&arena, "%zu places", placement->host_count));
    tell_change(out, "--bandwidth", &options->bandwidth, links);
    tell_change(out, "--latency", &options->latency, links);
    tell_change(out, "--overheads", &options->overheads,
                placement->has_overheads ? "of what each call takes"
                                         : "nothing: the network's description has none");
    if (options->ranks_per_host > 0)
        scenario_add(out, "--ranks-per-node", arena_printf(&arena, "%zu", options->ranks_per_host),
                     "at most, on one host");
    if (options->placement != NULL)
        scenario_add(out, "--placement", options->placement,
                     placement_is_file(options) ? "as this file says"
                     : strcmp(options->placement, "block") == 0
                         ? "ranks fill one host after the other"
                         : "ranks are dealt out to the hosts in turn");
    if (strcmp(options->collectives, "tree") != 0)
        scenario_add(out, "--collectives", options->collectives, "instead of tree");
    arena_dispose(&arena);
}
