/* SPDX-License-Identifier: Apache-2.0
 *
 * What MPI_File stands for: opening and closing, views, pointers, sizes, and what fails. All ranks
 * that open a file together share one object, whose address the first of them tells the others; so
 * they meet there as they would under a real MPI. By default files return errors (MPI 3.1,
 * section 13.7).
 */
#include "runtime/collectives/typed_bytes.h"
#include "runtime/smpi/io.h"
#include "runtime/smpi/replaced.h"

#include <stdlib.h>
#include <string.h>

/* In the object, so that what is no file is noticed. */
struct bsim__io_file *bsim__io_file(MPI_File handle) {
    return (struct bsim__io_file *)handle;
}

/* ---- Errors ---- */

struct bsim__io_handler {
    MPI_Errhandler handle;
    MPI_File_errhandler_function *function;
    struct bsim__io_handler *next;
};

static MPI_File_errhandler_function *function_of(MPI_Errhandler handle) {
    for (const struct bsim__io_handler *h = bsim__shared()->handlers; h != NULL; h = h->next)
        if (h->handle == handle)
            return h->function;
    return NULL;
}

/* MPI_FILE_NULL's is that of files that are opened, and of calls without a file. */
static MPI_Errhandler *handler_of(struct bsim__io_file *file) {
    struct bsim__rank *rank = bsim__current_rank();
    if (file != NULL)
        return &file->handler;
    if (rank->file_handler == NULL)
        rank->file_handler = MPI_ERRORS_RETURN;
    return &rank->file_handler;
}

int bsim__io_fail(struct bsim__io_file *file, int code) {
    if (code == MPI_SUCCESS)
        return code;
    MPI_Errhandler handler = *handler_of(file);
    MPI_File_errhandler_function *function = function_of(handler);
    MPI_File handle = (MPI_File)file;
    if (function != NULL) {
        function(&handle, &code);
    } else if (handler == MPI_ERRORS_ARE_FATAL) {
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(code, text, &length);
        bsim__stop("mpiskel: a function of MPI-IO failed on rank %d: %s (MPI_ERRORS_ARE_FATAL)",
                   bsim__current_rank()->number, text);
    }
    return code;
}

int bsim__MPI_File_create_errhandler(MPI_File_errhandler_function *function,
                                     MPI_Errhandler *errhandler) {
    int code = MPI_File_create_errhandler(function, errhandler);
    if (code != MPI_SUCCESS)
        return code;
    struct bsim__io_handler *handler = bsim__grow(NULL, 0, sizeof *handler);
    *handler = (struct bsim__io_handler){*errhandler, function, bsim__shared()->handlers};
    bsim__shared()->handlers = handler;
    return code;
}

int bsim__MPI_File_set_errhandler(MPI_File fh, MPI_Errhandler errhandler) {
    *handler_of(bsim__io_file(fh)) = errhandler;
    return MPI_SUCCESS;
}

int bsim__MPI_File_get_errhandler(MPI_File fh, MPI_Errhandler *errhandler) {
    *errhandler = *handler_of(bsim__io_file(fh));
    return MPI_SUCCESS;
}

int bsim__MPI_File_call_errhandler(MPI_File fh, int errorcode) {
    bsim__io_fail(bsim__io_file(fh), errorcode);
    return MPI_SUCCESS;
}

/* ---- Views ---- */

/* The program may free its own. */
static int keep(MPI_Datatype *out, MPI_Datatype type) {
    *out = type;
    return typed_bytes_is_predefined(type) ? MPI_SUCCESS : MPI_Type_dup(type, out);
}

static void give_up(MPI_Datatype *type) {
    if (*type != MPI_DATATYPE_NULL && !typed_bytes_is_predefined(*type))
        MPI_Type_free(type);
    *type = MPI_DATATYPE_NULL;
}

void bsim__io_view_dispose(struct bsim__io_view *view) {
    give_up(&view->etype);
    give_up(&view->filetype);
    bsim__layout_dispose(&view->layout);
}

