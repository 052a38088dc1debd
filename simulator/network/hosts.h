/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of the hosts of a SimGrid platform file, in the order in which the file names them.
 *
 * In: platform XML (SimGrid 3.x). Out: one name per `<host id=...>` and `<peer id=...>`, and one
 * per number of the radical (`0-15,20`) of each `<cluster>` and `<cabinet>`, in zones of any depth.
 * The file is parsed as a stream (expat), no external entity is ever loaded, and the number of
 * hosts is bounded. Not handled: `<include>` (an error that says so) and platforms that are shared
 * objects: those need a hostfile.
 */
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

#include <stdbool.h>

/* The most hosts that are read from a platform or a hostfile. */
#define HOSTS_MAX 16777216

struct host_list {
    struct arena arena; /* holds the names */
    VEC(const char *) names;
    VEC(double) speeds; /* flop/s, of hosts of a platform, by name; 0: not known */
};

void host_list_dispose(struct host_list *hosts);

/* Errors carry path:line:col. A platform without hosts is an error. */
int hosts_read(struct host_list *out, const char *path, struct error *error);

/* True if the file is a platform in the form of a shared object (ELF). */
bool platform_is_shared_object(const char *path);
