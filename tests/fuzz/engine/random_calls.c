/* SPDX-License-Identifier: Apache-2.0
 *
 * Random communication of all kinds: `random_calls SEED STEPS` draws steps, the same ones on all
 * ranks, and prints what each rank was told (statuses, indices, flags, sums of what arrived) and
 * when. Programs are safe by construction: no deadlock, no message that nobody takes. Variables are
 * all on the stack or allocated, since ranks share the program.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 16     /* requests of one step */
#define CELLS 30000 /* ints of a message at most; more than are eager */

struct run {
    uint64_t shared, own; /* states of random numbers: of all ranks, of this one */
    MPI_Comm comm;
    int rank, size, step, number; /* number: in the world, for what is printed */
    int *sent, *received;         /* CELLS for each of MOST */
    int probed;                   /* for anyone: SMPI loses persistent requests behind it */
};

static uint64_t next(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545f4914f6cdd1dU >> 33;
}

static int draw(struct run *run, int below) {
    return (int)(next(&run->shared) % (uint64_t)below);
}

static int draw_own(struct run *run, int below) {
    return (int)(next(&run->own) % (uint64_t)below);
}

/* Some small, some eager, some not. */
static int draw_count(struct run *run) {
    static const int most[] = {2, 64, 1024, 15000, CELLS};
    return draw(run, most[draw(run, 5)]);
}

static int *sent(struct run *run, int i) {
    return run->sent + (size_t)i * CELLS;
}
static int *received(struct run *run, int i) {
    return run->received + (size_t)i * CELLS;
}

static void tell(struct run *run, const char *what, int a, int b, int c) {
    printf("%d %d %s %d %d %d at %.9g\n", run->number, run->step, what, a, b, c, MPI_Wtime());
}

static int sum(const int *cells, int count) {
    unsigned total = 0;
    for (int i = 0; i < count; i++)
        total = total * 31 + (unsigned)cells[i];
    return (int)(total & 0xffffff);
}

static void tell_message(struct run *run, const char *what, const MPI_Status *status, int i) {
    int count;
    MPI_Get_count(status, MPI_INT, &count);
    tell(run, what, status->MPI_SOURCE, status->MPI_TAG, sum(received(run, i), count));
}

/* ---- Ways to complete requests ---- */

static void wait_any(struct run *run, int count, MPI_Request *requests) {
    for (int index = 0; index != MPI_UNDEFINED;) {
        MPI_Waitany(count, requests, &index, MPI_STATUS_IGNORE);
        tell(run, "any", index == MPI_UNDEFINED ? -1 : index, 0, 0);
    }
}

static void wait_some(struct run *run, int count, MPI_Request *requests) {
    int indices[MOST], done = 0;
    while (done != MPI_UNDEFINED) {
        MPI_Waitsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
        tell(run, "some", done == MPI_UNDEFINED ? -1 : done, done > 0 ? indices[0] : -1, 0);
    }
}

static void test_each(struct run *run, int count, MPI_Request *requests) {
    for (int i = 0; i < count; i++) {
        int flag = 0, polls = 0;
        for (; !flag; polls++)
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
        tell(run, "tests", i, polls, 0);
    }
}

static void test_all(struct run *run, int count, MPI_Request *requests) {
    int flag = 0, polls = 0;
    for (; !flag; polls++)
        MPI_Testall(count, requests, &flag, MPI_STATUSES_IGNORE);
    tell(run, "testall", polls, 0, 0);
}

static void test_some(struct run *run, int count, MPI_Request *requests) {
    int indices[MOST], done = 0, polls = 0;
    for (; done != MPI_UNDEFINED; polls++) {
        MPI_Testsome(count, requests, &done, indices, MPI_STATUSES_IGNORE);
        if (done > 0)
            tell(run, "testsome", done, indices[0], polls);
    }
}

static void complete(struct run *run, int count, MPI_Request *requests) {
    MPI_Status statuses[MOST];
    switch (draw(run, 7)) {
    case 0:
        for (int i = 0; i < count; i++)
            MPI_Wait(&requests[i], &statuses[i]);
        break;
    case 1:
        wait_any(run, count, requests);
        break;
    case 2:
        wait_some(run, count, requests);
        break;
    case 3:
        test_each(run, count, requests);
        break;
    case 4:
        test_all(run, count, requests);
        break;
    case 5:
        test_some(run, count, requests);
        break;
    default:
        MPI_Waitall(count, requests, statuses);
    }
    tell(run, "completed", count, 0, 0);
}

