/* SPDX-License-Identifier: Apache-2.0
 *
 * Network descriptions: what is read, what is refused and where, which shapes are made; platforms
 * with other numbers; names of collective algorithms.
 */
#include "support.h"

#include "simulator/network/collectives.h"
#include "simulator/network/hosts.h"
#include "simulator/network/network.h"
#include "simulator/network/network_presets.h"
#include "simulator/network/scaled_platform.h"
#include "simulator/network/technology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read(struct network *out, struct arena *arena, const char *text, struct error *error) {
    *out = network_default();
    write_text(test_path("n"), text);
    return network_read(out, test_path("n"), arena, error);
}

TEST(description_is_read) {
    struct arena arena;
    struct network network;
    struct error error = {0};
    arena_init(&arena);
    assert_fine(read(&network, &arena,
                     "# a machine\n"
                     "topology = fat-tree   # of two levels\r\n"
                     "\n"
                     "  down= 24 , 12\nup=1,12\n"
                     "bandwidth = 100 Gbit/s\nlatency = 200ns\ncores=42\n"
                     "bandwidth-factor = 0:0.5;65536:0.9\neager-threshold = 8KiB\n"
                     "error = 3.5 %\nplacement = cyclic",
                     &error),
                &error);
    assert_fine(network_complete(&network, 100, &error), &error);
    assert_int_equal(network.hosts, 288);
    assert_int_equal(network.cores, 42);
    assert_true(network.bandwidth_bytes_per_s == 12.5e9);
    assert_float_equal(network.latency_s, 200e-9, 1e-18);
    assert_int_equal(network.eager_threshold_bytes, 8192);
    assert_int_equal(network.cyclic, 1);
    assert_float_equal(network.error_percent, 3.5, 1e-12);
    assert_int_equal(network.links.of[1], 1);
    arena_dispose(&arena);
}

TEST(bad_descriptions_are_refused_with_their_place) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", ":1:1: error: this description is empty"},
        {"# nothing\n", NULL},
        {"<?xml version='1.0'?>\n", ":1:1: error: this looks like a SimGrid platform"},
        {"topology = ring\n", ":1:12: error: there is no topology 'ring'"},
        {"\nbandwith = 1GBps\n", ":2:1: error: there is no key 'bandwith'; did you mean bandwidth"},
        {"zzz = 1\n", ":1:1: error: there is no key 'zzz'; mpiskel platform --help"},
        {"latency 1us\n", ":1:1: error: a line is written KEY = VALUE"},
        {"= 1us\n", ":1:1: error: a line is written KEY = VALUE"},
        {"latency =   # none\n", "error: latency has no value"},
        {"latency = 1\n", ":1:11: error: latency 1 has no unit"},
        {"latency = 1us\nlatency = 2us\n", ":2:1: error: latency is given in line 1 already"},
        {"dimensions = 4,4\n", ":1:1: error: dimensions says nothing about the topology switch"},
        {"topology = torus\ndimensions = 4,x\n", ":2:16: error: dimensions takes a whole number"},
        {"topology = torus\ndimensions = 4,0\n", ":2:16: error: dimensions is zero"},
        {"topology = torus\ndimensions = 4;4\n", ":2:14: error: dimensions takes a whole number"},
        {"topology = torus\ndimensions = 4 4\n", ":2:16: error: dimensions: a comma belongs"},
        {"topology = torus\ndimensions = 1,1,1,1,1,1,1,1,1\n", "takes at most 8 numbers"},
        {"send-overhead = 0:1e-6\n", ":1:23: error: send-overhead is written SIZE:SECONDS"},
        {"bandwidth-factor = 0:1;0:2\n", ":1:24: error: bandwidth-factor: sizes are"},
        {"bandwidth-factor = 0:0\n", "a factor of 0"},
        {"bandwidth-factor = 0:nan\n", "is written SIZE:FACTOR"},
        {"latency-factor = 0:1,5:2\n", ":1:21: error: latency-factor is written SIZE:FACTOR"},
        {"storage = 1GBps:1ms; /a = 2 GBps:3 us\n", NULL},
        {"storage = 1GBps\n", ":1:11: error: storage is written [DIRECTORY=]BANDWIDTH:LATENCY"},
        {"storage = 1GBps:1ms;\n", ":1:21: error: storage is written"},
        {"storage = 1GBps:1ms;a=1GBps:1ms\n", "a directory begins with '/', not 'a'"},
        {"storage = 1GBps:1ms;/a=3:1ms\n", ":1:24: error: storage 3 has no unit"},
        {"error = 3\n", ":1:9: error: error 3 has no unit; write it as in 3.5%"},
        {"error = 0%\n", ":1:9: error: error 0% has to be greater than zero"},
        {"duplex = maybe\n", ":1:10: error: duplex is full or half, not 'maybe'"},
        {"eager-threshold = -1\n", ":1:19: error: eager-threshold takes a number of bytes"},
        {"prefix = a b\n", ":1:10: error: prefix cannot hold the character ' '"},
        {"hosts = 99999999999\n", ":1:9: error: hosts 99999999999 is too large"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena arena;
        struct network network;
        struct error error = {0};
        arena_init(&arena);
        int result = read(&network, &arena, table[i].text, &error);
        assert_int_equal(result, table[i].message == NULL ? 0 : -1);
        if (result != 0)
            assert_contains(error.text, table[i].message);
        arena_dispose(&arena);
    }
}

