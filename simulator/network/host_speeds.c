/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/network/host_speeds.h"

#include "base/file.h"
#include "base/str.h"
#include "runtime/formats/host_factors.h"
#include "simulator/network/platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct speed_of_host {
    const char *name;
    double speed;
};

static int compare(const void *left, const void *right) {
    return strcmp(((const struct speed_of_host *)left)->name,
                  ((const struct speed_of_host *)right)->name);
}

static struct speed_of_host *sorted(const struct host_list *known) {
    struct speed_of_host *out = xmalloc((known->names.count + 1) * sizeof *out);
    for (size_t i = 0; i < known->names.count; i++)
        out[i] = (struct speed_of_host){known->names.items[i], known->speeds.items[i]};
    qsort(out, known->names.count, sizeof *out, compare);
    return out;
}

static int write_factors(const char *path, const struct host_list *ranks,
                         const struct speed_of_host *hosts, size_t count, double fastest,
                         struct error *error) {
    struct str text = {0};
    for (size_t i = 0; i < ranks->names.count; i++) {
        struct speed_of_host wanted = {.name = ranks->names.items[i]};
        const struct speed_of_host *found = bsearch(&wanted, hosts, count, sizeof wanted, compare);
        str_printf(&text, "%*.16g\n", HOST_FACTOR_BYTES - 1, fastest / found->speed);
    }
    int result = file_write(path, str_text(&text), text.length, error);
    str_dispose(&text);
    return result;
}

int host_speeds_write(const char **out, const struct host_list *known, const char *host_file,
                      const char *path, struct error *error) {
    double fastest = 0, slowest = INFINITY;
    *out = NULL;
    for (size_t i = 0; i < known->speeds.count; i++) {
        fastest = fmax(fastest, known->speeds.items[i]);
        slowest = fmin(slowest, known->speeds.items[i]);
    }
    if (known->speeds.count == 0 || slowest == fastest)
        return 0;
    if (slowest == 0) {
        note("warning: the speed of some hosts is not known: all of them count as alike");
        return 0;
    }
    struct host_list ranks = {0};
    if (hostfile_read(&ranks, host_file, known, error) != 0)
        return -1;
    struct speed_of_host *hosts = sorted(known);
    int result = write_factors(path, &ranks, hosts, known->names.count, fastest, error);
    free(hosts);
    host_list_dispose(&ranks);
    if (result == 0)
        note(
            "note: hosts differ in speed: latencies are those of the fastest (%g flop/s), and take "
            "up to %.4g times as long on others",
            fastest, fastest / slowest);
    *out = path;
    return result;
}
