/* SPDX-License-Identifier: Apache-2.0
 *
 * `mpiskel platform`: from a description to what SimGrid reads, and to what people look at.
 *
 * In: a topology, preset or description file, and keys on the command line. Out: platform.xml,
 * hostfile and network.txt (`-o`), a drawing (`--draw`), and a report of how far it is to the
 * nearest and the farthest host. `--list` and `--print` show presets.
 */
#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/output_format.h"
#include "base/str.h"
#include "cli/common/command_syntax.h"
#include "cli/common/commands.h"
#include "simulator/network/hosts.h"
#include "simulator/network/network.h"
#include "simulator/network/network_draw.h"
#include "simulator/network/network_path.h"
#include "simulator/network/network_presets.h"
#include "simulator/network/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Platform options ---- */

/*
 * The command line of `mpiskel platform`: one option for each key of a description.
 * The table for `mpiskel platform` is made from the keys.
 */

struct platform_setting {
    const char *key, *value;
};

struct platform_options {
    const char *what; /* a topology, preset or file */
    struct platform_setting settings[64];
    size_t setting_count;
    size_t ranks;                    /* 0: not given */
    const char *directory, *drawing; /* NULL: not given */
    const char *placement_file;      /* NULL: not given, or block or cyclic, which is a key */
    enum output_format format;
    bool list, print;
};

#define OPTIONS struct platform_options

static int add_setting(struct platform_options *options, const char *key, const char *value,
                       struct error *error) {
    if (options->setting_count == sizeof options->settings / sizeof *options->settings)
        return error_set(error, "too many options");
    options->settings[options->setting_count++] = (struct platform_setting){key, value};
    return 0;
}

static int take_nodes(void *out, const char *text, struct error *error) {
    return add_setting(out, "hosts", text, error);
}

static int take_key(void *out, const struct command_option *option, const char *text,
                    struct error *error) {
    struct platform_options *options = out;
    bool is_file = strcmp(option->name, "placement") == 0 && strcmp(text, "block") != 0 &&
                   strcmp(text, "cyclic") != 0;
    if (!is_file)
        return add_setting(options, option->name, text, error);
    options->placement_file = text;
    return 0;
}

static const struct command_option own_rows[] = {
    {COMMON_OUTPUT(directory), .value = "DIR",
     .help = "Write platform.xml, hostfile and network.txt (the description with what was left "
             "open) there"},
    {COMMON_RANKS(ranks),
     .help = "Number of ranks in the hostfile (also -np N); default: all hosts full"},
    {OPTION_TEXT("draw", "FILE.svg", drawing), .help = "Draw the topology"},
    {OPTION_ON("print", print),
     .help = "Print the description, with its sources where it is a preset"},
    {OPTION_ON("list", list), .help = "List the presets"},
    {COMMON_FORMAT(format)},
    {OPTION_GROUP("Keys of the description:")},
    {OPTION_OWN("nodes", "N", take_nodes), .help = "The same as --hosts"}};

#define OWN_COUNT (sizeof own_rows / sizeof *own_rows)

/* Our own options, then the keys, then the end. The topology is no option: it is the argument. */
static void fill_table(struct command_option *table) {
    size_t count = OWN_COUNT;
    memcpy(table, own_rows, sizeof own_rows);
    for (const struct network_key *key = network_keys(); key->name != NULL; key++)
        if (strcmp(key->name, "topology") != 0)
            table[count++] = (struct command_option){
                .name = key->name, .value = key->unit, .take = take_key, .help = key->meaning};
    table[count] = (struct command_option){0};
}

static int check(void *input, struct error *error) {
    const struct platform_options *options = input;
    if (options->what == NULL && !options->list)
        return error_set(error, "which network? Give a topology, a preset (--list) or a file");
    if (options->ranks > 0 && options->directory == NULL)
        return error_set(error, "-np is for the hostfile: give -o DIR, too");
    return 0;
}

/* Exits with code 64 where it makes no sense. */
static void platform_options_parse(struct platform_options *out, int argc, char **argv) {
    static struct command_option table[OWN_COUNT + 65];
    const struct command_syntax syntax = {
        .name = "mpiskel platform",
        .usage = "WHAT [--KEY VALUE...]",
        .about =
            "Write a SimGrid platform and hostfile from the description of a network, and tell "
            "what it is."
            "\vWHAT is a topology (switch, backbone, star, fat-tree, dragonfly, torus, ideal), a "
            "preset "
            "(--list) or a description file with lines KEY = VALUE, whose keys are those above "
            "(docs/how-to/describe-a-network.md). Options go before what the file says.\n\n"
            "Examples:\n"
            "  mpiskel platform fat-tree --nodes 1024 -o fabric --draw fabric.svg\n"
            "  mpiskel platform summit --print > mine.net    (then edit mine.net)\n"
            "  mpiskel run heat3d.skel -np 1024 --network mine.net -- 512 512 512 20\n\n"
            "Exit code: 0 fine, 1 failed, 64 usage.",
        .options = {table, check},
        .arguments = {OPTION_AT(const char *, what)},
        .argument_count = 1,
        .too_many = "one network at a time",
    };
    fill_table(table);
    *out = (struct platform_options){0};
    command_syntax_prepare(argc, argv);
    command_syntax_parse(&syntax, out, argc, argv);
}