/* ---- From rank to rank ---- */

static void start_send(struct run *run, int mode, int i, int count, MPI_Datatype type, int to,
                       MPI_Request *request) {
    switch (mode) {
    case 0:
        MPI_Issend(sent(run, i), count, type, to, i, run->comm, request);
        break;
    case 1:
        MPI_Irsend(sent(run, i), count, type, to, i, run->comm, request);
        break;
    default:
        MPI_Isend(sent(run, i), count, type, to, i, run->comm, request);
    }
}

/* Every rank sends some messages to one at a distance, with receives before or behind. */
static void exchange(struct run *run) {
    int messages = 1 + draw(run, MOST / 2), shift = 1 + draw(run, run->size);
    int to = (run->rank + shift) % run->size;
    int from = (run->rank + run->size - shift % run->size) % run->size;
    int receives_first = draw(run, 2), counts[MOST / 2];
    MPI_Request requests[MOST];
    for (int i = 0; i < messages; i++)
        counts[i] = draw_count(run);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < messages; i++)
            if ((pass == 0) == receives_first)
                MPI_Irecv(received(run, i), CELLS, MPI_INT, from, i, run->comm, &requests[i]);
            else /* MPI_Irsend needs the receive to be there */
                start_send(run, draw(run, 4) == 0 ? 0 : 2, i, counts[i], MPI_INT, to,
                           &requests[messages + i]);
    complete(run, 2 * messages, requests);
    for (int i = 0; i < messages; i++)
        tell(run, "got", i, 0, sum(received(run, i), counts[i]));
}

static void pairs(struct run *run) {
    int count = draw_count(run), mode = draw(run, 4), root = draw(run, run->size);
    MPI_Status status;
    for (int i = 0; i < run->size && run->rank == root; i++) {
        if (i == root)
            continue;
        MPI_Recv(received(run, 0), CELLS, MPI_INT, i, 5, run->comm, &status);
        tell_message(run, "paired", &status, 0);
    }
    if (run->rank == root)
        return;
    if (mode == 0)
        MPI_Ssend(sent(run, 0), count, MPI_INT, root, 5, run->comm);
    else
        MPI_Send(sent(run, 0), count, MPI_INT, root, 5, run->comm);
    tell(run, "sent", mode, count, 0);
}

static void buffered(struct run *run) {
    int bytes = CELLS * (int)sizeof(int) + MPI_BSEND_OVERHEAD, count = draw_count(run);
    void *buffer = malloc((size_t)bytes);
    int to = (run->rank + 1) % run->size, from = (run->rank + run->size - 1) % run->size;
    MPI_Status status;
    MPI_Buffer_attach(buffer, bytes);
    MPI_Bsend(sent(run, 0), count, MPI_INT, to, 6, run->comm);
    MPI_Recv(received(run, 0), CELLS, MPI_INT, from, MPI_ANY_TAG, run->comm, &status);
    MPI_Buffer_detach(&buffer, &bytes);
    free(buffer);
    tell_message(run, "buffered", &status, 0);
}

static void both(struct run *run) {
    int shift = 1 + draw(run, run->size - 1), count = 1 + draw_count(run);
    int to = (run->rank + shift) % run->size, from = (run->rank + run->size - shift) % run->size;
    MPI_Status status;
    if (draw(run, 2))
        MPI_Sendrecv(sent(run, 0), count, MPI_INT, to, 7, received(run, 0), CELLS, MPI_INT, from, 7,
                     run->comm, &status);
    else
        MPI_Sendrecv_replace(memcpy(received(run, 0), sent(run, 0), sizeof(int) * (size_t)count),
                             count, MPI_INT, to, 7, from, 7, run->comm, &status);
    tell_message(run, "both", &status, 0);
}

/* ---- From anyone ---- */

static void look(struct run *run, MPI_Status *status) {
    int flag = 0, polls = 0;
    if (draw_own(run, 2)) {
        MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, run->comm, status);
    } else {
        for (; !flag; polls++)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, run->comm, &flag, status);
    }
    tell(run, "probed", status->MPI_SOURCE, status->MPI_TAG, polls);
}

