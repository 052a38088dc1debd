/* SPDX-License-Identifier: Apache-2.0
 *
 * Networks of layers (a switch, a backbone, a star, a fat tree) as rows of boxes, the hosts at the
 * bottom; see network_draw.h. Lines are drawn between those boxes of neighbouring rows that are
 * connected: in a fat tree, those whose labels differ only in the digit of their level (Zahavi,
 * "D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees",
 * 2010, from which SimGrid's fat trees come).
 */
#include "simulator/network/network_draw.h"

#include "base/file.h"
#include "base/str.h"
#include "simulator/network/network_path.h"
#include "simulator/network/svg.h"

#include <stdio.h>

#define ROW_HEIGHT 96.0
#define ROW_LEFT 240.0 /* what is to its left tells what the row is */
#define BOX_HEIGHT 24.0
#define HOSTS_DRAWN 12
#define SWITCHES_DRAWN 9

struct drawn drawn_pick(size_t total, size_t most, double from, double to) {
    struct drawn drawn = {0};
    size_t places = total <= most ? total : most;
    double step = (to - from) / (double)places;
    for (size_t i = 0; i < places; i++) {
        double at = from + step * ((double)i + 0.5);
        if (total > most && i == places - 2) {
            drawn.hidden = total - (places - 1);
            drawn.hidden_at = at;
            continue;
        }
        drawn.of[drawn.count] = i == places - 1 ? total - 1 : i;
        drawn.at[drawn.count++] = at;
    }
    return drawn;
}

/* A row of a layered network: level 0 is the hosts. */
struct network_draw_row {
    struct drawn drawn;
    double y;
};

static void draw_row(struct str *out, const struct network_draw_row *row, const char *style,
                     const char *prefix, const char *what, struct arena *arena) {
    double room = row->drawn.count > 1 ? row->drawn.at[1] - row->drawn.at[0] : 160;
    double width = room * 0.86 < 90 ? room * 0.86 : 90;
    for (size_t i = 0; i < row->drawn.count; i++) {
        const char *label = arena_printf(arena, "%s%zu", prefix, row->drawn.of[i]);
        svg_box(out, style, row->drawn.at[i], row->y, width, BOX_HEIGHT, label);
    }
    if (row->drawn.hidden > 0) {
        svg_text(out, "note", row->drawn.hidden_at, row->y, "middle", "...");
        svg_text(out, "label", row->drawn.hidden_at, row->y + 12, "middle",
                 arena_printf(arena, "%zu more", row->drawn.hidden));
    }
    svg_text(out, "note", 16, row->y + 4, "start", what);
}

/* Digit `digit` of node `number` in level `level`. */
static size_t label_digit(const struct network *network, size_t level, size_t number,
                          size_t digit) {
    for (size_t i = 0; i <= digit; i++) {
        size_t radix = i + 1 > level ? network->down.of[i] : network->up.of[i];
        if (i == digit)
            return number % radix;
        number /= radix;
    }
    return 0;
}

static bool are_connected(const struct network *network, size_t level, size_t parent,
                          size_t child) {
    if (network->topology == TOPOLOGY_STAR)
        return level == 2 || child / network->hosts_per_switch == parent;
    if (network->topology != TOPOLOGY_FAT_TREE)
        return true;
    for (size_t digit = 0; digit < network->down.count; digit++)
        if (digit + 1 != level && label_digit(network, level, parent, digit) !=
                                      label_digit(network, level - 1, child, digit))
            return false;
    return true;
}

static void draw_links(struct str *out, const struct network *network, size_t level,
                       const struct network_draw_row *parents,
                       const struct network_draw_row *children) {
    for (size_t i = 0; i < parents->drawn.count; i++)
        for (size_t k = 0; k < children->drawn.count; k++)
            if (are_connected(network, level, parents->drawn.of[i], children->drawn.of[k]))
                svg_line(out, level == 1 ? "link" : "up", parents->drawn.at[i],
                         parents->y + BOX_HEIGHT / 2, children->drawn.at[k],
                         children->y - BOX_HEIGHT / 2);
}

static size_t switches_of_level(const struct network *network, size_t level) {
    size_t count = 1;
    if (network->topology == TOPOLOGY_STAR)
        return level == 1 ? network->hosts / network->hosts_per_switch : 1;
    for (size_t i = 0; network->topology == TOPOLOGY_FAT_TREE && i < network->down.count; i++)
        count *= i < level ? network->up.of[i] : network->down.of[i];
    return count;
}