TEST(binary_file_is_refused) {
    struct arena arena;
    struct network network = network_default();
    struct error error = {0};
    arena_init(&arena);
    FILE *file = fopen(test_path("n"), "wb");
    fwrite("hosts = 1\n\0\0", 1, 12, file);
    fclose(file);
    assert_int_equal(network_read(&network, test_path("n"), &arena, &error), -1);
    assert_contains(error.text, ":1:1: error: this is no text");
    arena_dispose(&arena);
}

/* Cut off anywhere, a description is read or refused, and nothing else happens. */
TEST(truncated_descriptions_do_no_harm) {
    static const char whole[] = "topology = star\nhosts-per-switch = 4\nuplink-bandwidth = 5GBps\n"
                                "send-overhead = 0:1e-6:0;10:1:1\nbandwidth-factor = 0:1;7:0.5\n";
    for (size_t length = 1; length < sizeof whole; length++) {
        struct arena arena;
        struct network network;
        struct error error = {0};
        char text[sizeof whole] = {0};
        arena_init(&arena);
        memcpy(text, whole, length);
        if (read(&network, &arena, text, &error) == 0)
            network_complete(&network, 9, &error);
        else
            assert_true(error.set);
        arena_dispose(&arena);
    }
}

TEST(shapes_have_room_for_the_hosts) {
    static const size_t topologies[] = {TOPOLOGY_FAT_TREE, TOPOLOGY_DRAGONFLY, TOPOLOGY_TORUS};
    static const size_t wanted[] = {1, 2, 3, 7, 17, 36, 37, 1000, 1024, 65536, 1000003};
    for (size_t t = 0; t < 3; t++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            struct error error = {0};
            struct network network = network_default();
            network.topology = topologies[t];
            assert_fine(network_complete(&network, wanted[i], &error), &error);
            assert_true(network.hosts >= wanted[i]);
            assert_true(network.hosts <= 2 * wanted[i] + 20);
        }
    struct error error = {0};
    struct network torus = network_default();
    torus.topology = TOPOLOGY_TORUS;
    assert_fine(network_complete(&torus, 1024, &error), &error);
    assert_int_equal(torus.hosts, 1024);
    assert_int_equal(torus.dimensions.of[2], 16);
}

TEST(shapes_that_cannot_be_are_refused) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"topology = star\n", "give both"},
        {"topology = backbone\n", "give it"},
        {"topology = torus\ndimensions = 2,2\nhosts = 5\n", "hosts is 5, but the torus"},
        {"topology = fat-tree\ndown = 4,4\n", "here 2, 0 and 2"},
        {"topology = fat-tree\ndown = 4\nup = 1\nradix = 8\n", "not both"},
        {"topology = fat-tree\nradix = 2\n", "4 to"},
        {"topology = dragonfly\ngroups = 4\n", "give all of them"},
        {"topology = dragonfly\ngroups = 4\nrouters = 3\nhosts-per-router = 1\n",
         "more groups (4) than routers"},
        {"topology = torus\ndimensions = 999999,999999\n", "more than 16777216 hosts"},
        {"topology = torus\ndimensions = 9999999\n", "is over 1000000"},
        {"hosts = 99999999\n", "more than 16777216 hosts"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena arena;
        struct network network;
        struct error error = {0};
        arena_init(&arena);
        assert_fine(read(&network, &arena, table[i].text, &error), &error);
        assert_int_equal(network_complete(&network, 4, &error), -1);
        assert_contains(error.text, table[i].message);
        arena_dispose(&arena);
    }
}

