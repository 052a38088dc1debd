/* SPDX-License-Identifier: Apache-2.0
 *
 * A picture of a network, readable with 8 hosts and with a million: where there are more of a kind
 * than fit, the first ones and the last one are drawn, with the number of those between.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "simulator/network/network.h"

/* Writes an SVG file; the network is complete. */
int network_draw(const char *path, const struct network *network, struct error *error);

/* Which of `total` things are drawn, and where. */
#define DRAWN_MAX 24
struct drawn {
    size_t count, of[DRAWN_MAX]; /* ascending */
    double at[DRAWN_MAX];
    size_t hidden; /* between the last two */
    double hidden_at;
};

/* At most `most` things, evenly between two coordinates. */
struct drawn drawn_pick(size_t total, size_t most, double from, double to);

/* Torus and dragonfly, below y; they give back where they end. */
double network_draw_torus(struct str *out, const struct network *network, double y,
                          struct arena *arena);
double network_draw_dragonfly(struct str *out, const struct network *network, double y,
                              struct arena *arena);

#define DRAWING_WIDTH 1000.0