/* ---- Platform ---- */

struct platform_job {
    struct arena arena;
    const struct platform_options *options;
    struct network network;
    const char *platform_file, *host_file, *description_file; /* NULL: not written */
    size_t ranks;                                             /* of the hostfile */
};

static int list_presets(const struct platform_options *options) {
    json_t *array = json_array();
    for (const struct network_preset *one = network_presets(); one->name != NULL; one++) {
        if (options->format == OUTPUT_JSON)
            json_array_append_new(
                array, json_pack("{s:s, s:s}", "name", one->name, "summary", one->summary));
        else
            printf("%-18s %s\n", one->name, one->summary);
    }
    if (options->format == OUTPUT_JSON) {
        json_t *root = json_pack("{s:s, s:i, s:O}", "format", "mpiskel-networks", "version", 1,
                                 "presets", array);
        json_dumpf(root, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(root);
    }
    json_decref(array);
    return 0;
}

/* The keys of the command line; those that say nothing about the topology are errors. */
static int apply_settings(struct platform_job *job, struct error *error) {
    struct network *network = &job->network;
    for (size_t i = 0; i < job->options->setting_count; i++) {
        const struct platform_setting *setting = &job->options->settings[i];
        struct network_fault fault;
        struct error inner = {0};
        if (network_set(network, setting->key, setting->value, &job->arena, &fault, &inner) != 0)
            return error_set(error, "--%s %s: %s", setting->key, setting->value, inner.text);
        for (const struct network_key *key = network_keys(); key->name != NULL; key++)
            if (strcmp(key->name, setting->key) == 0 &&
                (key->topologies & 1U << network->topology) == 0)
                return error_set(error, "--%s says nothing about the topology %s: leave it out",
                                 key->name, network_topology_name(network->topology));
    }
    return 0;
}

static size_t ranks_per_host(const struct network *network) {
    return network->ranks_per_node > 0 ? network->ranks_per_node : network->cores;
}

/* Does the description tell how large the network is? */
static bool has_size(const struct platform_job *job) {
    const struct network *network = &job->network;
    return job->options->ranks > 0 || network->hosts > 0 || network->dimensions.count > 0 ||
           network->down.count > 0 || network->groups > 0;
}

static int complete(struct platform_job *job, struct error *error) {
    struct error inner = {0};
    size_t per_host = ranks_per_host(&job->network);
    size_t needed = job->options->ranks > 0 ? (job->options->ranks - 1) / per_host + 1 : 0;
    if (!has_size(job))
        return error_set(error, "how many hosts? Give --nodes N, or a shape such as --dimensions");
    if (network_complete(&job->network, needed, &inner) == 0)
        return 0;
    return file_exists(job->options->what)
               ? error_set(error, "%s:1:1: error: %s", job->options->what, inner.text)
               : error_set(error, "%s", inner.text);
}

static int write_hosts(struct platform_job *job, struct error *error) {
    const struct platform_options *options = job->options;
    struct host_list hosts = {0}, named = {0};
    size_t per_host = ranks_per_host(&job->network);
    if (hosts_read(&hosts, job->platform_file, error) != 0)
        return -1;
    bool is_list = options->placement_file != NULL;
    int result = is_list ? hostfile_read(&named, options->placement_file, &hosts, error) : 0;
    const struct host_list *used = is_list ? &named : &hosts;
    job->ranks = options->ranks > 0 ? options->ranks
                 : is_list          ? named.names.count
                                    : hosts.names.count * per_host;
    if (result == 0)
        result =
            hostfile_write(job->host_file, used->names.items, used->names.count, job->ranks,
                           is_list ? 1 : per_host, job->network.cyclic != 0, options->what, error);
    if (result == 0 || !is_list)
        host_list_dispose(&named);
    host_list_dispose(&hosts);
    return result;
}

static int write_files(struct platform_job *job, struct error *error) {
    const char *directory = job->options->directory;
    struct str description = {0};
    if (directory_make(directory, error) != 0)
        return -1;
    job->platform_file = path_join(&job->arena, directory, "platform.xml");
    job->host_file = path_join(&job->arena, directory, "hostfile");
    job->description_file = path_join(&job->arena, directory, "network.txt");
    network_to_text(&description, &job->network);
    int result = network_write(job->platform_file, &job->network, error);
    if (result == 0)
        result = write_hosts(job, error);
    if (result == 0)
        result = file_write(job->description_file, description.text, description.length, error);
    str_dispose(&description);
    return result;
}

static void text_path(const struct network *network, const char *name, size_t to) {
    struct network_path path = network_path(network, 0, to);
    printf("%-10s %s0 -> %s%zu: %zu link%s, %.4g us, %.4g GB/s; 8 B %.4g us, 1 MiB %.4g us\n", name,
           network->prefix, network->prefix, to, path.links, text_plural(path.links),
           path.latency_s * 1e6, path.bandwidth_bytes_per_s / 1e9,
           network_path_time(&path, 8) * 1e6, network_path_time(&path, 1048576) * 1e6);
}

static void print_text(struct platform_job *job) {
    const struct network *network = &job->network;
    if (network->title != NULL)
        printf("%s\n", network->title);
    printf("%s\n", network_summary(network, &job->arena));
    text_path(network, "in a host", 0);
    if (network->hosts > 1)
        text_path(network, "nearest", 1);
    if (network->hosts > 1)
        text_path(network, "farthest", network_farthest(network));
    if (job->options->directory != NULL)
        printf("written: %s, %s (%zu ranks), %s\n", job->platform_file, job->host_file, job->ranks,
               job->description_file);
    if (job->options->drawing != NULL)
        printf("drawn: %s\n", job->options->drawing);
}

static json_t *json_path(const struct network *network, size_t to) {
    struct network_path path = network_path(network, 0, to);
    return json_pack("{s:I, s:I, s:f, s:f}", "to", (json_int_t)to, "links", (json_int_t)path.links,
                     "latency_s", path.latency_s, "bandwidth_bytes_per_s",
                     path.bandwidth_bytes_per_s);
}

static void print_json(struct platform_job *job) {
    const struct network *network = &job->network;
    size_t nearest = network->hosts > 1 ? 1 : 0;
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "format", "mpiskel-platform", "version", 1,
        "topology", network_topology_name(network->topology), "summary",
        network_summary(network, &job->arena), "hosts", (json_int_t)network->hosts, "cores",
        (json_int_t)network->cores, "in_host", json_path(network, 0), "nearest",
        json_path(network, nearest), "farthest", json_path(network, network_farthest(network)));
    if (job->options->directory != NULL) {
        json_object_set_new(root, "platform", json_string(job->platform_file));
        json_object_set_new(root, "hostfile", json_string(job->host_file));
        json_object_set_new(root, "description", json_string(job->description_file));
        json_object_set_new(root, "ranks", json_integer((json_int_t)job->ranks));
    }
    json_dumpf(root, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(root);
}

/* A preset as it is, with its comments; anything else as it was understood. */
static void print_description(struct platform_job *job) {
    const struct network_preset *preset = network_preset_find(job->options->what);
    struct str text = {0};
    if (preset != NULL && job->options->setting_count == 0)
        str_add(&text, preset->text);
    else
        network_to_text(&text, &job->network);
    fputs(str_text(&text), stdout);
    str_dispose(&text);
}

static int write_and_draw(const struct platform_options *options, struct platform_job *job,
                          struct error *error) {
    if (options->directory != NULL && write_files(job, error) != 0)
        return -1;
    return options->drawing != NULL ? network_draw(options->drawing, &job->network, error) : 0;
}

static int make(struct platform_job *job, struct error *error) {
    const struct platform_options *options = job->options;
    bool print_only = options->print && options->directory == NULL && options->drawing == NULL;
    if (network_load(&job->network, options->what, &job->arena, error) != 0 ||
        apply_settings(job, error) != 0)
        return -1;
    if ((!print_only || has_size(job)) && complete(job, error) != 0)
        return -1;
    if (write_and_draw(options, job, error) != 0)
        return -1;
    if (options->print)
        print_description(job);
    else if (options->format == OUTPUT_JSON)
        print_json(job);
    else
        print_text(job);
    return fflush(stdout) == 0 ? 0 : error_set(error, "cannot write the report");
}

int command_platform(int argc, char **argv) {
    struct platform_options options;
    struct error error = {0};
    platform_options_parse(&options, argc, argv);
    struct platform_job job = {.options = &options};
    arena_init(&job.arena);
    int result = options.list ? list_presets(&options) : make(&job, &error);
    if (result != 0)
        error_print(&error);
    arena_dispose(&job.arena);
    return result == 0 ? EXIT_FINE : EXIT_FAILED;
}