/* 10 Mbit/s and 1 ms: numbers worked out by hand (a frame of 1514 bytes takes 1.2112 ms). */
TEST(a_technology_says_what_is_left_open) {
    struct arena arena;
    struct network network;
    struct error error = {0};
    struct str factors = {0};
    arena_init(&arena);
    assert_fine(read(&network, &arena, "technology = ethernet-10m\nlatency = 1ms\n", &error),
                &error);
    assert_fine(network_complete(&network, 4, &error), &error);
    assert_float_equal(network.bandwidth_bytes_per_s, 1.25e6 * 1448 / 1514, 1e-6);
    assert_float_equal(network.latency_s, 1e-3, 1e-12);
    assert_int_equal(network.eager_threshold_bytes, 65536);
    assert_true(network.acknowledges && network.orders_connections);
    technology_latency_factor(&factors, &network);
    assert_contains(str_text(&factors), ";1464:1.6056;65551:3.6592");
    str_dispose(&factors);
    assert_fine(read(&network, &arena,
                     "technology = ethernet-1g\nmtu = 9000\neager-threshold = 100\n"
                     "connections = shared\n",
                     &error),
                &error);
    assert_fine(network_complete(&network, 4, &error), &error);
    assert_float_equal(network.bandwidth_bytes_per_s, 125e6 * 8948 / 9014, 1e-3);
    assert_int_equal(network.eager_threshold_bytes, 100);
    assert_int_equal(network.orders_connections, 0);
    assert_int_equal(read(&network, &arena, "technology = token-ring\n", &error), -1);
    assert_contains(error.text, ":1:14: error: there is no technology 'token-ring'");
    arena_dispose(&arena);
}

TEST(presets_are_sound) {
    for (const struct network_preset *one = network_presets(); one->name != NULL; one++) {
        struct arena arena;
        struct network network = network_default();
        struct error error = {0};
        struct host_list hosts = {0};
        arena_init(&arena);
        char *text = arena_strdup(&arena, one->text);
        assert_fine(network_parse(&network, text, one->name, &arena, &error), &error);
        assert_fine(network_complete(&network, 8, &error), &error);
        assert_fine(network_write(test_path("p.xml"), &network, &error), &error);
        assert_fine(hosts_read(&hosts, test_path("p.xml"), &error), &error);
        assert_int_equal(hosts.names.count, network.hosts);
        host_list_dispose(&hosts);
        arena_dispose(&arena);
    }
}

#define PLATFORM(links)                                                                            \
    "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">" links "</zone></platform>"

TEST(scaled_platform_differs_in_its_numbers_only) {
    static const char before[] = PLATFORM(
        "<!-- bw=\"1GBps\" -->\n"
        "<cluster id='c' bw = \"1.5GBps\" lat='4us' bb_bw=\"3e9Bps\" loopback_bw=\"7GBps\" "
        "loopback_lat=\"1us\"/><link id=\"m\" bandwidth=\"8GBps\" latency=\"1us\"/>"
        "<link id=\"n\" bandwidth=\"8GBps\" latency=\"2us\"/>"
        "<route src=\"a\" dst=\"a\"><link_ctn id=\"m\"/></route>"
        "<route src=\"a\" dst=\"b\"><link_ctn id=\"n\"/></route>");
    static const char after[] =
        PLATFORM("<!-- bw=\"1GBps\" -->\n"
                 "<cluster id='c' bw = \"3GBps\" lat='1us' bb_bw=\"6000000000Bps\" "
                 "loopback_bw=\"7GBps\" "
                 "loopback_lat=\"1us\"/><link id=\"m\" bandwidth=\"8GBps\" latency=\"1us\"/>"
                 "<link id=\"n\" bandwidth=\"16GBps\" latency=\"0.5us\"/>"
                 "<route src=\"a\" dst=\"a\"><link_ctn id=\"m\"/></route>"
                 "<route src=\"a\" dst=\"b\"><link_ctn id=\"n\"/></route>");
    struct error error = {0};
    write_text(test_path("a.xml"), before);
    assert_fine(platform_scale(test_path("b.xml"), test_path("a.xml"), 2, 0.25, &error), &error);
    char *text = read_text(test_path("b.xml"));
    const char *start = "<platform version=\"4.1\">", *end = "</config>";
    assert_memory_equal(text, start, strlen(start));
    assert_contains(text, "<config><prop id=\"path\" value=\"/");
    assert_string_equal(strstr(text, end) + strlen(end), after + strlen(start));
    free(text);
}

