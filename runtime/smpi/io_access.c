/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing in all forms: where the access begins, the bytes that are moved between the
 * segments of the view and those of the buffer, and the time that takes. Accesses of one kind
 * differ in the pointer by which they go and in who makes them; the functions themselves are rows
 * at the end.
 *
 * Collective ones begin with a barrier: real ones exchange where each rank reads or writes. All
 * bytes are moved when the call is made, also those of nonblocking and split accesses, since a
 * program may look at them only later.
 */
#include "runtime/simgrid/bottom.h"
#include "runtime/smpi/io.h"
#include "runtime/smpi/replaced.h"

/* ---- Bytes ---- */

struct cursor {
    const struct bsim__layout *layout;
    MPI_Offset base, at; /* at: bytes of data so far */
};

static MPI_Offset place_of(const struct cursor *cursor, MPI_Offset *out_run) {
    return cursor->base + bsim__layout_place(out_run, cursor->layout, cursor->at);
}

/* `memory` NULL: contents that nobody needs. */
static MPI_Offset move_run(const struct bsim__io_access *access, MPI_Offset place, char *memory,
                           MPI_Offset bytes) {
    struct bsim__io_store *store = bsim__io_file(access->handle)->shared->store;
    if (!access->writes)
        return bsim__io_store_read(memory, store, place, bytes);
    int code = bsim__io_store_write(store, place, memory, bytes);
    return code == MPI_SUCCESS ? bytes : -code;
}

static MPI_Offset move_all(const struct bsim__io_access *access, struct cursor view,
                           const struct bsim__layout *memory, MPI_Offset bytes) {
    bool is_nobodys = bsim__io_is_scratch(access->buffer);
    struct cursor buffer = {.layout = memory};
    while (buffer.at < bytes) {
        MPI_Offset run, room, left = bytes - buffer.at;
        MPI_Offset from = place_of(&view, &run), to = place_of(&buffer, &room);
        run = run < room || is_nobodys ? run : room;
        run = run < left ? run : left;
        MPI_Offset moved = move_run(
            access, from, is_nobodys ? NULL : (char *)bottom_address(access->buffer) + to, run);
        if (moved < 0)
            return moved;
        buffer.at += moved;
        view.at += moved;
        if (moved < run)
            break;
    }
    return buffer.at;
}

static int check(const struct bsim__io_access *access) {
    const struct bsim__io_file *file = bsim__io_file(access->handle);
    if (access->count < 0)
        return MPI_ERR_COUNT;
    if (access->datatype == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    if (access->writes && (file->amode & MPI_MODE_RDONLY) != 0)
        return MPI_ERR_READ_ONLY;
    if (!access->writes && (file->amode & MPI_MODE_WRONLY) != 0)
        return MPI_ERR_ACCESS;
    bool goes_by_offset = access->pointer == IO_EXPLICIT || access->pointer == IO_INDIVIDUAL;
    if (goes_by_offset && (file->amode & MPI_MODE_SEQUENTIAL) != 0)
        return MPI_ERR_UNSUPPORTED_OPERATION;
    return access->pointer == IO_EXPLICIT && access->offset < 0 ? MPI_ERR_ARG : MPI_SUCCESS;
}

static MPI_Offset move(const struct bsim__io_access *access, MPI_Offset offset, MPI_Offset bytes) {
    const struct bsim__io_view *view = &bsim__io_file(access->handle)->view;
    struct bsim__layout memory;
    int code = bsim__layout_init(&memory, access->datatype);
    if (code != MPI_SUCCESS)
        return -code;
    struct cursor cursor = {&view->layout, view->displacement, offset * view->etype_bytes};
    MPI_Offset moved = move_all(access, cursor, &memory, bytes);
    bsim__layout_dispose(&memory);
    return moved;
}

/* ---- Pointers ---- */

/* In the order of ranks. All have read the pointer before any moves it, and write the same. */
static MPI_Offset place_in_order(struct bsim__io_file *file, long long etypes) {
    MPI_Offset base = file->shared->pointer;
    long long end = etypes, all = etypes;
    MPI_Scan(&etypes, &end, 1, MPI_LONG_LONG, MPI_SUM, file->communicator);
    MPI_Allreduce(&etypes, &all, 1, MPI_LONG_LONG, MPI_SUM, file->communicator);
    file->shared->pointer = base + all;
    return base + end - etypes;
}

/* Where the access begins; its pointer goes on by what it asks for. */
static MPI_Offset begin_at(const struct bsim__io_access *access, MPI_Offset etypes) {
    struct bsim__io_file *file = bsim__io_file(access->handle);
    MPI_Offset at = access->offset;
    switch (access->pointer) {
    case IO_EXPLICIT:
        break;
    case IO_INDIVIDUAL:
        at = file->position;
        file->position += etypes;
        break;
    case IO_SHARED:
        bsim__io_server_ask(file->shared->server);
        at = file->shared->pointer;
        file->shared->pointer += etypes;
        break;
    case IO_ORDERED:
        at = place_in_order(file, etypes);
        break;
    }
    return at;
}

/* ---- All of it ---- */

MPI_Offset bsim__io_access_begin(struct bsim__io_transfer *out,
                                 const struct bsim__io_access *access) {
    struct bsim__io_file *file = bsim__io_file(access->handle);
    int size = 0;
    *out = (struct bsim__io_transfer){0};
    if (file == NULL)
        return -bsim__io_fail(NULL, MPI_ERR_FILE);
    if (access->is_collective && access->pointer != IO_ORDERED)
        bsim__io_meet(file);
    int code = check(access);
    if (code == MPI_SUCCESS)
        MPI_Type_size(access->datatype, &size);
    MPI_Offset bytes = code == MPI_SUCCESS ? (MPI_Offset)access->count * size : 0;
    MPI_Offset offset = 0, moved = -code;
    if (code == MPI_SUCCESS || access->pointer == IO_ORDERED)
        offset = begin_at(access, bytes / file->view.etype_bytes);
    if (code == MPI_SUCCESS)
        moved = move(access, offset, bytes);
    if (moved < 0)
        return -bsim__io_fail(file, moved == -1 ? MPI_ERR_IO : (int)-moved);
    bsim__io_transfer_start(out, file->shared->server, (double)moved);
    return moved;
}

void bsim__io_status(MPI_Status *out, MPI_Offset bytes) {
    if (out == MPI_STATUS_IGNORE)
        return;
    *out = (MPI_Status){.MPI_SOURCE = MPI_ANY_SOURCE,
                        .MPI_TAG = MPI_ANY_TAG,
                        .MPI_ERROR = MPI_SUCCESS,
                        .count = (int)bytes};
}

static int access_now(const struct bsim__io_access *access, MPI_Status *status) {
    struct bsim__io_transfer transfer;
    MPI_Offset bytes = bsim__io_access_begin(&transfer, access);
    bsim__io_status(status, bytes > 0 ? bytes : 0);
    if (bytes < 0)
        return (int)-bytes;
    bsim__io_transfer_wait(&transfer);
    return MPI_SUCCESS;
}

/* A file has one at a time (MPI 3.1, section 13.4.5). */
static int begin_split(const struct bsim__io_access *access) {
    struct bsim__io_file *file = bsim__io_file(access->handle);
    if (file != NULL && file->split.is_active)
        return bsim__io_fail(file, MPI_ERR_UNSUPPORTED_OPERATION);
    struct bsim__io_transfer none, *transfer = file != NULL ? &file->split.transfer : &none;
    MPI_Offset bytes = bsim__io_access_begin(transfer, access);
    if (bytes < 0)
        return (int)-bytes;
    file->split.bytes = bytes;
    file->split.is_active = true;
    return MPI_SUCCESS;
}

static int end_split(MPI_File handle, MPI_Status *status) {
    struct bsim__io_file *file = bsim__io_file(handle);
    if (file == NULL)
        return bsim__io_fail(NULL, MPI_ERR_FILE);
    bsim__io_status(status, 0);
    if (!file->split.is_active)
        return bsim__io_fail(file, MPI_ERR_UNSUPPORTED_OPERATION);
    bsim__io_transfer_wait(&file->split.transfer);
    file->split.is_active = false;
    bsim__io_status(status, file->split.bytes);
    return MPI_SUCCESS;
}

/* ---- MPI's functions ---- */

#define ACCESS(pointer, is_collective, writes, offset)                                             \
    &(struct bsim__io_access) {                                                                    \
        fh, pointer, is_collective, writes, offset, (void *)buf, count, datatype                   \
    }
#define NOW(name, is_const, pointer, is_collective, writes)                                        \
    int bsim__MPI_File_##name(MPI_File fh, is_const void *buf, int count, MPI_Datatype datatype,   \
                              MPI_Status *status) {                                                \
        return access_now(ACCESS(pointer, is_collective, writes, 0), status);                      \
    }
