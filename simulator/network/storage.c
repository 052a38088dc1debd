/* SPDX-License-Identifier: Apache-2.0
 *
 * One file system after the other.
 */
#include "simulator/network/storage.h"

#include "simulator/network/units.h"

#include <string.h>

#define NUMBER_MOST 40

/* A number with its unit, of which blanks are left out. */
static int copy_number(char *out, const char *text, size_t length, struct error *error) {
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && count + 1 < NUMBER_MOST)
            out[count++] = text[i];
    out[count] = '\0';
    return count > 0 ? 0
                     : error_set(error, "storage is written [DIRECTORY=]BANDWIDTH:LATENCY;..., as "
                                        "in 5GBps:500us;/scratch=50GBps:1ms");
}

static int parse_numbers(struct str *out, const char *text, size_t length, struct error *error) {
    char bandwidth[NUMBER_MOST], latency[NUMBER_MOST];
    double bytes_per_s, latency_s;
    const char *colon = memchr(text, ':', length);
    size_t first = colon != NULL ? (size_t)(colon - text) : length;
    if (copy_number(bandwidth, text, first, error) != 0 ||
        copy_number(latency, text + first + 1, colon != NULL ? length - first - 1 : 0, error) !=
            0 ||
        bandwidth_parse(&bytes_per_s, bandwidth, "storage", error) != 0 ||
        latency_parse(&latency_s, latency, "storage", error) != 0)
        return -1;
    str_printf(out, "%.17gBps:%.17gs", bytes_per_s, latency_s);
    return 0;
}

int storage_parse(struct str *out, const char *text, size_t *out_offset, struct error *error) {
    for (const char *rest = text;; str_addc(out, ';')) {
        rest += strspn(rest, " ");
        *out_offset = (size_t)(rest - text);
        size_t length = strcspn(rest, ";");
        const char *equals = memchr(rest, '=', length);
        size_t named = equals != NULL ? (size_t)(equals - rest) + 1 : 0;
        if (named > 0 && rest[0] != '/')
            return error_set(error, "storage: a directory begins with '/', not '%.*s'",
                             (int)(named - 1), rest);
        size_t name = named > 0 ? named - 1 : 0;
        while (name > 0 && rest[name - 1] == ' ')
            name--;
        str_printf(out, "%.*s%s", (int)name, rest, name > 0 ? "=" : "");
        *out_offset += named;
        if (parse_numbers(out, rest + named, length - named, error) != 0)
            return -1;
        if (rest[length] == '\0')
            return 0;
        rest += length + 1;
    }
}
