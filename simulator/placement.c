/* SPDX-License-Identifier: Apache-2.0
 *
 * argp's parser, and the choice between our platform and the user's; see placement.h.
 */
#include "simulator/placement.h"

#include "base/file.h"
#include "simulator/hosts.h"
#include "simulator/platform.h"
#include "simulator/units.h"

#include <string.h>

enum {
    KEY_PLATFORM = 0x100,
    KEY_HOSTFILE,
    KEY_PER_NODE,
    KEY_BANDWIDTH,
    KEY_LATENCY,
    KEY_COLLECTIVES,
    KEY_SETTING
};

static const char *const selectors[] = {"tree", "ompi",      "mpich",   "mvapich2",
                                        "impi", "automatic", "default", NULL};

static const struct argp_option option_table[] = {
    {NULL, 'n', "N", 0, "Number of ranks (also -np N)", 1},
    {"platform", KEY_PLATFORM, "FILE", 0,
     "SimGrid platform; default: one host per rank behind one switch, 1 Gf, 12.5GBps, 1us per link",
     1},
    {"hostfile", KEY_HOSTFILE, "FILE", 0,
     "Hosts to use, one per line, or NAME:K for K ranks; default: all hosts of the platform", 1},
    {"ranks-per-node", KEY_PER_NODE, "K", 0, "Ranks on one host (default 1)", 1},
    {"bandwidth", KEY_BANDWIDTH, "B", 0, "Of each link of the default platform, e.g. 12.5GBps", 1},
    {"latency", KEY_LATENCY, "T", 0, "Of each link of the default platform, e.g. 1us", 1},
    {"collectives", KEY_COLLECTIVES, "NAME", 0,
     "Collective algorithms: tree (default: logarithmic), or those that SimGrid has for ompi, "
     "mpich, mvapich2 or impi (the first call costs 33 s at 1,024 ranks), or automatic, default",
     1},
    {0},
};

static bool is_selector(const char *name) {
    for (const char *const *one = selectors; *one != NULL; one++)
        if (strcmp(*one, name) == 0)
            return true;
    return false;
}

static int parse_value(struct placement_options *options, int key, char *value,
                       struct error *error) {
    switch (key) {
    case 'n':
        return count_parse(&options->ranks, value, "-np", error);
    case KEY_PER_NODE:
        return count_parse(&options->ranks_per_host, value, "--ranks-per-node", error);
    case KEY_BANDWIDTH:
        return bandwidth_parse(&options->bandwidth_bytes_per_s, value, "--bandwidth", error);
    case KEY_LATENCY:
        return latency_parse(&options->latency_s, value, "--latency", error);
    case KEY_COLLECTIVES:
        options->collectives = value;
        return is_selector(value) ? 0 : error_set(error, "--collectives: unknown name '%s'", value);
    default:
        vec_push(&options->settings, value);
        return strchr(value, ':') != NULL
                   ? 0
                   : error_set(error, "--cfg takes KEY:VALUE, not '%s'", value);
    }
}

static int check(const struct placement_options *options, struct error *error) {
    if (options->ranks == 0)
        return error_set(error, "how many ranks? Give -np N");
    if (options->platform == NULL && options->hostfile != NULL)
        return error_set(error, "--hostfile names hosts of a platform: give --platform, too");
    if (options->platform != NULL &&
        (options->bandwidth_bytes_per_s > 0 || options->latency_s >= 0))
        return error_set(error, "--bandwidth and --latency are for the default platform; with "
                                "--platform, edit the file");
    return 0;
}

static error_t parse(int key, char *value, struct argp_state *state) {
    struct placement_options *options = state->input;
    struct error error = {0};
    int result = 0;
    if (key == KEY_PLATFORM)
        options->platform = value;
    else if (key == KEY_HOSTFILE)
        options->hostfile = value;
    else if (key == 'n' || (key >= KEY_PER_NODE && key <= KEY_SETTING))
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
    return (struct placement_options){.ranks_per_host = 1, .latency_s = -1, .collectives = "tree"};
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

static int prepare_default(struct placement *out, const struct placement_options *options,
                           const char *directory, struct arena *arena, struct error *error) {
    size_t hosts = (options->ranks - 1) / options->ranks_per_host + 1;
    struct platform_spec spec = platform_spec_default(hosts);
    spec.cores_per_host = options->ranks_per_host;
    if (options->bandwidth_bytes_per_s > 0)
        spec.bandwidth_bytes_per_s = options->bandwidth_bytes_per_s;
    if (options->latency_s >= 0)
        spec.latency_s = options->latency_s;
    out->platform_file = path_join(arena, directory, "platform.xml");
    return platform_write(out->platform_file, &spec, error);
}

/* The hosts that may be used, in order: the hostfile's, else the platform's. */
static int read_hosts(struct host_list *out, const struct placement_options *options,
                      const char *platform_file, struct error *error) {
    struct host_list known = {0};
    bool opaque = platform_is_shared_object(platform_file);
    if (opaque && options->hostfile == NULL)
        return error_set(error,
                         "%s is a shared object, whose hosts cannot be listed: give "
                         "--hostfile",
                         platform_file);
    if (!opaque && hosts_read(&known, platform_file, error) != 0)
        return -1;
    if (options->hostfile == NULL) {
        *out = known;
        return 0;
    }
    int result = hostfile_read(out, options->hostfile, &known, error);
    host_list_dispose(&known);
    return result;
}

int placement_prepare(struct placement *out, const struct placement_options *options,
                      const char *directory, struct arena *arena, struct error *error) {
    struct host_list hosts = {0};
    *out = (struct placement){.platform_file = options->platform};
    if (options->platform == NULL && prepare_default(out, options, directory, arena, error) != 0)
        return -1;
    if (read_hosts(&hosts, options, out->platform_file, error) != 0)
        return -1;
    const char *name = options->hostfile != NULL   ? options->hostfile
                       : options->platform != NULL ? options->platform
                                                   : "the default platform";
    out->host_file = path_join(arena, directory, "hostfile");
    out->host_count = hosts.names.count;
    int result = hostfile_write(out->host_file, hosts.names.items, hosts.names.count,
                                options->ranks, options->ranks_per_host, name, error);
    host_list_dispose(&hosts);
    return result;
}

void placement_apply(struct launch *launch, const struct placement *placement,
                     const struct placement_options *options) {
    launch->ranks = options->ranks;
    launch->platform_file = placement->platform_file;
    launch->host_file = placement->host_file;
    launch->collectives = options->collectives;
    launch->settings = options->settings.items;
    launch->setting_count = options->settings.count;
}
