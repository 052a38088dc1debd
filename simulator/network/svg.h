/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawings as SVG 1.1 text: boxes, lines, curves, words. Coordinates are in pixels from the left
 * upper corner. The colours are those of a style sheet in the file: "host", "switch", "link",
 * "up" (a link between switches), "note", "title".
 */
#pragma once

#include "base/str.h"

void svg_begin(struct str *out, double width, double height, const char *title);
void svg_end(struct str *out);

/* A box around (x, y); the label, in its middle, may be NULL. */
void svg_box(struct str *out, const char *style, double x, double y, double width, double height,
             const char *label);
void svg_line(struct str *out, const char *style, double x1, double y1, double x2, double y2);
/* A curve that leaves the line between its ends by (bend_x, bend_y). */
void svg_curve(struct str *out, double x1, double y1, double x2, double y2, double bend_x,
               double bend_y);
/* `anchor` is start, middle or end. */
void svg_text(struct str *out, const char *style, double x, double y, const char *anchor,
              const char *text);
