/* SPDX-License-Identifier: Apache-2.0
 *
 * The scaling plot: time over ranks, both axes logarithmic, as SVG 1.1 without scripts or fonts of
 * its own. In: the report. Out: a file with the points (filled circles), the curve with its band,
 * what the skeleton itself says at the predicted numbers of ranks (open squares), and the ideal
 * from the first point on (dashed). Axes go from the least to the largest number that is drawn,
 * with lines at 1, 2 and 5 times the powers of ten (time) and at powers of two (ranks).
 */
#include "cli/scale/scale.h"

#include "base/file.h"
#include "base/str.h"
#include "base/xml.h"

#include <math.h>

#define WIDTH 760.0
#define HEIGHT 480.0
#define LEFT 76.0
#define RIGHT 20.0
#define TOP 48.0
#define BOTTOM 52.0
#define CURVE_STEPS 160
#define TIME_LEAST_S 1e-100 /* that is drawn; its inverse is the most */

struct plot {
    const struct scale_report *report;
    struct str text;
    double ranks_low, ranks_high, time_low_s, time_high_s;
};

/* Not a curve that has become 0, which has no logarithm. */
static void include_time(struct plot *plot, double time_s) {
    if (!(time_s > TIME_LEAST_S && time_s < 1 / TIME_LEAST_S))
        return;
    plot->time_low_s = fmin(plot->time_low_s, time_s);
    plot->time_high_s = fmax(plot->time_high_s, time_s);
}

static double ideal_s(const struct scale_report *report, double ranks) {
    const struct scaling_point *first = &report->scaling->points.items[0];
    return report->is_weak ? first->time_s : first->time_s * first->ranks / ranks;
}

static void find_ranges(struct plot *plot) {
    const struct scale_report *report = plot->report;
    const scaling_point_list *points = &report->scaling->points;
    plot->ranks_low = points->items[0].ranks;
    plot->ranks_high = points->items[points->count - 1].ranks;
    plot->time_low_s = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        include_time(plot, points->items[i].time_s);
    for (size_t i = 0; i < report->targets.count; i++) {
        const struct scale_target *target = &report->targets.items[i];
        plot->ranks_low = fmin(plot->ranks_low, target->ranks);
        plot->ranks_high = fmax(plot->ranks_high, target->ranks);
        include_time(plot, target->time_s);
        if (target->run != NULL && target->run->done)
            include_time(plot, target->run->time_s);
    }
    include_time(plot, ideal_s(report, plot->ranks_high));
    if (!(plot->time_low_s < plot->time_high_s))
        plot->time_high_s = plot->time_low_s = isfinite(plot->time_low_s) ? plot->time_low_s : 1;
    plot->time_low_s /= 1.25;
    plot->time_high_s *= 1.25;
    plot->ranks_low /= 1.15;
    plot->ranks_high *= 1.15;
}

static double x_of(const struct plot *plot, double ranks) {
    double part = log(ranks / plot->ranks_low) / log(plot->ranks_high / plot->ranks_low);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
}

/* What lies beyond the axes is drawn at their ends. */
static double y_of(const struct plot *plot, double time_s) {
    double inside_s = fmin(fmax(time_s, plot->time_low_s), plot->time_high_s);
    double part = log(inside_s / plot->time_low_s) / log(plot->time_high_s / plot->time_low_s);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
}

static double ranks_at(const struct plot *plot, int step) {
    double part = (double)step / CURVE_STEPS;
    return plot->ranks_low * pow(plot->ranks_high / plot->ranks_low, part);
}

/* ---- Parts ---- */

