/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of outputs: of what is larger than its panel each point shows the largest of those that
 * share it.
 */
#include "analysis/events/result.h"
#include "analysis/events/view/data_view.h"
#include "analysis/source/text_records.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The caller's. */
static char *picture(const char *text) {
    static const char records[] = "A { int x; }\nA 1\n";
    struct event_source *source;
    struct arena arena = {0};
    struct script script;
    struct events_program program;
    struct error error = {0};
    struct str out = {0};
    result_list results;
    size_t count;
    FILE *stream = fmemopen((void *)(uintptr_t)records, strlen(records), "r");
    assert_fine(text_records_read(&source, stream, "records", &error), &error);
    script_init(&script, "case", text, strlen(text));
    if (expressions_load(&program, &arena, &script, source, NULL, 0) != 0)
        fail_msg("%s", str_text(&script.messages));
    assert_fine(expressions_run(&count, &program, source, &error), &error);
    assert_int_equal(results_collect(&results, &program), 0);
    svg_view(&out, &results);
    vec_dispose(&results);
    expressions_dispose(&program);
    script_dispose(&script);
    arena_dispose(&arena);
    event_source_close(source);
    return out.text;
}

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

/* Rectangles that `program` draws, without the ground; each has what is `shown`. */
static size_t rectangles(const char *program, const char *shown) {
    char *text = picture(program);
    size_t count = count_of(text, "<rect ") - 1;
    assert_contains(text, shown);
    free(text);
    return count;
}

TEST(no_more_than_twenty_five_bars_are_drawn) {
    assert_int_equal(rectangles("output int a[25]; a = 1; view bar(a);", ">24</text>"), 25);
    assert_int_equal(rectangles("output int a[60]; a = 1; a[58] = 9; view bar(a);", ">9</text>"),
                     25);
}

TEST(a_matrix_has_no_more_than_256_cells_a_side) {
    assert_int_equal(rectangles("output int a[256][2]; a += 1;", ">1</text>"), 512);
    assert_int_equal(rectangles("output int a[300][2]; a += 1; a[298][1] = 9;", ">9</text>"), 512);
    assert_int_equal(rectangles("output int a[2][300]; a += 1; a[1][298] = 9;", ">9</text>"), 512);
}

TEST(a_line_has_no_more_points_than_its_panel) {
    char *text = picture("output int a[5000]; a += 1; view line(a, title \"x < y\");");
    const char *points = strstr(text, "points=\"");
    assert_non_null(points);
    char *end = strchr(points + strlen("points=\""), '"');
    *end = '\0';
    assert_int_equal(count_of(points, ","), 680);
    assert_contains(text, "x &lt; y");
    free(text);
}

TEST(no_more_than_twenty_five_texts_are_shown) {
    char *text = picture("output string s[40]; s = \"word\";");
    assert_int_equal(count_of(text, "word"), 25);
    free(text);
}

/* Bars as long as their values, of 590 for the largest; a line in 680 by 200, with 0 at the bottom;
 * cells from light to dark. */
TEST(outputs_lie_below_each_other) {
    static const char wanted[] = "<text x=\"90.0\" y=\"24.0\" text-anchor=\"start\">b</text>\n"
                                 "<text x=\"84.0\" y=\"47.0\" text-anchor=\"end\">0</text>\n"
                                 "<rect x=\"90.00\" y=\"36.00\" width=\"295.00\" height=\"14.00\" "
                                 "fill=\"#2a6fb0\" fill-opacity=\"1.000\"/>\n"
                                 "<text x=\"390.0\" y=\"47.0\" text-anchor=\"start\">2</text>\n"
                                 "<text x=\"84.0\" y=\"65.0\" text-anchor=\"end\">1</text>\n"
                                 "<rect x=\"90.00\" y=\"54.00\" width=\"590.00\" height=\"14.00\" "
                                 "fill=\"#2a6fb0\" fill-opacity=\"1.000\"/>\n"
                                 "<text x=\"685.0\" y=\"65.0\" text-anchor=\"start\">4</text>\n"
                                 "<text x=\"90.0\" y=\"100.0\" text-anchor=\"start\">l</text>\n"
                                 "<polyline fill=\"none\" stroke=\"#2a6fb0\" stroke-width=\"1.5\" "
                                 "points=\"260.0,243.3 600.0,110.0 \"/>\n"
                                 "<text x=\"84.0\" y=\"120.0\" text-anchor=\"end\">3</text>\n"
                                 "<text x=\"84.0\" y=\"310.0\" text-anchor=\"end\">0</text>\n"
                                 "<text x=\"770.0\" y=\"325.0\" text-anchor=\"end\">2 </text>\n"
                                 "<text x=\"90.0\" y=\"360.0\" text-anchor=\"start\">m</text>\n"
                                 "<rect x=\"430.00\" y=\"370.00\" width=\"340.00\" "
                                 "height=\"24.00\" fill=\"#2a6fb0\" fill-opacity=\"0.400\"/>\n"
                                 "<rect x=\"90.00\" y=\"394.00\" width=\"340.00\" height=\"24.00\" "
                                 "fill=\"#2a6fb0\" fill-opacity=\"0.700\"/>\n"
                                 "<rect x=\"430.00\" y=\"394.00\" width=\"340.00\" "
                                 "height=\"24.00\" fill=\"#2a6fb0\" fill-opacity=\"1.000\"/>\n"
                                 "<text x=\"84.0\" y=\"380.0\" text-anchor=\"end\">3</text>\n"
                                 "<text x=\"90.0\" y=\"448.0\" text-anchor=\"start\">n</text>\n"
                                 "<text x=\"90.0\" y=\"472.0\" text-anchor=\"start\">7</text>\n";
    char *text = picture("output int b[2] = {2, 4}; output int l[2] = {1, 3};"
                         "output int m[2][2] = {0, 1, 2, 3}; output int n = 7;"
                         "view bar(b); view line(l);");
    assert_contains(text, "width=\"800\" height=\"494\"");
    assert_contains(text, wanted);
    free(text);
}
