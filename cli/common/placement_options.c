/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/common/placement_options.h"

#include "model/samples/region.h"
#include "simulator/network/collectives.h"
#include "simulator/network/units.h"

#include <stdlib.h>
#include <string.h>

#define OPTIONS struct placement_options

/* ---- Values ---- */

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

static int take_bandwidth(void *out, const char *text, struct error *error) {
    return change_parse(out, text, "--bandwidth", bandwidth_parse, error);
}

static int take_latency(void *out, const char *text, struct error *error) {
    return change_parse(out, text, "--latency", latency_parse, error);
}

/* There is no absolute value. */
static int overheads_parse(double *out, const char *text, const char *what, struct error *error) {
    *out = -1;
    return error_set(error, "%s takes a factor, such as 0.5x, not '%s'", what, text);
}

static int take_overheads(void *out, const char *text, struct error *error) {
    return change_parse(out, text, "--overheads", overheads_parse, error);
}

static int take_collectives(void *out, const char *text, struct error *error) {
    struct collective_settings settings = {0};
    struct arena arena;
    *(const char **)out = text;
    arena_init(&arena);
    int result = collectives_settings(&settings, text, &arena, error);
    for (size_t i = 0; result == 0 && i < settings.replaced.count; i++)
        note("note: --collectives: SimGrid 3.32's %s", settings.replaced.items[i]);
    vec_dispose(&settings.of);
    vec_dispose(&settings.replaced);
    arena_dispose(&arena);
    return result;
}

/* ---- All of them ---- */

static bool is_of_one_rank(const char *bundle) {
    struct regions regions;
    struct error unread = {0};
    if (bundle == NULL || regions_read_bundle(&regions, bundle, &unread) != 0)
        return false;
    bool is_one_rank = regions.is_one_rank;
    regions_dispose(&regions);
    return is_one_rank;
}

static int check(void *input, struct error *error) {
    struct placement_options *options = input;
    bool has_network = options->platform != NULL || options->network != NULL;
    if (options->ranks == 0 && is_of_one_rank(options->bundle))
        options->ranks = 1;
    if (options->ranks == 0)
        return error_set(error, "how many ranks? Give -np N");
    if (options->platform != NULL && options->network != NULL)
        return error_set(error, "--platform and --network are two networks: give one");
    if (!has_network && options->hostfile != NULL)
        return error_set(error, "--hostfile names hosts of a platform: give --platform or "
                                "--network, too");
    if (placement_is_file(options) && (options->hostfile != NULL || options->ranks_per_host > 0))
        return error_set(error,
                         "--placement %s says it all: leave out --hostfile and "
                         "--ranks-per-node",
                         options->placement);
    if (options->platform != NULL &&
        (options->bandwidth.text != NULL || options->latency.text != NULL))
        return error_set(error, "--platform has links of its own: give --bandwidth and --latency "
                                "relative to them, such as 2x, or edit the file");
    return 0;
}

static const struct command_option rows[] = {
    {COMMON_RANKS(ranks)},
    {OPTION_COUNT("ranks-per-node", "K", ranks_per_host),
     .help = "Ranks on one host (default: cores of the description, else 1)"},
    {OPTION_TEXT("network", "NAME|FILE", network),
     .help = "A preset (mpiskel platform --list), a topology such as torus, ideal, a description "
             "(docs/how-to/describe-a-network.md), or machine:NAME (mpiskel calibrate --network "
             "--bundle); default: one host per rank behind one switch, 12.5GBps and 1us per link"},
    {OPTION_TEXT("platform", "FILE", platform), .help = "A SimGrid platform, as it is"},
    {OPTION_TEXT("hostfile", "FILE", hostfile),
     .help = "Hosts to use, one per line, or NAME:K (NAME slots=K) for K ranks; default: all "
             "hosts of the platform"},
    {OPTION_TEXT("placement", "block|cyclic|FILE", placement),
     .help = "Ranks fill one host after the other (default), or are dealt out in turn, or line R "
             "of FILE names the host of rank R"},
    {OPTION_OWN("bandwidth", "B|Fx", take_bandwidth),
     .at = OPTION_AT(struct placement_change, bandwidth),
     .help = "Of each link to a host, e.g. 12.5GBps, or of all links of the network, e.g. 2x; "
             "several factors are multiplied"},
    {OPTION_OWN("latency", "T|Fx", take_latency), .at = OPTION_AT(struct placement_change, latency),
     .help = "Likewise, e.g. 1us or 0.5x"},
    {OPTION_OWN("overheads", "Fx", take_overheads),
     .at = OPTION_AT(struct placement_change, overheads),
     .help = "What calls take on top of the links, where the network's description tells: 0.5x "
             "halves it"},
    {OPTION_OWN("collectives", "NAME|OP=ALGORITHM,...", take_collectives),
     .at = OPTION_AT(const char *, collectives),
     .help = "Collective algorithms: tree (default: logarithmic), or those that SimGrid has for "
             "ompi, mpich, mvapich2 or impi (the first call costs 33 s at 1,024 ranks), or "
             "automatic, default; or one by one: allreduce=ring,bcast=binomial_tree"},
    {0}};

const struct command_options placement_options = {rows, check};
