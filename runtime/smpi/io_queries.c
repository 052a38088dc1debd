/* SPDX-License-Identifier: Apache-2.0
 *
 * MPI-IO but for data: where pointers are and go, sizes, and what a file was opened with.
 */
#include "runtime/smpi/io.h"
#include "runtime/smpi/replaced.h"

/* Returns from the function that asks where there is no file. */
#define FILE_OF(fh)                                                                                \
    struct bsim__io_file *file = bsim__io_file(fh);                                                \
    if (file == NULL)                                                                              \
    return bsim__io_fail(NULL, MPI_ERR_FILE)

/* ---- Pointers ---- */

/* The new place, in etypes; below 0: there is none. */
static MPI_Offset sought(const struct bsim__io_file *file, MPI_Offset now, MPI_Offset offset,
                         int whence) {
    switch (whence) {
    case MPI_SEEK_SET:
        return offset;
    case MPI_SEEK_CUR:
        return now + offset;
    case MPI_SEEK_END:
        return bsim__io_view_end(file) + offset;
    default:
        return -1;
    }
}

int bsim__MPI_File_seek(MPI_File fh, MPI_Offset offset, int whence) {
    FILE_OF(fh);
    MPI_Offset place = sought(file, file->position, offset, whence);
    if (place < 0 || (file->amode & MPI_MODE_SEQUENTIAL) != 0)
        return bsim__io_fail(file, place < 0 ? MPI_ERR_ARG : MPI_ERR_UNSUPPORTED_OPERATION);
    file->position = place;
    return MPI_SUCCESS;
}

int bsim__MPI_File_seek_shared(MPI_File fh, MPI_Offset offset, int whence) {
    FILE_OF(fh);
    bsim__io_meet(file);
    MPI_Offset place = sought(file, file->shared->pointer, offset, whence);
    bsim__io_meet(file);
    if (place < 0)
        return bsim__io_fail(file, MPI_ERR_ARG);
    file->shared->pointer = place;
    bsim__io_meet(file);
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_position(MPI_File fh, MPI_Offset *offset) {
    FILE_OF(fh);
    *offset = file->position;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_position_shared(MPI_File fh, MPI_Offset *offset) {
    FILE_OF(fh);
    *offset = file->shared->pointer;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_byte_offset(MPI_File fh, MPI_Offset offset, MPI_Offset *disp) {
    FILE_OF(fh);
    if (offset < 0)
        return bsim__io_fail(file, MPI_ERR_ARG);
    *disp = bsim__io_view_byte(&file->view, offset);
    return MPI_SUCCESS;
}

/* ---- Sizes ---- */

int bsim__MPI_File_get_size(MPI_File fh, MPI_Offset *size) {
    FILE_OF(fh);
    *size = bsim__io_store_size(file->shared->store);
    return MPI_SUCCESS;
}

/* Collective; one rank does it, between two barriers: no access of before or after is in between.
 */
static int resize(struct bsim__io_file *file, MPI_Offset size, bool shortens) {
    int code = size < 0 ? MPI_ERR_ARG : MPI_SUCCESS, number;
    if (code == MPI_SUCCESS && (file->amode & MPI_MODE_RDONLY) != 0)
        code = MPI_ERR_READ_ONLY;
    bsim__io_meet(file);
    MPI_Comm_rank(file->communicator, &number);
    if (code == MPI_SUCCESS && number == 0) {
        bsim__io_server_ask(file->shared->server);
        if (shortens || size > bsim__io_store_size(file->shared->store))
            code = bsim__io_store_set_size(file->shared->store, size);
    }
    bsim__io_meet(file);
    return bsim__io_fail(file, code);
}

int bsim__MPI_File_set_size(MPI_File fh, MPI_Offset size) {
    FILE_OF(fh);
    return resize(file, size, true);
}

int bsim__MPI_File_preallocate(MPI_File fh, MPI_Offset size) {
    FILE_OF(fh);
    return resize(file, size, false);
}

/* What was written is seen by all at once. */
int bsim__MPI_File_sync(MPI_File fh) {
    FILE_OF(fh);
    bsim__io_meet(file);
    bsim__io_server_ask(file->shared->server);
    return MPI_SUCCESS;
}

/* ---- What it was opened with ---- */

int bsim__MPI_File_get_amode(MPI_File fh, int *amode) {
    FILE_OF(fh);
    *amode = file->amode;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_group(MPI_File fh, MPI_Group *group) {
    FILE_OF(fh);
    return MPI_Comm_group(file->communicator, group);
}

int bsim__MPI_File_set_atomicity(MPI_File fh, int flag) {
    FILE_OF(fh);
    bsim__io_meet(file);
    file->is_atomic = flag != 0;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_atomicity(MPI_File fh, int *flag) {
    FILE_OF(fh);
    *flag = file->is_atomic;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_type_extent(MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent) {
    MPI_Aint lower;
    FILE_OF(fh);
    return bsim__io_fail(file, MPI_Type_get_extent(datatype, &lower, extent));
}

/* Hints change nothing here, and are given back. */
int bsim__MPI_File_set_info(MPI_File fh, MPI_Info info) {
    FILE_OF(fh);
    bsim__io_meet(file);
    if (file->info != MPI_INFO_NULL)
        MPI_Info_free(&file->info);
    file->info = MPI_INFO_NULL;
    return info != MPI_INFO_NULL ? MPI_Info_dup(info, &file->info) : MPI_SUCCESS;
}

int bsim__MPI_File_get_info(MPI_File fh, MPI_Info *info_used) {
    FILE_OF(fh);
    return file->info != MPI_INFO_NULL ? MPI_Info_dup(file->info, info_used)
                                       : MPI_Info_create(info_used);
}
