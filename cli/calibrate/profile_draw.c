/* SPDX-License-Identifier: Apache-2.0
 *
 * In: the curves of a profile. Out: an SVG with a line for each; see profile_draw.h. Costs are as
 * they were measured, those of the nearest cache included.
 */
#include "cli/calibrate/profile_draw.h"

#include <math.h>
#include <stdio.h>

#define WIDTH 640
#define HEIGHT 400
#define MARGIN 60
#define NS_LEAST 0.1
#define NS_MOST 1000
#define BYTES_LEAST 2048.0
#define BYTES_MOST (1 << 30)

static const char *const colours[CURVE_COUNT] = {"#1b6ca8", "#c8553d", "#588157", "#7b2d8b",
                                                 "#b08900"};

static double part_of(double value, double least, double most) {
    return log(fmin(fmax(value, least), most) / least) / log(most / least);
}

static double x_of(double bytes) {
    return MARGIN + part_of(bytes, BYTES_LEAST, BYTES_MOST) * (WIDTH - 2 * MARGIN);
}

static double y_of(double ns) {
    return HEIGHT - MARGIN - part_of(ns, NS_LEAST, NS_MOST) * (HEIGHT - 2 * MARGIN);
}

static void draw_text(struct str *out, double x, double y, const char *text) {
    str_printf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x, y, text);
}

static void draw_axes(struct str *out) {
    static const struct {
        double bytes;
        const char *name;
    } marks[] = {{4096, "4 kiB"},
                 {65536, "64 kiB"},
                 {1 << 20, "1 MiB"},
                 {1 << 24, "16 MiB"},
                 {1 << 28, "256 MiB"}};
    for (double ns = NS_LEAST; ns <= NS_MOST * 1.01; ns *= 10) {
        char name[32];
        snprintf(name, sizeof name, "%g ns", ns);
        str_printf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ccc\"/>\n",
                   MARGIN, WIDTH - MARGIN, y_of(ns), y_of(ns));
        draw_text(out, 8, y_of(ns) + 4, name);
    }
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        draw_text(out, x_of(marks[i].bytes) - 16, HEIGHT - MARGIN + 18, marks[i].name);
    draw_text(out, WIDTH / 2 - 40, HEIGHT - 14, "working set");
}

static void draw_curve(struct str *out, const struct machine_profile *profile, int curve) {
    const struct measured_curve *measured = &profile->curves[curve];
    str_printf(out, "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"",
               colours[curve]);
    for (int i = 0; i < measured->count; i++)
        str_printf(out, "%.1f,%.1f ", x_of(measured->levels[i].bytes),
                   y_of(measured->levels[i].ns));
    str_add(out, "\"/>\n");
    str_printf(out, "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n", MARGIN + 10 + 90 * curve,
               MARGIN - 20, colours[curve], memory_curve_name((enum memory_curve)curve));
}

void profile_draw(struct str *out, const struct machine_profile *profile) {
    str_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
               "font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
               WIDTH, HEIGHT);
    draw_text(out, MARGIN + 10, 20,
              "Nanoseconds for a line (stream, stride, store) or an element (random, chase)");
    draw_axes(out);
    for (int i = 0; i < CURVE_COUNT; i++)
        draw_curve(out, profile, i);
    str_add(out, "</svg>\n");
}
