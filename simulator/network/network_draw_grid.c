/* SPDX-License-Identifier: Apache-2.0
 *
 * A torus as a grid of its first two dimensions, each place standing for the hosts that differ in
 * the others; a dragonfly as a ring of groups beside one group in detail; see network_draw.h.
 */
#include "base/str.h"
#include "simulator/network/network_draw.h"

#include "simulator/network/svg.h"

#include <math.h>

#define PLACES_DRAWN 9
#define GROUPS_DRAWN 16
#define ROUTERS_DRAWN 9

/* Neighbours within one row or column, with a gap where some are hidden, and the way round. */
static void draw_ring(struct str *out, const struct drawn *along, size_t length, double across,
                      bool is_row) {
    size_t last = along->count - 1;
    for (size_t i = 0; i < last; i++) {
        double half = is_row ? 27 : 10;
        double from = along->at[i] + half, to = along->at[i + 1] - half;
        if (is_row)
            svg_line(out, "link", from, across, to, across);
        else
            svg_line(out, "link", across, from, across, to);
    }
    if (length < 3)
        return;
    if (is_row)
        svg_curve(out, along->at[0], across - 10, along->at[last], across - 10, 0, -26);
    else
        svg_curve(out, across + 15, along->at[0], across + 15, along->at[last], 30, 0);
}

static void note_hidden(struct str *out, const struct drawn *columns, const struct drawn *rows,
                        struct arena *arena) {
    if (columns->hidden > 0)
        svg_text(out, "label", columns->hidden_at, rows->at[0] - 6, "middle",
                 arena_printf(arena, "%zu more", columns->hidden));
    if (rows->hidden > 0)
        svg_text(out, "label", columns->at[0] - 6, rows->hidden_at + 4, "end",
                 arena_printf(arena, "%zu more", rows->hidden));
}

double network_draw_torus(struct str *out, const struct network *network, double y,
                          struct arena *arena) {
    const struct network_list *dimensions = &network->dimensions;
    size_t width = dimensions->of[0], height = dimensions->count > 1 ? dimensions->of[1] : 1;
    size_t rows_drawn = height < PLACES_DRAWN ? height : PLACES_DRAWN;
    struct drawn columns = drawn_pick(width, PLACES_DRAWN, 60, DRAWING_WIDTH - 120);
    struct drawn rows = drawn_pick(height, PLACES_DRAWN, y + 30, y + 30 + 62 * (double)rows_drawn);
    for (size_t i = 0; i < rows.count; i++)
        draw_ring(out, &columns, width, rows.at[i], true);
    for (size_t i = 0; i < columns.count; i++)
        draw_ring(out, &rows, height, columns.at[i], false);
    for (size_t row = 0; row < rows.count; row++)
        for (size_t column = 0; column < columns.count; column++)
            svg_box(out, "host", columns.at[column], rows.at[row], 54, 20,
                    arena_printf(arena, "%zu,%zu", columns.of[column], rows.of[row]));
    note_hidden(out, &columns, &rows, arena);
    size_t depth = network->hosts / width / height;
    double end = rows.at[rows.count - 1] + 50;
    if (depth > 1)
        svg_text(out, "note", 16, end, "start",
                 arena_printf(arena,
                              "dimensions 1 (across) and 2 (down) of %zu; each box stands for %zu "
                              "hosts that are connected in the same way along the others",
                              dimensions->count, depth));
    return end + 14;
}

static void draw_groups(struct str *out, const struct network *network, double x, double y,
                        double radius, struct arena *arena) {
    const double turn = 6.283185307179586;
    struct drawn groups = drawn_pick(network->groups, GROUPS_DRAWN, 0, turn);
    radius = network->groups > 1 ? radius : 0;
    for (size_t i = 0; i < groups.count; i++)
        for (size_t k = i + 1; k < groups.count; k++)
            svg_line(out, "up", x + radius * sin(groups.at[i]), y - radius * cos(groups.at[i]),
                     x + radius * sin(groups.at[k]), y - radius * cos(groups.at[k]));
    for (size_t i = 0; i < groups.count; i++)
        svg_box(out, "switch", x + radius * sin(groups.at[i]), y - radius * cos(groups.at[i]), 66,
                22, arena_printf(arena, "group %zu", groups.of[i]));
    if (groups.hidden > 0)
        svg_text(out, "label", x + radius * sin(groups.hidden_at),
                 y - radius * cos(groups.hidden_at), "middle",
                 arena_printf(arena, "%zu more", groups.hidden));
}

/* One row of routers per chassis, with the hosts of the first one below. */
static double draw_group(struct str *out, const struct network *network, double x, double y,
                         struct arena *arena) {
    struct drawn routers = drawn_pick(network->routers, ROUTERS_DRAWN, x, DRAWING_WIDTH - 30);
    size_t rows = network->chassis < 7 ? network->chassis : 7;
    struct drawn chassis = drawn_pick(network->chassis, 7, y + 34, y + 34 + 44 * (double)rows);
    for (size_t row = 0; row < chassis.count; row++) {
        for (size_t i = 0; i < routers.count; i++)
            svg_box(out, "switch", routers.at[i], chassis.at[row], 44, 20,
                    arena_printf(arena, "%zu,%zu", chassis.of[row], routers.of[i]));
        if (routers.hidden > 0)
            svg_text(out, "label", routers.hidden_at, chassis.at[row] + 4, "middle",
                     arena_printf(arena, "%zu more", routers.hidden));
    }
    if (chassis.hidden > 0)
        svg_text(out, "label", routers.at[0], chassis.hidden_at, "middle",
                 arena_printf(arena, "%zu more", chassis.hidden));
    double end = chassis.at[chassis.count - 1];
    svg_box(out, "frame", (x + DRAWING_WIDTH - 30) / 2, (y + 16 + end + 22) / 2,
            DRAWING_WIDTH - 20 - x, end + 6 - y, NULL);
    svg_text(out, "note", x, y + 8, "start", "one group: chassis,router");
    return end + 46;
}

double network_draw_dragonfly(struct str *out, const struct network *network, double y,
                              struct arena *arena) {
    draw_groups(out, network, 230, y + 210, 170, arena);
    double end = draw_group(out, network, 500, y + 10, arena);
    const char *notes[] = {
        arena_printf(arena, "each router is connected with all of its chassis (%zu x)",
                     network->router_links),
        arena_printf(arena, "and with those of its number in the other chassis (%zu x)",
                     network->chassis_links),
        arena_printf(arena, "each group with each other one (%zu x), by router G for group G",
                     network->group_links),
        arena_printf(arena, "%zu host%s at each router", network->hosts_per_router,
                     text_plural(network->hosts_per_router)),
    };
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++, end += 19)
        svg_text(out, "note", 500, end, "start", notes[i]);
    return end > y + 410 ? end + 10 : y + 420;
}
