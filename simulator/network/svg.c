/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/network/svg.h"

#include "base/xml.h"

void svg_begin(struct str *out, double width, double height, const char *title) {
    str_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
               "viewBox=\"0 0 %g %g\">\n<title>",
               width, height, width, height);
    xml_escape(out, title);
    str_add(out, "</title>\n<style>\n"
                 "text { font-family: sans-serif; font-size: 13px; fill: #222 }\n"
                 ".title { font-size: 17px; font-weight: bold }\n"
                 ".note { fill: #555 }\n"
                 ".label { font-size: 11px }\n"
                 ".host { fill: #dbe9f6; stroke: #4878a8 }\n"
                 ".switch { fill: #fbe3c0; stroke: #b07820 }\n"
                 ".frame { fill: none; stroke: #999; stroke-dasharray: 4 3 }\n"
                 ".link { fill: none; stroke: #4878a8; stroke-width: 1.2 }\n"
                 ".up { fill: none; stroke: #b07820; stroke-width: 1.2 }\n"
                 "</style>\n");
    str_printf(out, "<rect width=\"%g\" height=\"%g\" fill=\"#fff\"/>\n", width, height);
}

void svg_end(struct str *out) {
    str_add(out, "</svg>\n");
}

void svg_box(struct str *out, const char *style, double x, double y, double width, double height,
             const char *label) {
    str_printf(out,
               "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
               "rx=\"3\"/>\n",
               style, x - width / 2, y - height / 2, width, height);
    if (label != NULL)
        svg_text(out, "label", x, y + 4, "middle", label);
}

void svg_line(struct str *out, const char *style, double x1, double y1, double x2, double y2) {
    str_printf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", style, x1, y1, x2, y2);
}

void svg_curve(struct str *out, double x1, double y1, double x2, double y2, double bend_x,
               double bend_y) {
    str_printf(out, "<path class=\"up\" d=\"M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f\"/>\n", x1, y1,
               x1 + bend_x, y1 + bend_y, x2 + bend_x, y2 + bend_y, x2, y2);
}

void svg_text(struct str *out, const char *style, double x, double y, const char *anchor,
              const char *text) {
    str_printf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", style, x, y,
               anchor);
    xml_escape(out, text);
    str_add(out, "</text>\n");
}