static int check_layout(const struct bsim__layout *layout, MPI_Offset etype_bytes) {
    bool fits = etype_bytes > 0 && layout->size > 0 && layout->size % etype_bytes == 0;
    return fits ? MPI_SUCCESS : MPI_ERR_ARG;
}

int bsim__io_view_set(struct bsim__io_view *out, MPI_Offset displacement, MPI_Datatype etype,
                      MPI_Datatype filetype) {
    struct bsim__io_view view = {
        .displacement = displacement, .etype = MPI_DATATYPE_NULL, .filetype = MPI_DATATYPE_NULL};
    int size = 0, code = bsim__layout_init(&view.layout, filetype);
    if (code != MPI_SUCCESS)
        return code;
    if (etype != MPI_DATATYPE_NULL)
        MPI_Type_size(etype, &size);
    view.etype_bytes = size;
    code = displacement < 0 ? MPI_ERR_ARG : check_layout(&view.layout, size);
    if (code == MPI_SUCCESS)
        code = keep(&view.etype, etype);
    if (code == MPI_SUCCESS)
        code = keep(&view.filetype, filetype);
    bsim__io_view_dispose(code == MPI_SUCCESS ? out : &view);
    if (code == MPI_SUCCESS)
        *out = view;
    return code;
}

MPI_Offset bsim__io_view_byte(const struct bsim__io_view *view, MPI_Offset offset) {
    MPI_Offset run;
    return view->displacement + bsim__layout_place(&run, &view->layout, offset * view->etype_bytes);
}

