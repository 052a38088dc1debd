/* SPDX-License-Identifier: Apache-2.0
 *
 * A network as the text of a description; see network.h. Numbers have as many digits as it takes to
 * read back the same network. Keys that were left open and that say nothing are left out.
 */
#include "simulator/network/network.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_list(struct str *out, const char *name, const struct network_list *list) {
    if (list->count == 0)
        return;
    str_printf(out, "%s = ", name);
    for (size_t i = 0; i < list->count; i++)
        str_printf(out, "%s%zu", i > 0 ? "," : "", list->of[i]);
    str_addc(out, '\n');
}

/* As few digits as are read back as the same number. */
static void add_number(struct str *out, double number) {
    char text[40];
    int digits = 1;
    do
        snprintf(text, sizeof text, "%.*g", digits, number);
    while (strtod(text, NULL) != number && digits++ < 17);
    str_add(out, text);
}

static void add_quantity(struct str *out, const struct network_key *key, double value) {
    const char *unit = key->kind == KIND_BANDWIDTH ? "Bps"
                       : key->kind == KIND_LATENCY ? "s"
                       : key->kind == KIND_PERCENT ? "%"
                                                   : "f";
    if (value > 0 || (key->kind == KIND_LATENCY && value == 0)) {
        str_printf(out, "%s = ", key->name);
        add_number(out, value);
        str_printf(out, "%s\n", unit);
    }
}

static void add_word(struct str *out, const struct network_key *key, size_t second) {
    const char *bar = strchr(key->unit, '|');
    if (second)
        str_printf(out, "%s = %s\n", key->name, bar + 1);
    else
        str_printf(out, "%s = %.*s\n", key->name, (int)(bar - key->unit), key->unit);
}

static void add_key(struct str *out, const struct network_key *key, const void *member) {
    const char *const *text = member;
    const size_t *count = member;
    switch (key->kind) {
    case KIND_TOPOLOGY:
        str_printf(out, "%s = %s\n", key->name, network_topology_name(*count));
        break;
    case KIND_LIST:
        add_list(out, key->name, member);
        break;
    case KIND_BANDWIDTH:
    case KIND_LATENCY:
    case KIND_SPEED:
    case KIND_PERCENT:
        add_quantity(out, key, *(const double *)member);
        break;
    case KIND_COUNT:
        if (*count > 0)
            str_printf(out, "%s = %zu\n", key->name, *count);
        break;
    case KIND_BYTES:
        if (*count != SIZE_MAX)
            str_printf(out, "%s = %zu\n", key->name, *count);
        break;
    case KIND_WORD:
        add_word(out, key, *count);
        break;
    default:
        if (*text != NULL)
            str_printf(out, "%s = %s\n", key->name, *text);
    }
}

/* A shape that was made from the radix is there as down and up. */
static bool is_said_otherwise(const struct network *network, const struct network_key *key) {
    return strcmp(key->name, "radix") == 0 && network->down.count > 0;
}

void network_to_text(struct str *out, const struct network *network) {
    for (const struct network_key *key = network_keys(); key->name != NULL; key++)
        if ((key->topologies & 1U << network->topology) != 0 && !is_said_otherwise(network, key))
            add_key(out, key, (const char *)network + key->offset);
}
