/* SPDX-License-Identifier: Apache-2.0
 *
 * The reader of regions.json.
 */
#include "support.h"

#include "model/samples/region.h"

#include <string.h>

TEST(all_members_are_read) {
    const char *path = test_path("regions.json");
    struct regions regions;
    struct error error = {0};
    write_text(path, regions_text());
    assert_int_equal(regions_read(&regions, path, &error), 0);
    assert_string_equal(regions.bundle, TEST_BUNDLE);
    assert_string_equal(regions.program, "heat3d");
    assert_string_equal(regions.root, "/home/user/heat3d");
    assert_int_equal(regions.count, 3);
    const struct region *region = &regions.items[0];
    assert_string_equal(region->id, "relax-3fa2c9d1");
    assert_string_equal(region->function, "relax");
    assert_string_equal(region->file, "heat3d.c");
    assert_int_equal(region->line, 120);
    assert_int_equal(region->end_line, 145);
    assert_string_equal(region->summary, "3 loops");
    assert_int_equal(region->feature_count, 2);
    assert_string_equal(region->features[0].meaning, "rows");
    assert_string_equal(region->features[1].name, "n2");
    assert_string_equal(region->features[1].expression, "BSIM_TRIPS(2)");
    assert_int_equal(regions.items[1].feature_count, 0);
    regions_dispose(&regions);
}

#define START "{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":\"" TEST_BUNDLE "\","
#define KEPT_CALL(function, line) "{\"function\":" function ",\"file\":\"a.c\",\"line\":" line "}"

/* Those without a function or a line are none. */
TEST(calls_that_are_kept_are_read) {
    const char *path = test_path("regions.json");
    struct regions regions;
    struct error error = {0};
    write_text(path,
               START "\"regions\":[],\"kept_calls\":[" KEPT_CALL("\"puts\"", "-1") "," KEPT_CALL(
                   "7", "3") "," KEPT_CALL("\"exit\"", "4") "]}\n");
    if (regions_read(&regions, path, &error) != 0)
        fail_msg("%s", error.text);
    assert_int_equal(regions.kept_call_count, 1);
    assert_string_equal(regions.kept_calls[0].function, "exit");
    assert_int_equal(regions.kept_calls[0].line, 4);
    regions_dispose(&regions);
}

#define PLACE "\"file\":\"a.c\",\"line\":1,\"end_line\":2"

static const struct {
    const char *text;
    const char *error;
} refused[] = {
    {"", ":1:0: error: not valid JSON"},
    {"[]", "this is not a regions file"},
    {"{\"format\":\"mpiskel-samples\",\"version\":1}", "this is not a regions file"},
    {"{\"format\":\"mpiskel-regions\",\"version\":1}",
     ":1:1: error: bundle of an older mpiskel (format 1, this one needs 3): generate again"},
    {"{\"format\":\"mpiskel-regions\",\"version\":4}",
     ":1:1: error: bundle of a newer mpiskel (format 4, this one needs 3): use that one, or "
     "generate again"},
    {"{\"format\":\"mpiskel-regions\"}", "bundle of an older mpiskel (format 0, this one needs 3)"},
    {"{\"format\":\"mpiskel-regions\",\"version\":3,\"bundle\":\"xyz\"}", "16 hexadecimal digits"},
    {START "\"regions\":{}}", "'regions' is missing or no array"},
    {START "\"regions\":[{\"index\":1,\"id\":\"a\"," PLACE ",\"features\":[]}]}",
     "region number 0: its 'index' is not its position"},
    {START "\"regions\":[{\"index\":0,\"id\":\"a b\"," PLACE ",\"features\":[]}]}",
     "region number 0: its 'id' is missing or not one word"},
    {START "\"regions\":[{\"index\":0,\"id\":\"a\",\"file\":\"a.c\",\"line\":1,"
           "\"end_line\":99999999999,\"features\":[]}]}",
     "'file', 'line' or 'end_line' is missing"},
    {START "\"regions\":[{\"index\":0,\"id\":\"a\"," PLACE "}]}", "'features' is missing"},
    {START "\"regions\":[{\"index\":0,\"id\":\"a\"," PLACE ",\"features\":[3]}]}",
     "a feature has no name"},
    {START "\"regions\":[null]}", "region number 0"},
};

TEST(wrong_files_are_refused) {
    const char *path = test_path("regions.json");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct regions regions;
        struct error error = {0};
        write_text(path, refused[i].text);
        assert_int_equal(regions_read(&regions, path, &error), -1);
        assert_contains(error.text, refused[i].error);
        assert_contains(error.text, path);
    }
}

TEST(every_prefix_is_refused) {
    const char *path = test_path("regions.json");
    size_t end = strlen(regions_text()) - 1;
    for (size_t length = 0; length < end; length++) {
        struct regions regions;
        struct error error = {0};
        write_bytes(path, regions_text(), length);
        assert_int_equal(regions_read(&regions, path, &error), -1);
    }
}

TEST(damaged_files_do_no_harm) {
    const char *path = test_path("regions.json");
    struct random random;
    random_seed(&random, 2);
    for (int round = 0; round < 3000; round++) {
        char bytes[4096];
        size_t length = strlen(regions_text());
        struct regions regions;
        struct error error = {0};
        memcpy(bytes, regions_text(), length);
        damage(bytes, &length, &random);
        write_bytes(path, bytes, length);
        if (regions_read(&regions, path, &error) == 0)
            regions_dispose(&regions);
        else
            assert_contains(error.text, ": error: ");
    }
}

FIXTURE(directory_setup, directory_teardown)