static size_t levels_of(const struct network *network) {
    if (network->topology == TOPOLOGY_FAT_TREE)
        return network->down.count;
    return network->topology == TOPOLOGY_STAR ? 2 : 1;
}

static const char *switch_note(const struct network *network, size_t level, struct arena *arena) {
    size_t count = switches_of_level(network, level);
    const char *plural = count == 1 ? "" : "es";
    if (network->topology != TOPOLOGY_FAT_TREE)
        return network->topology == TOPOLOGY_BACKBONE
                   ? "the backbone, shared by all"
                   : arena_printf(arena, "%zu switch%s", count, plural);
    size_t up = level < network->down.count ? network->up.of[level] : 0;
    return arena_printf(arena, "%zu switch%s: %zu down, %zu up", count, plural,
                        network->down.of[level - 1], up);
}

static double draw_layers(struct str *out, const struct network *network, double y,
                          struct arena *arena) {
    size_t levels = levels_of(network);
    struct network_draw_row above = {0};
    for (size_t level = levels; level > 0; level--, y += ROW_HEIGHT) {
        size_t count = switches_of_level(network, level);
        struct network_draw_row row = {
            drawn_pick(count, SWITCHES_DRAWN, ROW_LEFT, DRAWING_WIDTH - 16), y + 20};
        if (level < levels)
            draw_links(out, network, level + 1, &above, &row);
        const char *prefix = level == levels && levels > 1 ? "top " : "switch ";
        if (network->topology == TOPOLOGY_BACKBONE)
            prefix = "backbone ";
        draw_row(out, &row, "switch", prefix, switch_note(network, level, arena), arena);
        above = row;
    }
    struct network_draw_row hosts = {
        drawn_pick(network->hosts, HOSTS_DRAWN, ROW_LEFT, DRAWING_WIDTH - 16), y + 20};
    draw_links(out, network, 1, &above, &hosts);
    draw_row(out, &hosts, "host", "",
             arena_printf(arena, "%zu host%s, %zu core%s each", network->hosts,
                          text_plural(network->hosts), network->cores, text_plural(network->cores)),
             arena);
    return y + 60;
}

static void draw_path(struct str *out, const struct network *network, const char *name, size_t to,
                      double y, struct arena *arena) {
    struct network_path path = network_path(network, 0, to);
    svg_text(out, "note", 16, y, "start",
             arena_printf(arena, "%s, host 0 to %zu: %zu link%s, %.4g us + bytes / %.4g GB/s", name,
                          to, path.links, text_plural(path.links), path.latency_s * 1e6,
                          path.bandwidth_bytes_per_s / 1e9));
}

static double draw_notes(struct str *out, const struct network *network, double y,
                         struct arena *arena) {
    if (network->topology == TOPOLOGY_IDEAL)
        return y;
    draw_path(out, network, "in a host", 0, y + 14, arena);
    if (network->hosts > 1) {
        draw_path(out, network, "nearest", 1, y + 34, arena);
        draw_path(out, network, "farthest", network_farthest(network), y + 54, arena);
    }
    return y + 70;
}

int network_draw(const char *path, const struct network *network, struct error *error) {
    struct arena arena;
    struct str body = {0}, text = {0};
    arena_init(&arena);
    const char *summary = network_summary(network, &arena);
    svg_text(&body, "title", 16, 30, "start",
             network->title != NULL ? network->title : network_topology_name(network->topology));
    svg_text(&body, "note", 16, 52, "start", summary);
    double y = 80;
    if (network->topology == TOPOLOGY_TORUS)
        y = network_draw_torus(&body, network, y, &arena);
    else if (network->topology == TOPOLOGY_DRAGONFLY)
        y = network_draw_dragonfly(&body, network, y, &arena);
    else
        y = draw_layers(&body, network, y, &arena);
    y = draw_notes(&body, network, y, &arena);
    svg_begin(&text, DRAWING_WIDTH, y + 10, summary);
    str_add(&text, body.text);
    svg_end(&text);
    int result = file_write(path, text.text, text.length, error);
    str_dispose(&body);
    str_dispose(&text);
    arena_dispose(&arena);
    return result;
}