#define NOW_AT(name, is_const, is_collective, writes)                                              \
    int bsim__MPI_File_##name(MPI_File fh, MPI_Offset offset, is_const void *buf, int count,       \
                              MPI_Datatype datatype, MPI_Status *status) {                         \
        return access_now(ACCESS(IO_EXPLICIT, is_collective, writes, offset), status);             \
    }
#define END(name, is_const)                                                                        \
    int bsim__MPI_File_##name##_end(MPI_File fh, is_const void *buf, MPI_Status *status) {         \
        (void)buf;                                                                                 \
        return end_split(fh, status);                                                              \
    }
#define SPLIT(name, is_const, pointer, writes)                                                     \
    int bsim__MPI_File_##name##_begin(MPI_File fh, is_const void *buf, int count,                  \
                                      MPI_Datatype datatype) {                                     \
        return begin_split(ACCESS(pointer, true, writes, 0));                                      \
    }                                                                                              \
    END(name, is_const)
#define SPLIT_AT(name, is_const, writes)                                                           \
    int bsim__MPI_File_##name##_begin(MPI_File fh, MPI_Offset offset, is_const void *buf,          \
                                      int count, MPI_Datatype datatype) {                          \
        return begin_split(ACCESS(IO_EXPLICIT, true, writes, offset));                             \
    }                                                                                              \
    END(name, is_const)

NOW(read, , IO_INDIVIDUAL, false, false)
NOW(read_all, , IO_INDIVIDUAL, true, false)
NOW(read_shared, , IO_SHARED, false, false)
NOW(read_ordered, , IO_ORDERED, true, false)
NOW_AT(read_at, , false, false)
NOW_AT(read_at_all, , true, false)
NOW(write, const, IO_INDIVIDUAL, false, true)
NOW(write_all, const, IO_INDIVIDUAL, true, true)
NOW(write_shared, const, IO_SHARED, false, true)
NOW(write_ordered, const, IO_ORDERED, true, true)
NOW_AT(write_at, const, false, true)
NOW_AT(write_at_all, const, true, true)
SPLIT(read_all, , IO_INDIVIDUAL, false)
SPLIT(read_ordered, , IO_ORDERED, false)
SPLIT_AT(read_at_all, , false)
SPLIT(write_all, const, IO_INDIVIDUAL, true)
SPLIT(write_ordered, const, IO_ORDERED, true)
SPLIT_AT(write_at_all, const, true)
