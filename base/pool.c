/* SPDX-License-Identifier: Apache-2.0
 *
 * poll(2) over the children's pidfds; see pool.h. Without pidfds (before Linux 5.3) it looks every
 * few milliseconds.
 */
#include "base/pool.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 100
#define LOOK_MS 5
#define PATIENCE_S 5.0

int pool_start(struct pool *pool, size_t job, const char *const argv[],
               const struct process_options *options, struct error *error) {
    struct pool_child child = {.job = job, .start_s = clock_monotonic_s()};
    if (process_start(&child.pid, argv, options, error) != 0)
        return -1;
    child.pid_fd = (int)syscall(SYS_pidfd_open, child.pid, 0);
    vec_push(&pool->running, child);
    return 0;
}

static void send_all(const struct pool *pool, int number) {
    for (size_t i = 0; i < pool->running.count; i++)
        kill(-pool->running.items[i].pid, number);
}

/* A child may have children of its own to end, and files to remove. */
void pool_end(struct pool *pool) {
    if (pool->asked_to_end_s <= 0) {
        send_all(pool, SIGTERM);
        pool->asked_to_end_s = clock_monotonic_s();
    } else if (clock_monotonic_s() - pool->asked_to_end_s > PATIENCE_S) {
        send_all(pool, SIGKILL);
    }
}

static void remove_child(struct pool *pool, size_t index) {
    struct pool_child *children = pool->running.items;
    if (children[index].pid_fd >= 0)
        close(children[index].pid_fd);
    memmove(children + index, children + index + 1,
            (--pool->running.count - index) * sizeof *children);
}

static struct process_result result_of(const struct pool_child *child, int status,
                                       const struct rusage *usage) {
    return (struct process_result){
        .exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .timed_out = child->late,
        .wall_s = clock_monotonic_s() - child->start_s,
        .user_s = (double)usage->ru_utime.tv_sec + 1e-6 * (double)usage->ru_utime.tv_usec,
        .system_s = (double)usage->ru_stime.tv_sec + 1e-6 * (double)usage->ru_stime.tv_usec,
        .peak_memory_kib = usage->ru_maxrss,
    };
}

/* 1: one has ended, 0: none has. */
static int take_ended(size_t *out_job, struct process_result *out, struct pool *pool,
                      struct error *error) {
    for (size_t i = 0; i < pool->running.count; i++) {
        struct pool_child child = pool->running.items[i];
        struct rusage usage;
        int status = 0;
        pid_t done = wait4(child.pid, &status, WNOHANG, &usage);
        if (done == 0 || (done < 0 && errno == EINTR))
            continue;
        remove_child(pool, i);
        if (done < 0)
            return error_set(error, "cannot wait for a child process: %s", strerror(errno));
        *out_job = child.job;
        *out = result_of(&child, status, &usage);
        return 1;
    }
    return 0;
}

static void pause_for(const struct pool *pool, int milliseconds) {
    VEC(struct pollfd) wanted = {0};
    bool complete = true;
    for (size_t i = 0; i < pool->running.count; i++) {
        struct pollfd one = {.fd = pool->running.items[i].pid_fd, .events = POLLIN};
        complete &= one.fd >= 0;
        vec_push(&wanted, one);
    }
    poll(wanted.items, wanted.count, complete ? milliseconds : LOOK_MS);
    vec_dispose(&wanted);
}

static void end_late(struct pool *pool) {
    for (size_t i = 0; i < pool->running.count; i++) {
        struct pool_child *child = &pool->running.items[i];
        double over_s = clock_monotonic_s() - child->start_s - pool->limit_s;
        if (!(pool->limit_s > 0) || over_s < 0)
            continue;
        if (!child->late || over_s > PATIENCE_S)
            kill(-child->pid, child->late ? SIGKILL : SIGTERM);
        child->late = true;
    }
}

static void end_some(struct pool *pool) {
    end_late(pool);
    if (pool->asked_to_end_s > 0 || process_interrupted())
        pool_end(pool);
}

int pool_wait_for(bool *out_ended, size_t *out_job, struct process_result *out, struct pool *pool,
                  int milliseconds, struct error *error) {
    int ended = take_ended(out_job, out, pool, error);
    if (ended == 0) {
        end_some(pool);
        pause_for(pool, milliseconds);
        ended = take_ended(out_job, out, pool, error);
    }
    *out_ended = ended > 0;
    return ended < 0 ? -1 : 0;
}

int pool_wait(size_t *out_job, struct process_result *out, struct pool *pool, void (*tick)(void *),
              void *context, struct error *error) {
    double last_tick_s = clock_monotonic_s();
    while (pool->running.count > 0) {
        int ended = take_ended(out_job, out, pool, error);
        if (ended != 0)
            return ended > 0 ? 0 : -1;
        end_some(pool);
        pause_for(pool, TICK_MS);
        if (tick != NULL && clock_monotonic_s() - last_tick_s > 1e-3 * TICK_MS) {
            tick(context);
            last_tick_s = clock_monotonic_s();
        }
    }
    return error_set(error, "there is no child process to wait for");
}

void pool_dispose(struct pool *pool) {
    struct process_result result;
    struct error error = {0};
    size_t job = 0;
    while (pool->running.count > 0) {
        pool_end(pool);
        pause_for(pool, TICK_MS);
        while (take_ended(&job, &result, pool, &error) != 0)
            continue;
    }
    vec_dispose(&pool->running);
}