static void add_frame(struct plot *plot) {
    const struct scale_report *report = plot->report;
    str_printf(&plot->text,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
               "viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
               "<text x=\"%.0f\" y=\"20\" font-size=\"15\">",
               WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    xml_escape(&plot->text, report->program);
    if (report->arguments != NULL) {
        str_addc(&plot->text, ' ');
        xml_escape(&plot->text, report->arguments);
    }
    str_printf(&plot->text, ": %s scaling</text>\n", report->is_weak ? "weak" : "strong");
    str_printf(&plot->text,
               "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">ranks</text>\n"
               "<text transform=\"translate(16 %.0f) rotate(-90)\" text-anchor=\"middle\">time, "
               "s</text>\n",
               (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, (TOP + HEIGHT - BOTTOM) / 2);
}

static void add_time_line(struct plot *plot, double time_s, bool with_number) {
    double y = y_of(plot, time_s);
    str_printf(&plot->text,
               "<line x1=\"%.0f\" y1=\"%.1f\" x2=\"%.0f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", LEFT, y,
               WIDTH - RIGHT, y);
    if (with_number)
        str_printf(&plot->text, "<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
                   LEFT - 6, y + 4, time_s);
}

static void add_grid(struct plot *plot) {
    static const double steps[] = {1, 2, 5};
    bool many = log10(plot->time_high_s / plot->time_low_s) > 3;
    int low = (int)floor(log10(plot->time_low_s)), high = (int)ceil(log10(plot->time_high_s));
    for (int power = low; power <= high; power++)
        for (size_t i = 0; i < 3; i++) {
            double time_s = steps[i] * pow(10, power);
            if (time_s > plot->time_low_s && time_s < plot->time_high_s)
                add_time_line(plot, time_s, i == 0 || !many);
        }
    for (double ranks = 1; ranks <= plot->ranks_high; ranks *= 2) {
        double x = x_of(plot, ranks);
        if (ranks < plot->ranks_low)
            continue;
        str_printf(&plot->text,
                   "<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"#ddd\"/>\n"
                   "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.0f</text>\n",
                   x, TOP, x, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, ranks);
    }
    str_printf(&plot->text,
               "<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" fill=\"none\" "
               "stroke=\"black\"/>\n",
               LEFT, TOP, WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
}

static void add_band(struct plot *plot) {
    double low_s, high_s;
    if (!scaling_band(&low_s, &high_s, plot->report->scaling, plot->ranks_low))
        return;
    str_add(&plot->text, "<polygon fill=\"#3572b0\" fill-opacity=\"0.18\" points=\"");
    for (int i = 0; i <= 2 * CURVE_STEPS + 1; i++) {
        bool back = i > CURVE_STEPS;
        double ranks = ranks_at(plot, back ? 2 * CURVE_STEPS + 1 - i : i);
        scaling_band(&low_s, &high_s, plot->report->scaling, ranks);
        str_printf(&plot->text, "%.1f,%.1f ", x_of(plot, ranks), y_of(plot, back ? low_s : high_s));
    }
    str_add(&plot->text, "\"/>\n");
}

static void add_lines(struct plot *plot) {
    str_add(&plot->text,
            "<polyline fill=\"none\" stroke=\"#888\" stroke-dasharray=\"5 4\" points=\"");
    for (int i = 0; i <= CURVE_STEPS; i++) {
        double ranks = ranks_at(plot, i);
        str_printf(&plot->text, "%.1f,%.1f ", x_of(plot, ranks),
                   y_of(plot, ideal_s(plot->report, ranks)));
    }
    str_add(&plot->text,
            "\"/>\n<polyline fill=\"none\" stroke=\"#3572b0\" stroke-width=\"2\" points=\"");
    for (int i = 0; i <= CURVE_STEPS; i++) {
        double ranks = ranks_at(plot, i);
        str_printf(&plot->text, "%.1f,%.1f ", x_of(plot, ranks),
                   y_of(plot, scaling_time_s(plot->report->scaling, ranks)));
    }
    str_add(&plot->text, "\"/>\n");
}

static void add_square(struct plot *plot, double x, double y) {
    str_printf(&plot->text,
               "<rect x=\"%.1f\" y=\"%.1f\" width=\"8\" height=\"8\" fill=\"white\" "
               "stroke=\"#c0392b\" stroke-width=\"2\"/>\n",
               x - 4, y - 4);
}

static void add_marks(struct plot *plot) {
    const struct scale_report *report = plot->report;
    for (size_t i = 0; i < report->scaling->points.count; i++) {
        const struct scaling_point *point = &report->scaling->points.items[i];
        str_printf(&plot->text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                   x_of(plot, point->ranks), y_of(plot, point->time_s));
    }
    for (size_t i = 0; i < report->targets.count; i++) {
        const struct scale_target *target = &report->targets.items[i];
        if (target->run != NULL && target->run->done)
            add_square(plot, x_of(plot, target->ranks), y_of(plot, target->run->time_s));
    }
}

static void add_legend(struct plot *plot) {
    bool simulated = plot->report->is_simulated;
    double y = 36;
    str_printf(&plot->text,
               "<circle cx=\"%.0f\" cy=\"%.0f\" r=\"4\"/><text x=\"%.0f\" y=\"%.0f\">%s</text>\n"
               "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"#3572b0\" "
               "stroke-width=\"2\"/><text x=\"%.0f\" y=\"%.0f\">curve and band</text>\n"
               "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"#888\" "
               "stroke-dasharray=\"5 4\"/><text x=\"%.0f\" y=\"%.0f\">ideal</text>\n",
               LEFT + 6, y - 4, LEFT + 16, y, simulated ? "fitted points, simulated" : "points",
               LEFT + 190, y - 4, LEFT + 214, y - 4, LEFT + 220, y, LEFT + 330, y - 4, LEFT + 354,
               y - 4, LEFT + 360, y);
    if (plot->report->compared == 0)
        return;
    add_square(plot, LEFT + 424, y - 4);
    str_printf(&plot->text, "<text x=\"%.0f\" y=\"%.0f\">simulated, not fitted</text>\n",
               LEFT + 434, y);
}

int scale_plot(const struct scale_report *report, const char *path, struct error *error) {
    struct plot plot = {.report = report};
    find_ranges(&plot);
    add_frame(&plot);
    add_grid(&plot);
    add_band(&plot);
    add_lines(&plot);
    add_marks(&plot);
    add_legend(&plot);
    str_add(&plot.text, "</svg>\n");
    int result = file_write(path, plot.text.text, plot.text.length, error);
    str_dispose(&plot.text);
    return result;
}