TEST(links_of_other_routes_are_no_memory) {
    static const char before[] =
        PLATFORM("<link id=\"m\" bandwidth=\"8GBps\"/><link id=\"n\" bandwidth=\"4GBps\"/>"
                 "<route src=\"a\" dst=\"a\"><link_ctn id=\"m\"/><link_ctn id=\"n\"/></route>"
                 "<bypassRoute src=\"a\" dst=\"b\"><link_ctn id=\"n\"/></bypassRoute>");
    struct error error = {0};
    write_text(test_path("a.xml"), before);
    assert_fine(platform_scale(test_path("b.xml"), test_path("a.xml"), 0.5, 1, &error), &error);
    char *text = read_text(test_path("b.xml"));
    assert_contains(text, "<link id=\"m\" bandwidth=\"8GBps\"/>");
    assert_contains(text, "<link id=\"n\" bandwidth=\"2GBps\"/>");
    free(text);
}

TEST(platforms_with_numbers_elsewhere_are_refused) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {PLATFORM("<include file=\"x.xml\"/>"), "1:53: error: links in included files"},
        {PLATFORM("<link id=\"l\" bandwidth=\"1GBps\" latency_file=\"f\"/>"), "come from a file"},
        {PLATFORM("<peer id=\"p\" coordinates=\"1 2 3\" bw_in=\"1GBps\"/>"), "coordinates"},
        {PLATFORM("<trace_connect kind=\"LATENCY\" trace=\"t\" element=\"l\"/>"), "changes with"},
        {PLATFORM("<link id=\"l\" bandwidth=\"54Mbps,36Mbps\"/>"), "cannot be scaled"},
        {PLATFORM("<link id=\"l\" bandwidth=\"&#49;GBps\"/>"), "cannot be scaled"},
        {PLATFORM("<link id=\"l\" bandwidth=\"fast\"/>"), "cannot be scaled"},
        {PLATFORM("<link id=\"l\" bandwidth=\"1e308GBps\"/>") "<x>", "not well-formed"},
        {"\177ELF", "is a program"},
        {"", "not well-formed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct error error = {0};
        write_text(test_path("a.xml"), table[i].text);
        assert_int_equal(platform_scale(test_path("b.xml"), test_path("a.xml"), 2, 2, &error), -1);
        assert_contains(error.text, table[i].message);
    }
}

static const char *settings_of(const char *text, struct arena *arena) {
    struct collective_settings settings = {0};
    struct error error = {0};
    const char *all = "";
    assert_fine(collectives_settings(&settings, text, arena, &error), &error);
    for (size_t i = 0; i < settings.of.count; i++)
        all = arena_printf(arena, "%s %s", all, settings.of.items[i]);
    vec_dispose(&settings.of);
    vec_dispose(&settings.replaced);
    return all;
}

TEST(collectives_are_chosen_one_by_one) {
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(settings_of("mpich", &arena), " smpi/coll-selector:mpich");
    assert_string_equal(settings_of("ompi,bcast=SMP_linear", &arena),
                        " smpi/coll-selector:ompi smpi/bcast:SMP_linear");
    assert_contains(settings_of("allreduce=ring,alltoall=pair", &arena), " smpi/allreduce:lr");
    assert_contains(settings_of("allreduce=ring,alltoall=pair", &arena), " smpi/alltoall:pair");
    assert_contains(settings_of("allreduce=ring", &arena), " smpi/bcast:binomial_tree");
    assert_contains(settings_of("gather=mvapich2_two_level", &arena), " smpi/gather:ompi_binomial");
    assert_contains(settings_of("automatic", &arena), " smpi/bcast:binomial_tree");
    arena_dispose(&arena);
}

TEST(unknown_collectives_are_refused) {
    static const struct {
        const char *text, *message;
    } table[] = {
        {"nonsense", "there is no selection 'nonsense'; there are tree ompi"},
        {"", "there is no selection ''"},
        {"ompi,mpich", "'mpich' is a second selection"},
        {"bcast=rdb", "bcast has no algorithm 'rdb'; SimGrid 3.32 has default arrival"},
        {"bcast=", "bcast has no algorithm ''"},
        {"bcast=binomial", "bcast has no algorithm 'binomial'"},
        {"scan=ompi", "there is no collective 'scan'; there are allgather"},
        {"bcast=mpich,bcast=ompi", "bcast is given twice"},
        {"allreduce=rdb,", "there is no selection ''"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena arena;
        struct collective_settings settings = {0};
        struct error error = {0};
        arena_init(&arena);
        assert_int_equal(collectives_settings(&settings, table[i].text, &arena, &error), -1);
        assert_contains(error.text, table[i].message);
        vec_dispose(&settings.of);
        arena_dispose(&arena);
    }
}

FIXTURE(directory_setup, directory_teardown)
