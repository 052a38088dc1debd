/* SPDX-License-Identifier: Apache-2.0
 *
 * argp's table for `mpiskel platform` is made from the keys; see platform_options.h.
 */
#include "cli/platform/platform_options.h"

#include "cli/common/format_option.h"
#include "simulator/network/units.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LIST = 0x200, KEY_PRINT, KEY_DRAW, KEY_FORMAT, KEY_NODES, KEY_FIRST = 0x1000 };

static const struct argp_option own_options[] = {
    {"output", 'o', "DIR", 0,
     "Write platform.xml, hostfile and network.txt (the description with what was left open) there",
     1},
    {NULL, 'n', "N", 0, "Number of ranks in the hostfile (also -np N); default: all hosts full", 1},
    {"draw", KEY_DRAW, "FILE.svg", 0, "Draw the topology", 1},
    {"print", KEY_PRINT, NULL, 0, "Print the description, with its sources where it is a preset",
     1},
    {"list", KEY_LIST, NULL, 0, "List the presets", 1},
    {"format", KEY_FORMAT, "text|json", 0, "How the report is written (default text)", 1},
    {NULL, 0, NULL, 0, "Keys of the description:", 2},
    {"nodes", KEY_NODES, "N", 0, "The same as --hosts", 2},
};

#define OWN_COUNT (sizeof own_options / sizeof *own_options)

static const char documentation[] =
    "Write a SimGrid platform and hostfile from the description of a network, and tell what it is."
    "\vWHAT is a topology (switch, backbone, star, fat-tree, dragonfly, torus, ideal), a preset "
    "(--list) or a description file with lines KEY = VALUE, whose keys are those above "
    "(docs/how-to/describe-a-network.md). Options go before what the file says.\n\n"
    "Examples:\n"
    "  mpiskel platform fat-tree --nodes 1024 -o fabric --draw fabric.svg\n"
    "  mpiskel platform summit --print > mine.net    (then edit mine.net)\n"
    "  mpiskel run heat3d.skel -np 1024 --network mine.net -- 512 512 512 20\n\n"
    "Exit code: 0 fine, 1 failed, 64 usage.";

static void add_setting(struct platform_options *options, const char *key, const char *value,
                        struct argp_state *state) {
    if (options->setting_count == sizeof options->settings / sizeof *options->settings)
        argp_error(state, "too many options");
    options->settings[options->setting_count++] = (struct platform_setting){key, value};
}

static void parse_key(struct platform_options *options, const char *key, char *text,
                      struct argp_state *state) {
    bool is_file =
        strcmp(key, "placement") == 0 && strcmp(text, "block") != 0 && strcmp(text, "cyclic") != 0;
    if (is_file)
        options->placement_file = text;
    else
        add_setting(options, key, text, state);
}

static void check(const struct platform_options *options, struct argp_state *state) {
    if (options->what == NULL && !options->list)
        argp_error(state, "which network? Give a topology, a preset (--list) or a file");
    if (options->ranks > 0 && options->directory == NULL)
        argp_error(state, "-np is for the hostfile: give -o DIR, too");
}

static error_t parse(int key, char *text, struct argp_state *state) {
    struct platform_options *options = state->input;
    struct error error = {0};
    if (key >= KEY_FIRST && key < KEY_FIRST + 64) {
        parse_key(options, network_keys()[key - KEY_FIRST].name, text, state);
        return 0;
    }
    switch (key) {
    case 'o':
        options->directory = text;
        return 0;
    case 'n':
        if (count_parse(&options->ranks, text, "-np", &error) != 0)
            argp_error(state, "%s", error.text);
        return 0;
    case KEY_NODES:
        add_setting(options, "hosts", text, state);
        return 0;
    case KEY_DRAW:
        options->drawing = text;
        return 0;
    case KEY_PRINT:
        options->print = true;
        return 0;
    case KEY_LIST:
        options->list = true;
        return 0;
    case KEY_FORMAT:
        options->json = format_option(text, false, state) == OUTPUT_JSON;
        return 0;
    case ARGP_KEY_ARG:
        if (options->what != NULL)
            argp_error(state, "'%s': one network at a time", text);
        options->what = text;
        return 0;
    case ARGP_KEY_END:
        check(options, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Our own options, then the keys, then the end. The topology is no option: it is the argument. */
static void fill_table(struct argp_option *table) {
    size_t count = OWN_COUNT;
    memcpy(table, own_options, sizeof own_options);
    const struct network_key *keys = network_keys();
    for (int i = 0; keys[i].name != NULL; i++)
        if (strcmp(keys[i].name, "topology") != 0)
            table[count++] = (struct argp_option){
                keys[i].name, KEY_FIRST + i, keys[i].unit, 0, keys[i].meaning, 2};
    table[count] = (struct argp_option){0};
}

void platform_options_parse(struct platform_options *out, int argc, char **argv) {
    static struct argp_option table[OWN_COUNT + 65];
    static char name[] = "mpiskel platform", short_ranks[] = "-n";
    const struct argp argp = {.options = table,
                              .parser = parse,
                              .args_doc = "WHAT [--KEY VALUE...]",
                              .doc = documentation};
    fill_table(table);
    *out = (struct platform_options){0};
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-np") == 0)
            argv[i] = short_ranks;
    argv[0] = name;
    argp_parse(&argp, argc, argv, 0, NULL, out);
}
