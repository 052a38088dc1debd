/* SPDX-License-Identifier: Apache-2.0
 *
 * Platforms of all kinds: what is in them, and what is refused, with its place.
 */
#include "support.h"

#include "base/str.h"
#include "simulator/network/hosts.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "<?xml version='1.0'?>\n<platform version=\"4.1\">\n"

TEST(names_come_from_all_elements_in_order) {
    struct error error = {0};
    struct host_list hosts = {0};
    write_text(test_path("p.xml"),
               HEAD "<zone id=\"w\" routing=\"Full\"><zone id=\"x\"><host id=\"one &amp; only\" "
                    "speed=\"1f\"/></zone></zone>\n</platform>");
    assert_int_equal(hosts_read(&hosts, test_path("p.xml"), &error), -1);
    assert_contains(error.text, "a hostfile cannot hold");
    error = (struct error){0};
    write_text(test_path("p.xml"), HEAD
               "<zone id=\"w\" routing=\"Full\">\n"
               "<zone id=\"x\"><zone id=\"y\"><host id=\"h&amp;1\" speed=\"1f\"/></zone></zone>\n"
               "<cluster id=\"c\" prefix=\"n\" suffix=\".s\" radical=\"8-10,3\" speed=\"1f\"/>\n"
               "<cabinet id=\"k\" prefix=\"k\" radical=\"1\"/><peer id=\"p\"/>\n"
               "</zone></platform>\n");
    assert_fine(hosts_read(&hosts, test_path("p.xml"), &error), &error);
    struct str all = {0};
    for (size_t i = 0; i < hosts.names.count; i++)
        str_printf(&all, "%s ", hosts.names.items[i]);
    assert_string_equal(all.text, "h&1 n8.s n9.s n10.s n3.s k1 p ");
    str_dispose(&all);
    host_list_dispose(&hosts);
}

static const struct {
    const char *text, *message;
} bad[] = {
    {"", ":1:1: error: not well-formed XML: no element found"},
    {"hello", ":1:1: error: not well-formed XML"},
    {HEAD "<zone>\n  <host id=\"a\">\n</platform>", ":5:3: error: not well-formed XML"},
    {HEAD, "error: not well-formed XML"},
    {HEAD "</platform>", ":1:1: error: this platform has no hosts"},
    {"<html></html>", ":1:1: error: this is no SimGrid platform: its first element is html"},
    {HEAD "<host/></platform>", ":3:1: error: this element has no id: host"},
    {HEAD "<host id=\"\"/></platform>", ":3:1: error: a hostfile cannot hold"},
    {HEAD "<host id=\"a&#10;b\"/></platform>", ":3:1: error: a hostfile cannot hold"},
    {HEAD "<host id=\"a:2\"/></platform>", ":3:1: error: a hostfile cannot hold"},
    {HEAD "<cluster radical=\"0-3\"/></platform>", "needs a prefix and a radical"},
    {HEAD "<cluster prefix=\"a\" radical=\"\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"3-1\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"1-\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"1,,2\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"-1\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"1,2x\"/></platform>", "the radical has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"4294967295\"/></platform>", "has to be a list"},
    {HEAD "<cluster prefix=\"a\" radical=\"0-999999999\"/></platform>", "more than 16,777,216"},
    {HEAD "<include file=\"x.xml\"/></platform>", "<include> is not followed"},
    {"<!DOCTYPE platform [<!ENTITY x SYSTEM \"/etc/passwd\">]><platform><host id=\"a&x;\"/>"
     "</platform>",
     "error: not well-formed XML"},
};

TEST(bad_platforms_are_refused) {
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error = {0};
        struct host_list hosts = {0};
        write_text(test_path("bad.xml"), bad[i].text);
        assert_int_equal(hosts_read(&hosts, test_path("bad.xml"), &error), -1);
        assert_contains(error.text, bad[i].message);
        assert_contains(error.text, "bad.xml:");
    }
}

/* Ten levels of ten: 10^10 characters if it were expanded. */
TEST(entities_do_not_explode) {
    struct error error = {0};
    struct host_list hosts = {0};
    struct str text = {0};
    str_add(&text, "<!DOCTYPE platform [<!ENTITY e0 \"aaaaaaaaaa\">");
    for (int level = 1; level <= 10; level++) {
        str_printf(&text, "<!ENTITY e%d \"", level);
        for (int i = 0; i < 10; i++)
            str_printf(&text, "&e%d;", level - 1);
        str_add(&text, "\">");
    }
    str_add(&text, "]><platform><host id=\"&e10;\"/></platform>");
    write_text(test_path("bomb.xml"), text.text);
    assert_int_equal(hosts_read(&hosts, test_path("bomb.xml"), &error), -1);
    assert_contains(error.text, "amplification");
    str_dispose(&text);
}

/* Each beginning of a good file is refused, without a crash. */
TEST(truncated_platforms_are_refused) {
    static const char good[] =
        HEAD "<zone id=\"w\"><cluster id=\"c\" prefix=\"n\" radical=\"0-3\"/></zone></platform>";
    for (size_t length = 0; length + 1 < sizeof good; length++) {
        struct error error = {0};
        struct host_list hosts = {0};
        char *part = strndup(good, length);
        write_text(test_path("part.xml"), part);
        assert_int_equal(hosts_read(&hosts, test_path("part.xml"), &error), -1);
        free(part);
    }
}

TEST(missing_files_and_directories_are_errors) {
    struct error missing = {0}, directory = {0};
    struct host_list hosts = {0};
    assert_int_equal(hosts_read(&hosts, test_path("none.xml"), &missing), -1);
    assert_contains(missing.text, "No such file");
    assert_int_equal(hosts_read(&hosts, test_path("."), &directory), -1);
    assert_contains(directory.text, "directory");
    assert_false(platform_is_shared_object(test_path("none.xml")));
    write_text(test_path("p.so"), "\177ELF...");
    assert_true(platform_is_shared_object(test_path("p.so")));
}

FIXTURE(directory_setup, directory_teardown)
