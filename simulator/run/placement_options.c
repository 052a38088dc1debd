/* SPDX-License-Identifier: Apache-2.0
 *
 * argp's parser of the options of placement.h, and what the report says of them.
 */
#include "simulator/run/placement.h"

#include "simulator/network/collectives.h"
#include "simulator/network/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_PLATFORM = 0x100,
    KEY_NETWORK,
    KEY_HOSTFILE,
    KEY_PER_NODE,
    KEY_PLACEMENT,
    KEY_BANDWIDTH,
    KEY_LATENCY,
    KEY_OVERHEADS,
    KEY_COLLECTIVES
};

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Number of ranks (also -np N)", 1},
    {"network", KEY_NETWORK, "NAME|FILE", 0,
     "A preset (mpiskel platform --list), a topology such as torus, ideal, a description "
     "(docs/how-to/describe-a-network.md), or "
     "machine:NAME (mpiskel calibrate --network --bundle); default: one host per rank behind one "
     "switch, 12.5GBps and 1us per link",
     1},
    {"platform", KEY_PLATFORM, "FILE", 0, "A SimGrid platform, as it is", 1},
    {"hostfile", KEY_HOSTFILE, "FILE", 0,
     "Hosts to use, one per line, or NAME:K for K ranks; default: all hosts of the platform", 1},
    {"ranks-per-node", KEY_PER_NODE, "K", 0,
     "Ranks on one host (default: cores of the description, else 1)", 1},
    {"placement", KEY_PLACEMENT, "block|cyclic|FILE", 0,
     "Ranks fill one host after the other (default), or are dealt out in turn, or line R of FILE "
     "names the host of rank R",
     1},
    {"bandwidth", KEY_BANDWIDTH, "B|Fx", 0,
     "Of each link to a host, e.g. 12.5GBps, or of all links of the network, e.g. 2x; several "
     "factors are multiplied",
     1},
    {"latency", KEY_LATENCY, "T|Fx", 0, "Likewise, e.g. 1us or 0.5x", 1},
    {"overheads", KEY_OVERHEADS, "Fx", 0,
     "What calls take on top of the links, where the network's description tells: 0.5x halves it",
     1},
    {"collectives", KEY_COLLECTIVES, "NAME|OP=ALGORITHM,...", 0,
     "Collective algorithms: tree (default: logarithmic), or those that SimGrid has for ompi, "
     "mpich, mvapich2 or impi (the first call costs 33 s at 1,024 ranks), or automatic, default; "
     "or one by one: allreduce=ring,bcast=binomial_tree",
     1},
    {0},
};

/* "2x", "0.5x". */
static bool is_factor(double *out, const char *text) {
    char *end = NULL;
    size_t digits = strspn(text, "0123456789.e-+");
    *out = text[0] != '-' && digits > 0 ? strtod(text, &end) : 0;
    return end != NULL && end == text + digits && strcmp(end, "x") == 0;
}

static int change_parse(struct placement_change *out, const char *text, const char *what,
                        int (*parse)(double *, const char *, const char *, struct error *),
                        struct error *error) {
    double factor;
    if (!is_factor(&factor, text)) {
        *out = (struct placement_change){text, NULL, -1, 1};
        return parse(&out->value, text, what, error);
    }
    out->factor_text = text;
    out->factor *= factor;
    return out->factor >= 1e-9 && out->factor <= 1e9
               ? 0
               : error_set(error, "%s %s: the factor has to lie between 1e-9 and 1e9", what, text);
}

/* There is no absolute value. */
static int overheads_parse(double *out, const char *text, const char *what, struct error *error) {
    *out = -1;
    return error_set(error, "%s takes a factor, such as 0.5x, not '%s'", what, text);
}

static int collectives_check(const char *text, struct error *error) {
    struct collective_settings settings = {0};
    struct arena arena;
    arena_init(&arena);
    int result = collectives_settings(&settings, text, &arena, error);
    vec_dispose(&settings.of);
    arena_dispose(&arena);
    return result;
}

