/* SPDX-License-Identifier: Apache-2.0
 *
 * vfork and exec with a pipe that reports a failed exec, and a wait that keeps the tool
 * responsive to ^C. wait4 gives times and peak memory of the child and of all it waited for.
 * vfork, since fork copies page tables: an analysis of 1.7 GB starts hundreds of compilers, and a
 * point of a sweep takes a twentieth less.
 */
#include "base/process.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define TICK_MS 100
#define AFTER_SIGNAL_MS 300

static volatile sig_atomic_t interrupted;
static const char *volatile last_words; /* what to say when ending at once; NULL: not at once */

static void on_signal(int number) {
    const char *words = last_words;
    interrupted = number;
    if (words == NULL)
        return;
    ssize_t written = write(STDERR_FILENO, words, strlen(words));
    (void)written;
    _exit(128 + number);
}

void process_end_when_interrupted(bool at_once) {
    const char *words = isatty(STDERR_FILENO) ? "\r\033[Kmpiskel: error: interrupted\n"
                                              : "mpiskel: error: interrupted\n";
    last_words = at_once ? words : NULL;
}

void process_handle_signals(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN); /* a reader that has gone is an error of the write */
}

bool process_interrupted(void) {
    return interrupted != 0;
}

int process_exit_code(int code) {
    return code != 0 && interrupted != 0 ? 128 + interrupted : code;
}

/* What is to become standard input, output and error of a child; -1: inherited. */
struct redirections {
    int fds[3];
};

static void close_redirections(const struct redirections *files) {
    if (files->fds[2] != files->fds[1] && files->fds[2] >= 0)
        close(files->fds[2]);
    for (int i = 0; i < 2; i++)
        if (files->fds[i] >= 0)
            close(files->fds[i]);
}

/* With a position of its own: others read the same file. */
static int open_input(const struct process_options *options) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", options->input);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && lseek(fd, options->input_offset, SEEK_SET) < 0) {
        int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    return fd;
}

/* Not in the place of a standard stream that the tool was started without. */
static int above_standard(int fd) {
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return above;
}

/* By the tool, since a child of vfork must not allocate. */
static int open_redirections(struct redirections *out, const struct process_options *options) {
    const char *output = options->stdout_file, *error = options->stderr_file;
    *out = (struct redirections){{-1, -1, -1}};
    if (options->input > 0 && (out->fds[0] = above_standard(open_input(options))) < 0)
        return -1;
    if (output != NULL && (out->fds[1] = above_standard(output_file_descriptor(output))) < 0)
        return -1;
    if (error == NULL)
        return 0;
    out->fds[2] = output != NULL && strcmp(output, error) == 0
                      ? out->fds[1]
                      : above_standard(output_file_descriptor(error));
    return out->fds[2] < 0 ? -1 : 0;
}

static int prepare_child(const struct process_options *options, const struct redirections *files) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a tool that is killed leaves no simulation behind */
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    if (options->directory != NULL && chdir(options->directory) != 0)
        return -1;
    for (int i = 0; i < 3; i++)
        if (files->fds[i] >= 0 && dup2(files->fds[i], i) < 0)
            return -1;
    return 0;
}

static void say_command(const char *const argv[]) {
    struct str line = {0};
    if (messages_are(MESSAGES_VERBOSE)) {
        for (size_t i = 0; argv[i] != NULL; i++)
            words_add(&line, argv[i]);
        note("$ %s", str_text(&line));
    }
    str_dispose(&line);
}

static bool is_replaced(const char *variable, const char *const *by) {
    size_t name = strcspn(variable, "=");
    for (; by != NULL && *by != NULL; by++)
        if (strncmp(*by, variable, name) == 0 && (*by)[name] == '=')
            return true;
    return false;
}

/* The caller frees the list, not the texts in it. */
static char **environment_with(const char *const *extra) {
    size_t count = 0, kept = 0;
    while (extra != NULL && extra[count] != NULL)
        count++;
    for (char **one = environ; *one != NULL; one++)
        count++;
    char **out = xmalloc((count + 1) * sizeof *out);
    for (char **one = environ; *one != NULL; one++)
        if (!is_replaced(*one, extra))
            out[kept++] = *one;
    for (; extra != NULL && *extra != NULL; extra++)
        out[kept++] = (char *)*extra;
    out[kept] = NULL;
    return out;
}

/* By vfork(2) the child works on the memory of the tool until it has become the other program; what
 * that takes at most counts from the tool's own size on then (getrusage(2)). */
