/* SPDX-License-Identifier: Apache-2.0
 *
 * Units, the default platform, hostfiles.
 */
#include "support.h"

#include "simulator/network/platform.h"
#include "simulator/network/units.h"

#include <stdlib.h>
#include <string.h>

TEST(quantities_have_units) {
    struct error error = {0};
    double number = 0;
    assert_fine(bandwidth_parse(&number, "12.5GBps", "-b", &error), &error);
    assert_true(number == 12.5e9);
    assert_fine(bandwidth_parse(&number, "100Gbps", "-b", &error), &error);
    assert_true(number == 12.5e9);
    assert_fine(latency_parse(&number, "0us", "-l", &error), &error);
    assert_true(number == 0);
    assert_fine(latency_parse(&number, "2ms", "-l", &error), &error);
    assert_true(number == 2e-3);
    assert_fine(speed_parse(&number, "1Gf", "-s", &error), &error);
    assert_true(number == 1e9);
}

TEST(bad_numbers_are_refused) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", "takes a number"},         {"fast", "takes a number"},
        {"12", "has no unit"},          {"12GB", "'GB' is no unit"},
        {"-1GBps", "takes a number"},   {"0GBps", "greater than zero"},
        {"1e999GBps", "is too large"},  {"infGBps", "takes a number"},
        {"0x10GBps", "takes a number"}, {"1 GBps", "is no unit"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        double number;
        assert_int_equal(bandwidth_parse(&number, table[i].text, "--bandwidth", &error), -1);
        assert_contains(error.text, table[i].message);
        assert_contains(error.text, "--bandwidth");
    }
}

TEST(counts_are_positive) {
    static const char *const bad[] = {
        "0", "-1", "", "x", "4x", "1.5", " 4", "999999999999", "99999999999999999999999"};
    struct error fine = {0};
    size_t count = 0;
    assert_fine(count_parse(&count, "1024", "-np", &fine), &fine);
    assert_int_equal(count, 1024);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        assert_int_equal(count_parse(&count, bad[i], "-np", &error), -1);
        assert_contains(error.text, "-np");
    }
}

TEST(written_platform_is_read_back) {
    struct error error = {0};
    struct host_list hosts = {0};
    struct platform_spec spec = platform_spec_default(12);
    spec.prefix = "a<b>&\"c'-";
    assert_fine(platform_write(test_path("p.xml"), &spec, &error), &error);
    assert_fine(hosts_read(&hosts, test_path("p.xml"), &error), &error);
    assert_int_equal(hosts.names.count, 12);
    assert_string_equal(hosts.names.items[0], "a<b>&\"c'-0");
    assert_string_equal(hosts.names.items[11], "a<b>&\"c'-11");
    host_list_dispose(&hosts);
    spec.hosts = 0;
    assert_int_equal(platform_write(test_path("p.xml"), &spec, &error), -1);
}

TEST(ranks_fill_hosts_in_order) {
    static const char *const hosts[] = {"a", "b", "c"};
    struct error error = {0};
    assert_fine(hostfile_write(test_path("h"), hosts, 3, 5, 2, false, "p.xml", &error), &error);
    char *text = read_text(test_path("h"));
    assert_string_equal(text, "a\na\nb\nb\nc\n");
    free(text);
    assert_fine(hostfile_write(test_path("h"), hosts, 3, 5, 2, true, "p.xml", &error), &error);
    text = read_text(test_path("h"));
    assert_string_equal(text, "a\nb\nc\na\nb\n");
    free(text);
    assert_fine(hostfile_write(test_path("h"), hosts, 3, 4, 2, true, "p.xml", &error), &error);
    text = read_text(test_path("h"));
    assert_string_equal(text, "a\nb\na\nb\n");
    free(text);
}

TEST(too_many_ranks_are_told_what_to_do) {
    static const char *const hosts[] = {"a", "b", "c"};
    struct error error = {0}, none = {0};
    assert_int_equal(hostfile_write(test_path("h"), hosts, 3, 7, 1, false, "p.xml", &error), -1);
    assert_contains(error.text, "p.xml has 3 hosts");
    assert_contains(error.text, "--ranks-per-node 3");
    assert_int_equal(hostfile_write(test_path("h"), hosts, 3, 0, 1, false, "p.xml", &none), -1);
    assert_contains(none.text, "at least one rank");
}

TEST(hostfile_repeats_and_checks_names) {
    struct error error = {0};
    struct host_list known = {0}, hosts = {0};
    vec_push(&known.names, "b");
    vec_push(&known.names, "a");
    write_text(test_path("h"), "a\n\n b:3 \r\n");
    assert_fine(hostfile_read(&hosts, test_path("h"), &known, &error), &error);
    assert_int_equal(hosts.names.count, 4);
    assert_string_equal(hosts.names.items[3], "b");
    host_list_dispose(&hosts);
    host_list_dispose(&known);
}

TEST(hostfiles_of_open_mpi_are_understood) {
    struct error error = {0};
    struct host_list known = {0}, hosts = {0};
    vec_push(&known.names, "b");
    vec_push(&known.names, "a");
    write_text(test_path("h"), "# two nodes\nb slots=2 max_slots=4\na\tslots=3 # all of it\n a\n");
    assert_fine(hostfile_read(&hosts, test_path("h"), &known, &error), &error);
    assert_int_equal(hosts.names.count, 6);
    assert_string_equal(hosts.names.items[1], "b");
    assert_string_equal(hosts.names.items[2], "a");
    host_list_dispose(&hosts);
    host_list_dispose(&known);
}

TEST(bad_hostfiles_are_refused) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", ":1:1: error: this hostfile names no host"},
        {"a\n  zebra\n", ":2:3: error: the platform has no host 'zebra'"},
        {"a:0\n", ":1:3: error: the number after ':' is zero"},
        {"a:x\n", ":1:3: error: the number after ':' takes"},
        {"a slots=0\n", ":1:9: error: the number of slots is zero"},
        {"a slots=two\n", ":1:9: error: the number of slots takes"},
        {"a cpu=2\n", ":1:3: error: 'cpu=2' is nothing that a hostfile may say of a host"},
        {"a:99999999\na:1\n", "more than 16777216 places"},
    };
    struct host_list known = {0};
    vec_push(&known.names, "a");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        struct host_list hosts = {0};
        write_text(test_path("h"), table[i].text);
        assert_int_equal(hostfile_read(&hosts, test_path("h"), &known, &error), -1);
        assert_contains(error.text, table[i].message);
    }
    host_list_dispose(&known);
}

FIXTURE(directory_setup, directory_teardown)
