/* SPDX-License-Identifier: Apache-2.0
 *
 * SVG (Scalable Vector Graphics 1.1, W3C 2011): a panel for each output, bars, a line, or cells of
 * a matrix in shades; single values as text. Of what is larger than the panel has points, each
 * point shows the largest of those that share it.
 */
#include "analysis/events/unit.h"
#include "analysis/events/view/data_view.h"
#include "base/xml.h"

#include <math.h>

#define PANEL_WIDTH 800
#define PLOT_LEFT 90
#define PLOT_WIDTH 680
#define PLOT_HEIGHT 200
#define BARS_MOST 25
#define BAR_HEIGHT 18
#define CELLS_MOST 256 /* a side of a matrix */

struct svg_panel {
    struct str *out;
    const struct events_result *result;
    double top, least, most;
    struct unit_scale scale;
};

static void add_text(struct str *out, double x, double y, const char *anchor, const char *text) {
    str_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    xml_escape(out, text);
    str_add(out, "</text>\n");
}

static void add_rect(struct str *out, double x, double y, double width, double height,
                     double shade) {
    str_printf(out,
               "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#2a6fb0\" "
               "fill-opacity=\"%.3f\"/>\n",
               x, y, width, height, shade);
}

static void add_number(struct str *out, const struct svg_panel *panel, double x, double y,
                       const char *anchor, double value) {
    struct str text = {0};
    str_printf(&text, "%.5g", value / panel->scale.factor);
    add_text(out, x, y, anchor, text.text);
    str_dispose(&text);
}

static long scaled(long i, long from, long to) {
    return (long)((double)i * (double)to / (double)from);
}

static double draw_bars(const struct svg_panel *panel) {
    const struct events_result *result = panel->result;
    long rows = result->rows > BARS_MOST ? BARS_MOST : result->rows;
    double most = fmax(panel->most, -panel->least);
    struct str label = {0};
    for (long i = 0; i < rows; i++) {
        double y = panel->top + (double)i * BAR_HEIGHT;
        double value = result_largest(result, scaled(i, rows, result->rows),
                                      scaled(i + 1, rows, result->rows), 0, 1);
        double width = result_part(fabs(value), 0, most) * (PLOT_WIDTH - 90);
        label.length = 0;
        result_label(&label, result, scaled(i, rows, result->rows));
        add_text(panel->out, PLOT_LEFT - 6, y + 13, "end", label.text);
        add_rect(panel->out, PLOT_LEFT, y + 2, width, BAR_HEIGHT - 4, 1);
        add_number(panel->out, panel, PLOT_LEFT + width + 5, y + 13, "start", value);
    }
    str_dispose(&label);
    return (double)rows * BAR_HEIGHT;
}

static double draw_line(const struct svg_panel *panel) {
    const struct events_result *result = panel->result;
    long points = result->rows > PLOT_WIDTH ? PLOT_WIDTH : result->rows;
    double to = result->has_axis ? result->to : (double)result->rows;
    struct unit_scale axis = unit_scale(result->axis_unit, fabs(to));
    struct str text = {0};
    str_add(panel->out,
            "<polyline fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"1.5\" points=\"");
    for (long i = 0; i < points; i++) {
        double value = result_largest(result, scaled(i, points, result->rows),
                                      scaled(i + 1, points, result->rows), 0, 1);
        str_printf(panel->out, "%.1f,%.1f ",
                   PLOT_LEFT + ((double)i + 0.5) * PLOT_WIDTH / (double)points,
                   panel->top + PLOT_HEIGHT * (1 - result_part(value, panel->least, panel->most)));
    }
    str_add(panel->out, "\"/>\n");
    add_number(panel->out, panel, PLOT_LEFT - 6, panel->top + 10, "end", panel->most);
    add_number(panel->out, panel, PLOT_LEFT - 6, panel->top + PLOT_HEIGHT, "end", panel->least);
    str_printf(&text, "%.5g %s", to / axis.factor, axis.name);
    add_text(panel->out, PLOT_LEFT + PLOT_WIDTH, panel->top + PLOT_HEIGHT + 15, "end", text.text);
    str_dispose(&text);
    return PLOT_HEIGHT + 20;
}

static double draw_matrix(const struct svg_panel *panel) {
    const struct events_result *result = panel->result;
    long rows = result->rows > CELLS_MOST ? CELLS_MOST : result->rows;
    long columns = result->row_length > CELLS_MOST ? CELLS_MOST : result->row_length;
    double width = (double)PLOT_WIDTH / (double)columns, height = fmin(width, 24);
    for (long i = 0; i < rows; i++)
        for (long k = 0; k < columns; k++) {
            double value = result_largest(
                result, scaled(i, rows, result->rows), scaled(i + 1, rows, result->rows),
                scaled(k, columns, result->row_length), scaled(k + 1, columns, result->row_length));
            if (value != panel->least)
                add_rect(panel->out, PLOT_LEFT + (double)k * width, panel->top + (double)i * height,
                         width, height, 0.1 + 0.9 * result_part(value, panel->least, panel->most));
        }
    add_number(panel->out, panel, PLOT_LEFT - 6, panel->top + 10, "end", panel->most);
    return (double)rows * height;
}

static double draw_values(const struct svg_panel *panel) {
    const struct events_result *result = panel->result;
    struct str text = {0};
    for (long i = 0; i < result->rows && i < BARS_MOST; i++) {
        str_add(&text, i > 0 ? " " : "");
        if (result->type == EVENT_STRING || result->is_nothing)
            result_value(&text, result, i, 0);
        else
            str_printf(&text, "%.6g", result_number(result, i, 0) / panel->scale.factor);
    }
    add_text(panel->out, PLOT_LEFT, panel->top + 14, "start", str_text(&text));
    str_dispose(&text);
    return 20;
}

static double draw(struct svg_panel *panel) {
    const struct events_result *result = panel->result;
    struct str title = {0};
    result_range(&panel->least, &panel->most, result);
    panel->scale = unit_scale(result->unit, fmax(panel->most, -panel->least));
    str_printf(&title, "%s%s%s%s", result->title != NULL ? result->title : result->name,
               panel->scale.name[0] != '\0' ? " (" : "", panel->scale.name,
               panel->scale.name[0] != '\0' ? ")" : "");
    add_text(panel->out, PLOT_LEFT, panel->top + 14, "start", title.text);
    str_dispose(&title);
    panel->top += 24;
    if (result->type == EVENT_STRING || result->dimension_count == 0 || result->rows == 0 ||
        result->row_length == 0)
        return draw_values(panel);
    if (result->row_length > 1)
        return draw_matrix(panel);
    return result->view == RESULT_LINE ? draw_line(panel) : draw_bars(panel);
}

void svg_view(struct str *out, const result_list *results) {
    struct str body = {0};
    double top = 10;
    for (size_t i = 0; i < results->count; i++) {
        struct svg_panel panel = {.out = &body, .result = &results->items[i], .top = top};
        double height = draw(&panel);
        top = panel.top + height + 16;
    }
    str_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
               "font-family=\"sans-serif\" font-size=\"12\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
               PANEL_WIDTH, top, str_text(&body));
    str_dispose(&body);
}