static void take_all(struct run *run, int messages, int way) {
    MPI_Status status;
    MPI_Request requests[MOST];
    while (way == 2 && messages >= MOST / 2) {
        for (int i = 0; i < MOST / 2; i++)
            MPI_Irecv(received(run, i), CELLS, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, run->comm,
                      &requests[i]);
        for (int i = 0, index; i < MOST / 2; i++) {
            MPI_Waitany(MOST / 2, requests, &index, &status);
            tell_message(run, "came", &status, index);
        }
        messages -= MOST / 2;
    }
    for (int i = 0; i < messages; i++) {
        if (way == 1)
            look(run, &status);
        MPI_Recv(received(run, 0), CELLS, MPI_INT, way == 1 ? status.MPI_SOURCE : MPI_ANY_SOURCE,
                 way == 1 ? status.MPI_TAG : MPI_ANY_TAG, run->comm, &status);
        tell_message(run, "from anyone", &status, 0);
    }
}

static void from_anyone(struct run *run) {
    int messages = 1 + draw(run, 4), root = draw(run, run->size), way = draw(run, 3);
    int count = draw_count(run), differ = draw(run, 2);
    MPI_Request requests[4];
    run->probed = 1;
    if (run->rank == root) {
        take_all(run, messages * (run->size - 1), way);
    } else {
        for (int i = 0; i < messages; i++)
            MPI_Isend(sent(run, i), (count + differ * (97 * run->rank + i)) % CELLS, MPI_INT, root,
                      i, run->comm, &requests[i]);
        MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(run->comm); /* or the next step's messages could come in between */
}

/* ---- Persistent, cancelled ---- */

static void persistent(struct run *run) {
    int to = (run->rank + 1) % run->size, from = (run->rank + run->size - 1) % run->size;
    int count = draw_count(run), times = 1 + draw(run, 3);
    MPI_Request requests[2];
    if (run->probed)
        return;
    MPI_Recv_init(received(run, 0), CELLS, MPI_INT, from, 8, run->comm, &requests[0]);
    if (draw(run, 2))
        MPI_Ssend_init(sent(run, 0), count, MPI_INT, to, 8, run->comm, &requests[1]);
    else
        MPI_Send_init(sent(run, 0), count, MPI_INT, to, 8, run->comm, &requests[1]);
    for (int i = 0; i < times; i++) {
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        tell(run, "again", i, 0, sum(received(run, 0), count));
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void cancelled(struct run *run) {
    MPI_Request request;
    MPI_Status status;
    int flag;
    MPI_Irecv(received(run, 0), 4, MPI_INT, run->rank, 99, run->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    tell(run, "cancelled", flag, 0, 0);
}

/* ---- Collectives ---- */

static void collective(struct run *run) {
    int root = draw(run, run->size), count = 1 + draw_count(run) / run->size, kind = draw(run, 9);
    int *in = sent(run, 0), *out = received(run, 0);
    static const char *const names[] = {"barrier", "bcast",     "reduce",   "allreduce", "gather",
                                        "scatter", "allgather", "alltoall", "scan"};
    MPI_Op op = draw(run, 2) ? MPI_SUM : MPI_MAX;
    memset(out, 0, sizeof(int) * CELLS);
    switch (kind) {
    case 0:
        MPI_Barrier(run->comm);
        break;
    case 1:
        memcpy(out, in, sizeof(int) * (size_t)count);
        MPI_Bcast(out, count, MPI_INT, root, run->comm);
        break;
    case 2:
        MPI_Reduce(in, out, count, MPI_INT, op, root, run->comm);
        break;
    case 3:
        MPI_Allreduce(in, out, count, MPI_INT, op, run->comm);
        break;
    case 4:
        MPI_Gather(in, count, MPI_INT, out, count, MPI_INT, root, run->comm);
        break;
    case 5:
        MPI_Scatter(in, count, MPI_INT, out, count, MPI_INT, root, run->comm);
        break;
    case 6:
        MPI_Allgather(in, count, MPI_INT, out, count, MPI_INT, run->comm);
        break;
    case 7:
        MPI_Alltoall(in, count, MPI_INT, out, count, MPI_INT, run->comm);
        break;
    default:
        MPI_Scan(in, out, count, MPI_INT, op, run->comm);
    }
    tell(run, names[kind], root, count, sum(out, CELLS));
}

/* Blocks of different sizes: rank i has `each` + i. */
static void by_sizes(struct run *run) {
    int counts[64], places[64], total = 0, root = draw(run, run->size);
    int each = draw_count(run) / run->size / 2, kind = draw(run, 5);
    int *in = sent(run, 0), *out = received(run, 0);
    for (int i = 0; i < run->size; i++) {
        counts[i] = each + i;
        places[i] = total;
        total += counts[i];
    }
    memset(out, 0, sizeof(int) * CELLS);
    if (kind == 0)
        MPI_Gatherv(in, counts[run->rank], MPI_INT, out, counts, places, MPI_INT, root, run->comm);
    else if (kind == 1)
        MPI_Scatterv(in, counts, places, MPI_INT, out, counts[run->rank], MPI_INT, root, run->comm);
    else if (kind == 2)
        MPI_Allgatherv(in, counts[run->rank], MPI_INT, out, counts, places, MPI_INT, run->comm);
    else if (kind == 3)
        MPI_Reduce_scatter(in, out, counts, MPI_INT, MPI_SUM, run->comm);
    else
        MPI_Exscan(in, out, each + 1, MPI_INT, MPI_SUM, run->comm);
    tell(run, "by sizes", kind, each, run->rank == 0 && kind == 4 ? 0 : sum(out, CELLS));
}

static void nonblocking(struct run *run) {
    int root = draw(run, run->size), count = 1 + draw_count(run) / run->size, kind = draw(run, 6);
    int to = (run->rank + 1) % run->size, from = (run->rank + run->size - 1) % run->size;
    int *in = sent(run, 0), *out = received(run, 0), with_message = draw(run, 2);
    MPI_Request requests[3];
    memset(out, 0, sizeof(int) * CELLS);
    if (kind == 0)
        MPI_Ibarrier(run->comm, &requests[0]);
    else if (kind == 1)
        MPI_Ibcast(run->rank == root ? in : out, count, MPI_INT, root, run->comm, &requests[0]);
    else if (kind == 2)
        MPI_Iallreduce(in, out, count, MPI_INT, MPI_SUM, run->comm, &requests[0]);
    else if (kind == 3)
        MPI_Iallgather(in, count, MPI_INT, out, count, MPI_INT, run->comm, &requests[0]);
    else if (kind == 4)
        MPI_Ialltoall(in, count, MPI_INT, out, count, MPI_INT, run->comm, &requests[0]);
    else
        MPI_Igather(in, count, MPI_INT, out, count, MPI_INT, root, run->comm, &requests[0]);
    if (with_message) {
        MPI_Irecv(received(run, 1), CELLS, MPI_INT, from, 3, run->comm, &requests[1]);
        MPI_Isend(sent(run, 1), count, MPI_INT, to, 3, run->comm, &requests[2]);
    }
    MPI_Waitall(1 + 2 * with_message, requests, MPI_STATUSES_IGNORE);
    tell(run, "nonblocking", kind, count, sum(out, CELLS));
}

/* ---- Datatypes, windows, time ---- */

static void derived(struct run *run) {
    int blocks = 1 + draw(run, 40), length = 1 + draw(run, 5), gap = length + draw(run, 6);
    int lengths[3] = {1, 2, 1 + draw(run, 3)}, places[3] = {0, 4, 9};
    int to = (run->rank + 1) % run->size, from = (run->rank + run->size - 1) % run->size, size;
    MPI_Datatype type;
    MPI_Status status;
    if (draw(run, 2))
        MPI_Type_vector(blocks, length, gap, MPI_INT, &type);
    else
        MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    memset(received(run, 0), 0, sizeof(int) * CELLS);
    MPI_Sendrecv(sent(run, 0), 2, type, to, 9, received(run, 0), 2, type, from, 9, run->comm,
                 &status);
    tell(run, "derived", size, status.MPI_SOURCE, sum(received(run, 0), 2000));
    MPI_Type_free(&type);
}

static void windows(struct run *run) {
    int *cells = received(run, 0), count = 1 + draw(run, 500), kind = draw(run, 4), got = 0;
    int target = (run->rank + 1 + draw(run, run->size - 1)) % run->size, one = 1;
    MPI_Win win;
    memset(cells, 0, sizeof(int) * CELLS);
    MPI_Win_create(cells, CELLS * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, run->comm,
                   &win);
    MPI_Win_fence(0, win);
    if (kind == 0)
        MPI_Put(sent(run, 0), count, MPI_INT, target, 0, count, MPI_INT, win);
    else if (kind == 1)
        MPI_Get(received(run, 1), count, MPI_INT, target, 0, count, MPI_INT, win);
    else if (kind == 2)
        MPI_Accumulate(sent(run, 0), count, MPI_INT, target, 0, count, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (kind == 3) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Fetch_and_op(&one, &got, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_unlock(0, win);
        MPI_Win_fence(0, win);
    }
    tell(run, "window", kind, got, sum(cells, 600));
    MPI_Win_free(&win);
}

/* The memory that others look at is on a rank's stack. */
static void on_stacks(struct run *run) {
    int near[200], other[200], count = 1 + draw(run, 200), kind = draw(run, 4), got = 0, one = 1;
    int to = (run->rank + 1) % run->size, from = (run->rank + run->size - 1) % run->size;
    MPI_Request requests[2];
    MPI_Win win;
    for (int i = 0; i < 200; i++)
        near[i] = other[i] = run->rank * 300 + i;
    MPI_Irecv(other, 200, MPI_INT, from, 11, run->comm, &requests[0]);
    MPI_Isend(near, count, MPI_INT, to, 11, run->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Win_create(near, 200 * (MPI_Aint)sizeof(int), sizeof(int), MPI_INFO_NULL, run->comm, &win);
    MPI_Win_fence(0, win);
    if (kind == 0)
        MPI_Put(other, count, MPI_INT, to, 0, count, MPI_INT, win);
    else if (kind == 1)
        MPI_Accumulate(other, count, MPI_INT, to, 0, count, MPI_INT, MPI_SUM, win);
    else if (kind == 2)
        MPI_Fetch_and_op(&one, &got, MPI_INT, to, 7, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (kind == 3)
        MPI_Get(other, count, MPI_INT, to, 0, count, MPI_INT, win);
    MPI_Win_fence(0, win);
    tell(run, "on stacks", got, sum(near, 200), sum(other, 200));
    MPI_Win_free(&win);
}

static void idle(struct run *run) {
    static const int most_us[] = {1, 3, 50};
    usleep((useconds_t)draw_own(run, most_us[draw(run, 3)]));
}

/* ---- The whole ---- */

static void step(struct run *run) {
    static void (*const kinds[])(struct run *) = {
        exchange,    exchange,   pairs,     buffered,   both,     from_anyone,
        from_anyone, persistent, cancelled, collective, by_sizes, nonblocking,
        derived,     windows,    on_stacks, idle,       idle};
    kinds[draw(run, (int)(sizeof kinds / sizeof *kinds))](run);
    run->step++;
}

/* Some steps in parts of the ranks. */
static void apart(struct run *run) {
    struct run part = *run;
    int parts = 1 + draw(run, 2), steps = 1 + draw(run, 4);
    MPI_Comm_split(run->comm, run->rank % parts, draw(run, 2) ? run->rank : -run->rank, &part.comm);
    MPI_Comm_rank(part.comm, &part.rank);
    MPI_Comm_size(part.comm, &part.size);
    part.shared = run->shared + (uint64_t)(run->rank % parts);
    for (int i = 0; i < steps && part.size > 1; i++)
        step(&part);
    MPI_Comm_free(&part.comm);
    run->own = part.own;
    run->probed |= part.probed;
    MPI_Allreduce(MPI_IN_PLACE, &run->probed, 1, MPI_INT, MPI_MAX, run->comm);
}

int main(int argc, char **argv) {
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int steps = argc > 2 ? atoi(argv[2]) : 20;
    struct run run = {.comm = MPI_COMM_WORLD};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &run.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &run.size);
    run.number = run.rank;
    run.shared = (seed + 1) * 0x9e3779b97f4a7c15U;
    run.own = run.shared + (uint64_t)(run.rank + 1) * 0xbf58476d1ce4e5b9U;
    run.sent = malloc(sizeof(int) * CELLS * MOST);
    run.received = calloc(CELLS * MOST, sizeof(int));
    for (int i = 0; i < CELLS * MOST; i++)
        run.sent[i] = (i * 7 + run.rank * 1000) & 0xffff;
    for (int i = 0; i < 4; i++)
        next(&run.shared);
    for (int i = 0; i < steps; i++)
        if (draw(&run, 8) == 0 && run.size > 2)
            apart(&run);
        else
            step(&run);
    MPI_Barrier(MPI_COMM_WORLD);
    tell(&run, "end", 0, 0, 0);
    free(run.sent);
    free(run.received);
    MPI_Finalize();
    return 0;
}
