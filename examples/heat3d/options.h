/* SPDX-License-Identifier: Apache-2.0
 *
 * The command line of heat3d: nx ny nz steps, all optional, all positive; at most 100,000
 * cells in each direction and 10^9 steps.
 */
#ifndef HEAT3D_OPTIONS_H
#define HEAT3D_OPTIONS_H

struct options {
    int cells[3]; /* interior cells in x, y, z */
    int steps;
};

/* Fills in defaults, then what argv gives. 0, or -1 when something is no number in its range. */
int options_parse(struct options *out, int argc, char **argv);

#endif
