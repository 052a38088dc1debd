/* SPDX-License-Identifier: Apache-2.0
 *
 * Which regions of two bundles are the same, and which are but for constants.
 */
#include "support.h"

#include "model/samples/translate.h"

static struct feature features[2];
static struct region items[2];
static struct regions sides[2];

/* One region on each side, with one feature. */
static void make(const char *left, const char *right) {
    for (int i = 0; i < 2; i++) {
        features[i] = (struct feature){"n1", i == 0 ? left : right, "", false};
        items[i] = (struct region){.id = "main-1",
                                   .code = i == 0 ? "a" : "b",
                                   .family = "f",
                                   .features = &features[i],
                                   .feature_count = 1};
        sides[i] = (struct regions){.items = &items[i], .count = 1};
    }
}

static int mapped(enum sameness sameness) {
    int map[1];
    int found = regions_map(map, &sides[0], &sides[1], sameness);
    assert_int_equal(map[0], found == 1 ? 0 : -1);
    return found;
}

TEST(features_may_differ_in_constants) {
    static const struct {
        const char *left, *right;
        int same;
    } table[] = {
        {"bsim_trips(0, (((1 << 20) / 4) * 1), 1)", "bsim_trips(0, (((1 << 23) / 16) * 1), 1)", 1},
        {"8 * n", "1024 * n", 1},
        {"n - 5u", "n - 0x1FuL", 1},
        {"n / 1e-3", "n / 2.5e+10f", 1},
        {"class == 'A'", "class == '\\''", 1},
        {"n", "n", 1},
        {"n1 * 2", "n2 * 2", 0},
        {"n * 2", "m * 2", 0},
        {"n * 2", "n + 2", 0},
        {"n * 2", "n * m", 0},
        {"2", "2 * 2", 0},
        {"0x1e+n", "0x1e+m", 0},
        {"a'", "b'", 0},
        {"'", "''", 0},
        {"", "2", 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        make(table[i].left, table[i].right);
        assert_int_equal(mapped(SAME_FAMILY), table[i].same);
        make(table[i].right, table[i].left);
        assert_int_equal(mapped(SAME_FAMILY), table[i].same);
    }
}

TEST(code_has_to_be_the_same_or_of_one_family) {
    make("n", "n");
    assert_int_equal(mapped(SAME_CODE), 0);
    items[1].code = "a";
    assert_int_equal(mapped(SAME_CODE), 1);
    features[1].expression = "m";
    assert_int_equal(mapped(SAME_CODE), 0);
    make("8", "9");
    items[1].code = "a";
    assert_int_equal(mapped(SAME_CODE), 0);
    items[1].family = "g";
    assert_int_equal(mapped(SAME_FAMILY), 0);
    items[0].family = items[1].family = ""; /* not told */
    assert_int_equal(mapped(SAME_FAMILY), 0);
}

TEST(the_rest_has_to_be_the_same) {
    make("n", "n");
    items[1].id = "main-2";
    assert_int_equal(mapped(SAME_FAMILY), 0);
    make("n", "n");
    items[1].value = VALUE_INTEGER;
    assert_int_equal(mapped(SAME_FAMILY), 0);
    make("n", "n");
    items[1].feature_count = 0;
    assert_int_equal(mapped(SAME_FAMILY), 0);
    make("n", "n");
    features[1].name = "n2";
    assert_int_equal(mapped(SAME_FAMILY), 0);
}

/* Code and family tell which one it is; how many were counted before it differs from build to
 * build.
 */
TEST(of_values_the_place_has_to_be_the_same) {
    static const struct {
        const char *id;
        const char *file;
        int line, same;
    } table[] = {
        {"share__2-4e743ab5", "a.c", 7, 1},   {"share-4e743ab5.2", "a.c", 7, 1},
        {"share__2-5e743ab5", "a.c", 7, 0},   {"share-4e743ab57", "a.c", 7, 0},
        {"share-4e743ab5", "b.c", 7, 0},      {"share-4e743ab5", "a.c", 8, 0},
        {"share__3-4e743ab5.3", "a.c", 7, 1}, {"share", "a.c", 7, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        make("n", "n");
        for (int k = 0; k < 2; k++) {
            items[k].value = VALUE_BRANCH;
            items[k].id = k == 0 ? "share-4e743ab5" : table[i].id;
            items[k].file = k == 0 ? "a.c" : table[i].file;
            items[k].line = k == 0 ? 7 : table[i].line;
        }
        assert_int_equal(mapped(SAME_FAMILY), table[i].same);
        items[1].family = "g";
        assert_int_equal(mapped(SAME_FAMILY), 0);
    }
}
