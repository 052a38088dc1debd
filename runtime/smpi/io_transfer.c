/* SPDX-License-Identifier: Apache-2.0
 *
 * How long access to files takes. A file system is a server that moves so many bytes per second,
 * which all transfers at the time share equally (processor sharing), whether they read or write; a
 * transfer ends a latency after its last byte.
 *
 * In: the property `storage` of the platform's zone `world`, [DIRECTORY=]BANDWIDTH:LATENCY with ';'
 * between, in Bps and s; a path belongs to the longest directory. What a rank waits for is known
 * only as long as nobody else comes: with n transfers of r[j] bytes left, transfer i needs the sum
 * of min(r[i], r[j]) / bandwidth. It can become later, never earlier, so that the rank sleeps until
 * then and looks again.
 */
#include "runtime/smpi/io.h"

#include <simgrid/engine.h>
#include <simgrid/zone.h>
#include <stdlib.h>
#include <string.h>

/* A few storage servers of a cluster, and a round trip to the one with the names; the manual
 * and --help of the key say the same. */
#define DEFAULT_BANDWIDTH_BYTES_PER_S 5e9
#define DEFAULT_LATENCY_S 5e-4

struct bsim__io_server {
    const char *directory;
    size_t directory_length;
    double bandwidth_bytes_per_s, latency_s;
    double looked_s; /* when the transfers were brought up to date */
    struct bsim__io_transfer *transfers;
    struct bsim__io_server *next;
};

/* ---- File systems ---- */

static struct bsim__io_server *new_server(struct bsim__shared *shared, const char *directory,
                                          size_t length) {
    struct bsim__io_server *server = bsim__grow(NULL, 0, sizeof *server);
    server->directory = directory;
    server->directory_length = length;
    server->bandwidth_bytes_per_s = DEFAULT_BANDWIDTH_BYTES_PER_S;
    server->latency_s = DEFAULT_LATENCY_S;
    server->next = shared->servers;
    shared->servers = server;
    return server;
}

/* The tool has checked the text. */
static void read_servers(struct bsim__shared *shared) {
    sg_netzone_t world = sg_zone_get_by_name("world");
    const char *text = world != NULL ? sg_zone_get_property_value(world, "storage") : NULL;
    new_server(shared, "", 0);
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ";"), name = strcspn(text, "=;");
        const char *numbers = name < length ? text + name + 1 : text;
        struct bsim__io_server *server = new_server(shared, text, name < length ? name : 0);
        sscanf(numbers, "%lfBps:%lf", &server->bandwidth_bytes_per_s, &server->latency_s);
        text += length + (text[length] == ';');
    }
}

static bool holds(const struct bsim__io_server *server, const char *path) {
    size_t length = server->directory_length;
    return strncmp(path, server->directory, length) == 0 &&
           (length == 0 || path[length] == '/' || path[length] == '\0' ||
            server->directory[length - 1] == '/');
}

/* Of two alike the one that came last: the defaults are the first. */
struct bsim__io_server *bsim__io_server_of(const char *path) {
    struct bsim__shared *shared = bsim__shared();
    struct bsim__io_server *found = NULL;
    char *absolute = bsim__io_absolute_path(path);
    if (shared->servers == NULL)
        read_servers(shared);
    for (struct bsim__io_server *s = shared->servers; s != NULL; s = s->next)
        if (holds(s, absolute) && (found == NULL || s->directory_length > found->directory_length))
            found = s;
    free(absolute);
    return found;
}

/* ---- Transfers ---- */

static double least_left(const struct bsim__io_server *server, int *out_count) {
    double least = 0;
    *out_count = 0;
    for (const struct bsim__io_transfer *t = server->transfers; t != NULL; t = t->next)
        if ((*out_count)++ == 0 || t->left_bytes < least)
            least = t->left_bytes;
    return least;
}

/* All have moved so many bytes; who has none left is done. */
static void move(struct bsim__io_server *server, double bytes) {
    struct bsim__io_transfer **at = &server->transfers;
    while (*at != NULL) {
        struct bsim__io_transfer *transfer = *at;
        transfer->left_bytes -= bytes;
        if (transfer->left_bytes > 0) {
            at = &transfer->next;
            continue;
        }
        transfer->left_bytes = 0;
        transfer->end_s = server->looked_s + server->latency_s;
        *at = transfer->next;
    }
}

/* Until the present time, from one end of a transfer to the next. */
static void bring_up_to_date(struct bsim__io_server *server) {
    double now_s = simgrid_get_clock();
    while (server->transfers != NULL) {
        int count;
        double least = least_left(server, &count);
        double end_s = server->looked_s + least * count / server->bandwidth_bytes_per_s;
        if (end_s > now_s) {
            double moved = (now_s - server->looked_s) * server->bandwidth_bytes_per_s / count;
            server->looked_s = now_s;
            move(server, moved < least ? moved : least * (1 - 1e-12));
            return;
        }
        server->looked_s = end_s;
        move(server, least);
    }
    server->looked_s = now_s;
}

void bsim__io_transfer_start(struct bsim__io_transfer *out, struct bsim__io_server *server,
                             double bytes) {
    bring_up_to_date(server);
    *out = (struct bsim__io_transfer){.server = server, .left_bytes = bytes, .end_s = -1};
    if (bytes <= 0) {
        out->end_s = server->looked_s + server->latency_s;
        return;
    }
    out->next = server->transfers;
    server->transfers = out;
}

double bsim__io_transfer_end_s(struct bsim__io_transfer *transfer) {
    struct bsim__io_server *server = transfer->server;
    double before = 0;
    if (server == NULL)
        return simgrid_get_clock();
    bring_up_to_date(server);
    if (transfer->end_s >= 0)
        return transfer->end_s;
    for (const struct bsim__io_transfer *t = server->transfers; t != NULL; t = t->next)
        before += t->left_bytes < transfer->left_bytes ? t->left_bytes : transfer->left_bytes;
    return server->looked_s + before / server->bandwidth_bytes_per_s + server->latency_s;
}

/* What the clock does not tell apart from now is now. */
bool bsim__io_transfer_is_done(struct bsim__io_transfer *transfer) {
    double end_s = bsim__io_transfer_end_s(transfer);
    if (end_s > simgrid_get_clock() + bsim__shared()->precision_s)
        return false;
    for (struct bsim__io_transfer **at = transfer->server != NULL ? &transfer->server->transfers
                                                                  : NULL;
         at != NULL && *at != NULL; at = &(*at)->next)
        if (*at == transfer) {
            *at = transfer->next;
            break;
        }
    transfer->server = NULL;
    return true;
}

void bsim__io_transfer_wait(struct bsim__io_transfer *transfer) {
    while (!bsim__io_transfer_is_done(transfer))
        bsim__sleep(bsim__current_rank(), bsim__io_transfer_end_s(transfer) - simgrid_get_clock());
}

void bsim__io_server_ask(struct bsim__io_server *server) {
    bsim__sleep(bsim__current_rank(), server->latency_s);
}