/* By bisection: places ascend (MPI 3.1, section 13.3). */
MPI_Offset bsim__io_view_end(const struct bsim__io_file *file) {
    const struct bsim__io_view *view = &file->view;
    MPI_Offset size = bsim__io_store_size(file->shared->store), low = 0, high = 1;
    while (bsim__io_view_byte(view, high) < size)
        high *= 2;
    while (low < high) {
        MPI_Offset middle = low + (high - low) / 2;
        if (bsim__io_view_byte(view, middle) < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int set_view(struct bsim__io_file *file, MPI_Offset displacement, MPI_Datatype etype,
                    MPI_Datatype filetype, const char *representation) {
    if (strcmp(representation, "native") != 0 && strcmp(representation, "internal") != 0)
        return MPI_ERR_UNSUPPORTED_DATAREP;
    if (displacement == MPI_DISPLACEMENT_CURRENT && (file->amode & MPI_MODE_SEQUENTIAL) != 0)
        displacement = bsim__io_view_byte(&file->view, file->shared->pointer);
    return bsim__io_view_set(&file->view, displacement, etype, filetype);
}

int bsim__MPI_File_set_view(MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                            const char *datarep, MPI_Info info) {
    struct bsim__io_file *file = bsim__io_file(fh);
    (void)info;
    if (file == NULL)
        return bsim__io_fail(NULL, MPI_ERR_FILE);
    int code = set_view(file, disp, etype, filetype, datarep);
    bsim__io_meet(file);
    if (code == MPI_SUCCESS)
        file->position = file->shared->pointer = 0;
    bsim__io_meet(file);
    return bsim__io_fail(file, code);
}

int bsim__MPI_File_get_view(MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype,
                            MPI_Datatype *filetype, char *datarep) {
    struct bsim__io_file *file = bsim__io_file(fh);
    if (file == NULL)
        return bsim__io_fail(NULL, MPI_ERR_FILE);
    *disp = file->view.displacement;
    strcpy(datarep, "native");
    int code = keep(etype, file->view.etype);
    return bsim__io_fail(file, code == MPI_SUCCESS ? keep(filetype, file->view.filetype) : code);
}

/* ---- Opening and closing ---- */

static int check_amode(int amode) {
    int ways = ((amode & MPI_MODE_RDONLY) != 0) + ((amode & MPI_MODE_WRONLY) != 0) +
               ((amode & MPI_MODE_RDWR) != 0);
    bool makes = (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)) != 0;
    bool turns = (amode & MPI_MODE_RDWR) != 0 && (amode & MPI_MODE_SEQUENTIAL) != 0;
    bool fits = ways == 1 && !(makes && (amode & MPI_MODE_RDONLY) != 0) && !turns;
    return fits ? MPI_SUCCESS : MPI_ERR_AMODE;
}

static int open_shared(struct bsim__io_shared **out, const char *filename, int amode, int users) {
    struct bsim__io_store *store = NULL;
    int code = check_amode(amode);
    if (code == MPI_SUCCESS)
        code = bsim__io_store_open(&store, filename, amode);
    if (code != MPI_SUCCESS)
        return code;
    *out = bsim__grow(NULL, 0, sizeof **out);
    (*out)->users = users;
    (*out)->store = store;
    (*out)->server = bsim__io_server_of(bsim__io_store_path(store));
    return MPI_SUCCESS;
}

/* What rank 0 has found. */
struct io_file_answer {
    struct bsim__io_shared *shared;
    int code;
};

static struct io_file_answer open_together(MPI_Comm communicator, const char *filename, int amode) {
    struct io_file_answer answer = {0};
    int number, size;
    MPI_Comm_rank(communicator, &number);
    MPI_Comm_size(communicator, &size);
    if (number == 0) {
        answer.code = open_shared(&answer.shared, filename, amode, size);
        bsim__io_server_ask(bsim__io_server_of(filename));
    }
    MPI_Bcast(&answer, (int)sizeof answer, MPI_BYTE, 0, communicator);
    return answer;
}

int bsim__MPI_File_open(MPI_Comm comm, const char *filename, int amode, MPI_Info info,
                        MPI_File *fh) {
    MPI_Comm own;
    *fh = MPI_FILE_NULL;
    smpi_bench_end(); /* other ranks run meanwhile */
    int code = MPI_Comm_dup(comm, &own);
    smpi_bench_begin();
    if (code != MPI_SUCCESS)
        return bsim__io_fail(NULL, code);
    struct io_file_answer answer = open_together(own, filename, amode);
    if (answer.code != MPI_SUCCESS) {
        MPI_Comm_free(&own);
        return bsim__io_fail(NULL, answer.code);
    }
    struct bsim__io_file *file = bsim__grow(NULL, 0, sizeof *file);
    file->shared = answer.shared;
    file->communicator = own;
    file->amode = amode;
    file->handler = *handler_of(NULL);
    file->view.etype = file->view.filetype = MPI_DATATYPE_NULL;
    file->info = MPI_INFO_NULL;
    if (info != MPI_INFO_NULL)
        MPI_Info_dup(info, &file->info);
    bsim__io_view_set(&file->view, 0, MPI_BYTE, MPI_BYTE);
    if ((amode & MPI_MODE_APPEND) != 0)
        file->position = file->shared->pointer = bsim__io_store_size(file->shared->store);
    *fh = (MPI_File)file;
    return MPI_SUCCESS;
}

void bsim__io_meet(const struct bsim__io_file *file) {
    MPI_Barrier(file->communicator);
}

int bsim__MPI_File_close(MPI_File *fh) {
    struct bsim__io_file *file = bsim__io_file(*fh);
    if (file == NULL)
        return bsim__io_fail(NULL, MPI_ERR_FILE);
    struct bsim__io_shared *shared = file->shared;
    bsim__io_meet(file);
    bsim__io_server_ask(shared->server);
    if (--shared->users == 0) {
        if ((file->amode & MPI_MODE_DELETE_ON_CLOSE) != 0)
            bsim__io_store_delete(bsim__io_store_path(shared->store));
        bsim__io_store_close(shared->store);
        free(shared);
    }
    bsim__io_view_dispose(&file->view);
    if (file->info != MPI_INFO_NULL)
        MPI_Info_free(&file->info);
    MPI_Comm_free(&file->communicator);
    free(file);
    *fh = MPI_FILE_NULL;
    return MPI_SUCCESS;
}

int bsim__MPI_File_delete(const char *filename, MPI_Info info) {
    (void)info;
    bsim__io_server_ask(bsim__io_server_of(filename));
    return bsim__io_fail(NULL, bsim__io_store_delete(filename));
}

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
