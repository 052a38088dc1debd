/* SPDX-License-Identifier: Apache-2.0
 *
 * Nonblocking access: MPI_File_iread and its kin, and what completes their requests.
 *
 * A request of a file is a generalised request of MPI that has been completed, so that SimGrid
 * knows it as one, while the transfer behind it tells when it is done. The functions that complete
 * requests never see it: it is taken out of the array, SimGrid completes the others, and what it
 * has to say is put in. Where any of several is waited for, both kinds are asked in turn.
 */
#include "runtime/smpi/io.h"
#include "runtime/smpi/replaced.h"

#include <simgrid/engine.h>
#include <stdlib.h>
#include <string.h>

#define ASK_AGAIN_S 1e-6  /* a message takes no less */
#define POLLS_PATIENT 100 /* so many add that much: a second takes some 14,000 */

struct bsim__io_request {
    MPI_Request request;
    MPI_Offset bytes;
    struct bsim__io_transfer transfer;
    struct bsim__io_request *next;
};

/* ---- Making one ---- */

static int query(void *state, MPI_Status *status) {
    (void)state;
    bsim__io_status(status, 0);
    return MPI_SUCCESS;
}

static int release(void *state) {
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

static int access_later(const struct bsim__io_access *access, MPI_Request *request) {
    struct bsim__rank *rank = bsim__current_rank();
    struct bsim__io_request *own = bsim__grow(NULL, 0, sizeof *own);
    *request = MPI_REQUEST_NULL;
    own->bytes = bsim__io_access_begin(&own->transfer, access);
    if (own->bytes < 0) {
        int code = (int)-own->bytes;
        free(own);
        return code;
    }
    MPI_Grequest_start(query, release, cancel, NULL, &own->request);
    MPI_Grequest_complete(own->request);
    own->next = rank->io;
    rank->io = own;
    *request = own->request;
    return MPI_SUCCESS;
}

/* ---- Completing it ---- */

static struct bsim__io_request *find(MPI_Request request) {
    struct bsim__io_request *own = bsim__current_rank()->io;
    while (own != NULL && own->request != request)
        own = own->next;
    return request != MPI_REQUEST_NULL ? own : NULL;
}

static void complete(MPI_Request *request, MPI_Status *status) {
    struct bsim__io_request *own = find(*request), **at = &bsim__current_rank()->io;
    bsim__io_transfer_wait(&own->transfer);
    bsim__io_status(status, own->bytes);
    while (*at != own)
        at = &(*at)->next;
    *at = own->next;
    MPI_Wait(request, MPI_STATUS_IGNORE);
    *request = MPI_REQUEST_NULL;
    free(own);
}

/* The requests of a call: those of files apart from the others. */
struct io_batch {
    int count;
    MPI_Request *requests; /* the program's */
    MPI_Request *files;    /* MPI_REQUEST_NULL where it is of no file; the program's then is */
    int file_count;
};

static bool batch_init(struct io_batch *out, int count, MPI_Request *requests) {
    *out = (struct io_batch){.count = count, .requests = requests};
    for (int i = 0; i < count; i++)
        out->file_count += find(requests[i]) != NULL;
    if (out->file_count == 0)
        return false;
    out->files = bsim__grow(NULL, 0, (size_t)count * sizeof *out->files);
    for (int i = 0; i < count; i++) {
        bool of_file = find(requests[i]) != NULL;
        out->files[i] = of_file ? requests[i] : MPI_REQUEST_NULL;
        requests[i] = of_file ? MPI_REQUEST_NULL : requests[i];
    }
    return true;
}

/* What is not complete goes back to the program. */
static void batch_dispose(struct io_batch *batch) {
    for (int i = 0; i < batch->count; i++)
        if (batch->files[i] != MPI_REQUEST_NULL)
            batch->requests[i] = batch->files[i];
    free(batch->files);
}

static bool is_done(const struct io_batch *batch, int index) {
    struct bsim__io_request *own = find(batch->files[index]);
    return own != NULL && bsim__io_transfer_is_done(&own->transfer);
}

static bool are_all_done(const struct io_batch *batch) {
    for (int i = 0; i < batch->count; i++)
        if (batch->files[i] != MPI_REQUEST_NULL && !is_done(batch, i))
            return false;
    return true;
}

static MPI_Status *status_of(MPI_Status *statuses, int index) {
    return statuses != MPI_STATUSES_IGNORE ? &statuses[index] : MPI_STATUS_IGNORE;
}

static void complete_all(struct io_batch *batch, MPI_Status *statuses) {
    for (int i = 0; i < batch->count; i++)
        if (batch->files[i] != MPI_REQUEST_NULL)
            complete(&batch->files[i], status_of(statuses, i));
}

static int wait_for_all(struct io_batch *batch, MPI_Status *statuses) {
    int code = MPI_Waitall(batch->count, batch->requests, statuses);
    complete_all(batch, statuses);
    return code;
}

/* Time goes on, as in SimGrid's own polls, or a program would ask forever; the more, the longer it
 * does nothing but ask: files take a thousand times as long as messages. */
static void poll_once(void) {
    struct bsim__rank *rank = bsim__current_rank();
    double idle_s = simgrid_get_clock() - rank->io_polled_s;
    rank->io_polls = idle_s > ASK_AGAIN_S ? 0 : rank->io_polls + 1;
    bsim__sleep(rank, ASK_AGAIN_S * (1 + rank->io_polls / POLLS_PATIENT));
    rank->io_polled_s = simgrid_get_clock();
}

static int test_all(struct io_batch *batch, int *flag, MPI_Status *statuses) {
    *flag = 0;
    if (!are_all_done(batch)) {
        poll_once();
        return MPI_SUCCESS;
    }
    int code = MPI_Testall(batch->count, batch->requests, flag, statuses);
    if (*flag)
        complete_all(batch, statuses);
    return code;
}

/* SimGrid's MPI_Testany passes over messages that it has sent (idle_requests.c). */
static int test_others(struct io_batch *batch, int *index, int *flag, MPI_Status *status) {
    const struct bsim__handles *persistent = &bsim__current_rank()->persistent;
    *flag = 0;
    int code = MPI_Testany(batch->count, batch->requests, index, flag, status);
    if (*flag && *index != MPI_UNDEFINED)
        return code;
    *flag = 0;
    for (int i = 0; i < batch->count && code == MPI_SUCCESS && !*flag; i++) {
        *index = i;
        if (batch->requests[i] != MPI_REQUEST_NULL &&
            bsim__handle_find(persistent, batch->requests[i]) < 0)
            code = MPI_Test(&batch->requests[i], flag, status);
    }
    return code;
}

static int test_any(struct io_batch *batch, int *index, int *flag, MPI_Status *status) {
    for (int i = 0; i < batch->count; i++)
        if (is_done(batch, i)) {
            complete(&batch->files[i], status);
            *index = i;
            *flag = 1;
            return MPI_SUCCESS;
        }
    int code = test_others(batch, index, flag, status);
    if (!*flag)
        poll_once();
    return code;
}

static int wait_for_any(struct io_batch *batch, int *index, MPI_Status *status) {
    int flag = 0, code = MPI_SUCCESS;
    while (!flag && code == MPI_SUCCESS)
        code = test_any(batch, index, &flag, status);
    return code;
}

/* One at a time is some. */
static int test_some(struct io_batch *batch, bool waits, int *count, int *indices,
                     MPI_Status *statuses) {
    int flag = 0, code = MPI_SUCCESS;
    do
        code = test_any(batch, indices, &flag, status_of(statuses, 0));
    while (waits && !flag && code == MPI_SUCCESS);
    *count = flag ? 1 : 0;
    return code;
}

/* ---- The calls ---- */

#define ARGUMENT(type, index) (*(type *)call->args[index])

static int complete_several(const struct bsim__call *call, struct io_batch *batch) {
    switch (call->id) {
    case BSIM__ID_MPI_Waitall:
        return wait_for_all(batch, ARGUMENT(MPI_Status *, 2));
    case BSIM__ID_MPI_Testall:
        return test_all(batch, ARGUMENT(int *, 2), ARGUMENT(MPI_Status *, 3));
    case BSIM__ID_MPI_Waitany:
        return wait_for_any(batch, ARGUMENT(int *, 2), ARGUMENT(MPI_Status *, 3));
    case BSIM__ID_MPI_Testany:
        return test_any(batch, ARGUMENT(int *, 2), ARGUMENT(int *, 3), ARGUMENT(MPI_Status *, 4));
    default:
        return test_some(batch, call->id == BSIM__ID_MPI_Waitsome, ARGUMENT(int *, 2),
                         ARGUMENT(int *, 3), ARGUMENT(MPI_Status *, 4));
    }
}

static int complete_one(const struct bsim__call *call, MPI_Request *request) {
    struct bsim__io_request *own = find(*request);
    if (call->id == BSIM__ID_MPI_Test) {
        int *flag = ARGUMENT(int *, 1);
        *flag = bsim__io_transfer_is_done(&own->transfer);
        if (!*flag) {
            poll_once();
            return MPI_SUCCESS;
        }
        complete(request, ARGUMENT(MPI_Status *, 2));
    } else {
        complete(request,
                 call->id == BSIM__ID_MPI_Wait ? ARGUMENT(MPI_Status *, 1) : MPI_STATUS_IGNORE);
    }
    return MPI_SUCCESS;
}

static bool completes_one(enum bsim__id id) {
    return id == BSIM__ID_MPI_Wait || id == BSIM__ID_MPI_Test || id == BSIM__ID_MPI_Request_free;
}

static bool completes_several(enum bsim__id id) {
    return id == BSIM__ID_MPI_Waitall || id == BSIM__ID_MPI_Testall || id == BSIM__ID_MPI_Waitany ||
           id == BSIM__ID_MPI_Testany || id == BSIM__ID_MPI_Waitsome || id == BSIM__ID_MPI_Testsome;
}

/* Nothing completes both here. */
static void refuse_composites(const struct bsim__call *call, const struct io_batch *batch) {
    const struct bsim__handles *composites = &bsim__current_rank()->composites;
    for (int i = 0; i < batch->count; i++)
        if (batch->requests[i] != MPI_REQUEST_NULL &&
            bsim__handle_find(composites, batch->requests[i]) >= 0)
            bsim__stop("%s:%d: error: '%s' is given requests of files and of nonblocking "
                       "collectives; complete the two kinds in calls of their own",
                       call->file, call->line, bsim__functions[call->id].name);
}

bool bsim__io_completes(struct bsim__call *call) {
    struct io_batch batch;
    if (bsim__current_rank()->io == NULL)
        return false;
    if (completes_one(call->id) && find(*ARGUMENT(MPI_Request *, 0)) != NULL) {
        call->code = complete_one(call, ARGUMENT(MPI_Request *, 0));
        return true;
    }
    if (!completes_several(call->id) ||
        !batch_init(&batch, ARGUMENT(int, 0), ARGUMENT(MPI_Request *, 1)))
        return false;
    refuse_composites(call, &batch);
    call->code = complete_several(call, &batch);
    batch_dispose(&batch);
    return true;
}

/* ---- MPI's functions ---- */

/* Collective ones do not wait for each other. */
#define ACCESS(pointer, writes, offset)                                                            \
    &(struct bsim__io_access) {                                                                    \
        fh, pointer, false, writes, offset, (void *)buf, count, datatype                           \
    }
#define LATER(name, is_const, pointer, writes)                                                     \
    int bsim__MPI_File_##name(MPI_File fh, is_const void *buf, int count, MPI_Datatype datatype,   \
                              MPI_Request *request) {                                              \
        return access_later(ACCESS(pointer, writes, 0), request);                                  \
    }
#define LATER_AT(name, is_const, writes)                                                           \
    int bsim__MPI_File_##name(MPI_File fh, MPI_Offset offset, is_const void *buf, int count,       \
                              MPI_Datatype datatype, MPI_Request *request) {                       \
        return access_later(ACCESS(IO_EXPLICIT, writes, offset), request);                         \
    }

LATER(iread, , IO_INDIVIDUAL, false)
LATER(iread_all, , IO_INDIVIDUAL, false)
LATER(iread_shared, , IO_SHARED, false)
LATER_AT(iread_at, , false)
LATER_AT(iread_at_all, , false)
LATER(iwrite, const, IO_INDIVIDUAL, true)
LATER(iwrite_all, const, IO_INDIVIDUAL, true)
LATER(iwrite_shared, const, IO_SHARED, true)
LATER_AT(iwrite_at, const, true)
LATER_AT(iwrite_at_all, const, true)