static int parse_value(struct placement_options *options, int key, char *value,
                       struct error *error) {
    switch (key) {
    case 'n':
        return count_parse(&options->ranks, value, "-np", error);
    case KEY_PER_NODE:
        return count_parse(&options->ranks_per_host, value, "--ranks-per-node", error);
    case KEY_BANDWIDTH:
        return change_parse(&options->bandwidth, value, "--bandwidth", bandwidth_parse, error);
    case KEY_LATENCY:
        return change_parse(&options->latency, value, "--latency", latency_parse, error);
    case KEY_OVERHEADS:
        return change_parse(&options->overheads, value, "--overheads", overheads_parse, error);
    default:
        options->collectives = value;
        return collectives_check(value, error);
    }
}

static bool is_absolute(const struct placement_change *change) {
    return change->text != NULL;
}

static bool is_file(const char *placement) {
    return placement != NULL && strcmp(placement, "block") != 0 && strcmp(placement, "cyclic") != 0;
}

static int check(const struct placement_options *options, struct error *error) {
    bool has_network = options->platform != NULL || options->network != NULL;
    if (options->ranks == 0)
        return error_set(error, "how many ranks? Give -np N");
    if (options->platform != NULL && options->network != NULL)
        return error_set(error, "--platform and --network are two networks: give one");
    if (!has_network && options->hostfile != NULL)
        return error_set(error, "--hostfile names hosts of a platform: give --platform or "
                                "--network, too");
    if (is_file(options->placement) && (options->hostfile != NULL || options->ranks_per_host > 0))
        return error_set(error,
                         "--placement %s says it all: leave out --hostfile and "
                         "--ranks-per-node",
                         options->placement);
    if (options->platform != NULL &&
        (is_absolute(&options->bandwidth) || is_absolute(&options->latency)))
        return error_set(error, "--platform has links of its own: give --bandwidth and --latency "
                                "relative to them, such as 2x, or edit the file");
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    struct placement_options *options = state->input;
    struct error error = {0};
    int result = 0;
    if (key == KEY_PLATFORM)
        options->platform = value;
    else if (key == KEY_NETWORK)
        options->network = value;
    else if (key == KEY_HOSTFILE)
        options->hostfile = value;
    else if (key == KEY_PLACEMENT)
        options->placement = value;
    else if (key == 'n' || (key >= KEY_PER_NODE && key <= KEY_COLLECTIVES))
        result = parse_value(options, key, value, &error);
    else if (key == ARGP_KEY_SUCCESS)
        result = check(options, &error);
    else
        return ARGP_ERR_UNKNOWN;
    if (result != 0)
        argp_error(state, "%s", error.text);
    return 0;
}

const struct argp placement_argp = {option_table, parse, NULL, NULL, NULL, NULL, NULL};

struct placement_options placement_options_default(void) {
    static const struct placement_change none = {NULL, NULL, -1, 1};
    return (struct placement_options){
        .bandwidth = none, .latency = none, .overheads = none, .collectives = "tree"};
}

void placement_options_dispose(struct placement_options *options) {
    vec_dispose(&options->settings);
}

void placement_split(int *argc, char **argv, char ***out_arguments, size_t *out_count) {
    static char short_ranks[] = "-n";
    int end = 1;
    for (; end < *argc && strcmp(argv[end], "--") != 0; end++)
        if (strcmp(argv[end], "-np") == 0)
            argv[end] = short_ranks;
    int first = end < *argc ? end + 1 : end;
    *out_arguments = argv + first;
    *out_count = (size_t)(*argc - first);
    *argc = end;
}

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
                     is_file(options->placement) ? "as this file says"
                     : strcmp(options->placement, "block") == 0
                         ? "ranks fill one host after the other"
                         : "ranks are dealt out to the hosts in turn");
    if (strcmp(options->collectives, "tree") != 0)
        scenario_add(out, "--collectives", options->collectives, "instead of tree");
    arena_dispose(&arena);
}