static pid_t start_child(const char *const argv[], const struct process_options *options,
                         const struct redirections *files, int report) {
    pid_t pid = options->measures_memory ? fork() : vfork();
    if (pid != 0)
        return pid;
    if (prepare_child(options, files) == 0)
        execvp(argv[0], (char *const *)argv);
    int reason = errno;
    _exit(write(report, &reason, sizeof reason) < 0 ? 126 : 127);
}

int process_start(pid_t *out, const char *const argv[], const struct process_options *options,
                  struct error *error) {
    struct process_options defaults = {0};
    struct redirections files;
    int report[2] = {-1, -1}, reason = 0;
    pid_t pid = -1;
    say_command(argv);
    options = options != NULL ? options : &defaults;
    fflush(NULL);
    if (open_redirections(&files, options) != 0 || pipe2(report, O_CLOEXEC) != 0) {
        reason = errno;
    } else {
        char **own = environ, **theirs = environment_with(options->extra_environment);
        environ = theirs;
        pid = start_child(argv, options, &files, report[1]);
        reason = errno;
        environ = own;
        free(theirs);
        close(report[1]);
    }
    close_redirections(&files);
    ssize_t got = pid < 0 ? 0 : read(report[0], &reason, sizeof reason);
    if (report[0] >= 0)
        close(report[0]);
    if (got > 0)
        waitpid(pid, NULL, 0);
    if (pid < 0 || got > 0)
        return error_set(error, "cannot start %s: %s", argv[0], strerror(reason));
    *out = pid;
    return 0;
}

/* Until the process ends, or for as long; at once when a signal comes. Without pidfd_open(2) (Linux
 * 5.3) the pauses grow, and it may take 25 ms until the end is noticed. */
static void pause_for(int process_fd, long milliseconds, long *pause_ns) {
    if (process_fd >= 0) {
        struct pollfd wanted = {.fd = process_fd, .events = POLLIN};
        poll(&wanted, 1, (int)milliseconds);
        return;
    }
    bool signalled = milliseconds == AFTER_SIGNAL_MS;
    struct timespec pause = {0, signalled ? milliseconds * 1000 * 1000 : *pause_ns};
    nanosleep(&pause, NULL);
    if (*pause_ns < 20 * 1000 * 1000)
        *pause_ns *= 2;
}

int process_wait(struct process_result *out, pid_t pid, void (*tick)(void *), void *context,
                 struct error *error) {
    double start_s = clock_monotonic_s(), last_tick_s = start_s;
    struct rusage usage;
    int status = 0, passed_on = 0;
    long pause_ns = 200 * 1000;
    int process_fd = (int)syscall(SYS_pidfd_open, pid, 0);
    for (;;) {
        pid_t done = wait4(pid, &status, WNOHANG, &usage);
        if (done == pid)
            break;
        if (done < 0 && errno != EINTR) {
            error_set(error, "cannot wait for a child process: %s", strerror(errno));
            if (process_fd >= 0)
                close(process_fd);
            return -1;
        }
        if (interrupted && passed_on < 3) {
            kill(-pid, passed_on < 2 ? interrupted : SIGKILL);
            passed_on++;
        }
        pause_for(process_fd, interrupted ? AFTER_SIGNAL_MS : TICK_MS, &pause_ns);
        if (tick != NULL && clock_monotonic_s() - last_tick_s > 1e-3 * TICK_MS) {
            tick(context);
            last_tick_s = clock_monotonic_s();
        }
    }
    if (process_fd >= 0)
        close(process_fd);
    *out = (struct process_result){
        .exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
        .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
        .wall_s = clock_monotonic_s() - start_s,
        .user_s = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec,
        .system_s = (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec,
        .peak_memory_kib = usage.ru_maxrss,
    };
    return 0;
}

int process_run(struct process_result *out, const char *const argv[],
                const struct process_options *options, struct error *error) {
    pid_t pid;
    if (process_start(&pid, argv, options, error) != 0)
        return -1;
    return process_wait(out, pid, NULL, NULL, error);
}

int process_capture(struct process_result *out, char **text, const char *const argv[],
                    bool with_stderr, struct error *error) {
    char name[] = "/tmp/mpiskel-XXXXXX";
    int fd = mkstemp(name);
    if (fd < 0)
        return error_set(error, "cannot create a temporary file: %s", strerror(errno));
    close(fd);
    struct process_options options = {.stdout_file = name,
                                      .stderr_file = with_stderr ? name : "/dev/null"};
    int result = process_run(out, argv, &options, error);
    if (result == 0)
        result = file_read(text, NULL, name, error);
    unlink(name);
    return result;
}
