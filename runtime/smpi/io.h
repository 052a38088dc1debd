/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI-IO on plain files, which SimGrid 3.32 has not (its own wants disks in the platform and moves
 * no bytes): what the parts of it share. The functions of MPI are in io_file.c, io_access.c and
 * io_requests.c; they are called instead of SimGrid's (replaced.h).
 *
 *   store     a file on disk, and in a skeleton what would have become of it (io_store.c)
 *   transfer  how long moving bytes takes (io_transfer.c)
 *   file      what MPI_File stands for: of a rank, and of all that opened it (io_file.c)
 *
 * Codes are MPI's, MPI_SUCCESS or MPI_ERR_...; offsets and sizes are bytes unless said otherwise.
 */
#pragma once

#include "runtime/simgrid/datatype_layout.h"
#include "runtime/smpi/runtime.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- Store ---- */

struct bsim__io_store;

/* MPI_MODE_CREATE and MPI_MODE_EXCL of `amode` count, and whether it writes. One store for each
 * path, closed as often as it was opened. */
int bsim__io_store_open(struct bsim__io_store **out, const char *path, int amode);
void bsim__io_store_close(struct bsim__io_store *store);
int bsim__io_store_delete(const char *path);
MPI_Offset bsim__io_store_size(const struct bsim__io_store *store);
int bsim__io_store_set_size(struct bsim__io_store *store, MPI_Offset size);
/* Of the file itself, without links in its directories; the caller frees it. */
char *bsim__io_absolute_path(const char *path);
const char *bsim__io_store_path(const struct bsim__io_store *store);
/* How many bytes there were; below 0: it failed. `out` NULL: nobody needs the contents. */
MPI_Offset bsim__io_store_read(void *out, struct bsim__io_store *store, MPI_Offset place,
                               MPI_Offset bytes);
/* `data` NULL: likewise. */
int bsim__io_store_write(struct bsim__io_store *store, MPI_Offset place, const void *data,
                         MPI_Offset bytes);

/* Skeletons: contents in the scratch buffer are nobody's, and the disk is left as it is as long as
 * nothing is written that is needed. Originals: neither. */
bool bsim__io_is_scratch(const void *buffer);
bool bsim__io_spares_disk(void);

/* ---- Transfer ---- */

struct bsim__io_server; /* a file system: a bandwidth that all transfers share, and a latency */

struct bsim__io_transfer {
    struct bsim__io_server *server; /* NULL: it takes no time any more */
    double left_bytes;
    double end_s; /* below 0: the last byte has not been moved */
    struct bsim__io_transfer *next;
};

/* Of a path, which is made absolute; never NULL. */
struct bsim__io_server *bsim__io_server_of(const char *path);
/* `out` stays where it is until it is done. */
void bsim__io_transfer_start(struct bsim__io_transfer *out, struct bsim__io_server *server,
                             double bytes);
bool bsim__io_transfer_is_done(struct bsim__io_transfer *transfer);
/* When it will be done if nobody else comes: at the earliest. */
double bsim__io_transfer_end_s(struct bsim__io_transfer *transfer);
void bsim__io_transfer_wait(struct bsim__io_transfer *transfer);
/* The latency alone: an access without data. */
void bsim__io_server_ask(struct bsim__io_server *server);

/* ---- File ---- */

/* Of all ranks that opened it together. */
struct bsim__io_shared {
    int users; /* ranks that have not closed it */
    struct bsim__io_store *store;
    struct bsim__io_server *server;
    MPI_Offset pointer; /* the shared file pointer, in etypes */
};

struct bsim__io_view {
    MPI_Offset displacement;
    MPI_Datatype etype, filetype; /* duplicates, unless they are predefined */
    MPI_Offset etype_bytes;
    struct bsim__layout layout; /* of the filetype */
};

/* A collective access that has begun and not ended (split), or that has ended. */
struct bsim__io_split {
    bool is_active;
    MPI_Offset bytes;
    struct bsim__io_transfer transfer;
};

struct bsim__io_file {
    struct bsim__io_shared *shared;
    MPI_Comm communicator; /* a duplicate */
    int amode;
    MPI_Offset position; /* the individual file pointer, in etypes */
    struct bsim__io_view view;
    struct bsim__io_split split;
    MPI_Info info;
    MPI_Errhandler handler;
    bool is_atomic;
};

/* NULL: no file. */
struct bsim__io_file *bsim__io_file(MPI_File handle);
/* Calls the error handler of the file (NULL: of no file) if the code is an error; gives it back. */
int bsim__io_fail(struct bsim__io_file *file, int code);
/* All ranks have come. */
void bsim__io_meet(const struct bsim__io_file *file);
/* Forgets the view's types and layout. */
void bsim__io_view_dispose(struct bsim__io_view *view);
int bsim__io_view_set(struct bsim__io_view *out, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype filetype);
/* Where etype `offset` of the view is in the file. */
MPI_Offset bsim__io_view_byte(const struct bsim__io_view *view, MPI_Offset offset);
/* The number of etypes of the view before the end of the file. */
MPI_Offset bsim__io_view_end(const struct bsim__io_file *file);

/* ---- Access ---- */

enum bsim__io_pointer { IO_EXPLICIT, IO_INDIVIDUAL, IO_SHARED, IO_ORDERED };

struct bsim__io_access {
    MPI_File handle;
    enum bsim__io_pointer pointer;
    bool is_collective, writes;
    MPI_Offset offset; /* in etypes; of explicit ones */
    void *buffer;      /* never written to by one that writes */
    int count;
    MPI_Datatype datatype;
};

/* Moves the bytes, at once, and begins the transfer that tells how long it takes: how many bytes
 * there were, or below 0, the negative code of an error, about which the handler has been asked. */
MPI_Offset bsim__io_access_begin(struct bsim__io_transfer *out,
                                 const struct bsim__io_access *access);
void bsim__io_status(MPI_Status *out, MPI_Offset bytes);
