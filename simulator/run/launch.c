/* SPDX-License-Identifier: Apache-2.0
 *
 * Builds smpimain's arguments and environment, starts it, and copies its log to the terminal while
 * it runs; see launch.h.
 */
#include "simulator/run/launch.h"

#include "base/file.h"
#include "base/status_line.h"
#include "base/str.h"
#include "base/vec.h"
#include "simulator/choice/engine_choice.h"
#include "simulator/choice/variables.h"
#include "simulator/network/collectives.h"
#include "simulator/run/asked_trace.h"
#include "simulator/run/idle_watch.h"
#include "simulator/run/log_line.h"
#include "simulator/run/memory_watch.h"
#include "simulator/run/progress.h"
#include "simulator/run/rank_memory.h"
#include "simulator/run/smpi.h"
#include "simulator/run/standard_input.h"
#include "simulator/run/traffic.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANKS_WITHOUT_GUARDS 4000

/* What the tick of process_wait needs. */
struct launch_watch {
    const struct launch *launch;
    struct memory_watch memory;
    struct idle_watch idle;
    pid_t pid;
    bool out_of_memory, is_idle, over_limit;
    struct progress progress;
    FILE *log;
};

struct text_list {
    VEC(const char *) of;
};

static void set(struct text_list *out, struct arena *arena, const char *key, const char *value) {
    vec_push(&out->of, arena_printf(arena, "--cfg=%s:%s", key, value));
}

/* The text was checked when the option was read. */
static void set_collectives(struct text_list *out, struct arena *arena, const char *text) {
    struct collective_settings settings = {0};
    struct error error = {0};
    if (collectives_settings(&settings, text, arena, &error) != 0)
        abort();
    for (size_t i = 0; i < settings.of.count; i++)
        vec_push(&out->of, arena_printf(arena, "--cfg=%s", settings.of.items[i]));
    vec_dispose(&settings.of);
    vec_dispose(&settings.replaced);
}

/* That SMPI makes where the ranks do not share the program. */
static double bytes_of_copies(const char *program, size_t ranks) {
    struct stat info;
    if (variables_are_apart(program))
        return 0;
    return stat(program, &info) == 0 ? (double)info.st_size * (double)ranks : INFINITY;
}

const char *launch_directory(struct arena *arena, const char *stem, const char *program,
                             size_t ranks, struct error *error) {
    const char *chosen = getenv("TMPDIR");
    /* Of heat3d files are 40 KiB and 120 bytes a rank; and there is what programs print. */
    double bytes = 1e6 + 200 * (double)ranks + bytes_of_copies(program, ranks);
    const char *directory =
        chosen == NULL || chosen[0] == '\0' ? directory_in_memory(arena, stem, bytes) : NULL;
    return directory != NULL ? directory : directory_temporary(arena, stem, error);
}

/* Memory from malloc consists of huge pages, also the ranks' stacks, of which no small one can be
 * protected. */
static bool has_huge_pages(void) {
    const char *tunables = getenv("GLIBC_TUNABLES");
    return tunables != NULL && strstr(tunables, "glibc.malloc.hugetlb=2") != NULL;
}

/* How long a poll (MPI_Test, MPI_Iprobe) takes. SMPI's default is 0.1 ms, the time of ten short
 * messages, and it grows whenever a poll of any rank finds nothing; ours is short and constant.
 * Settings of the command count more than those of a platform file. */
static void set_polls(struct text_list *out, const struct launch *launch, struct arena *arena) {
    static const char *const names[] = {"smpi/test", "smpi/iprobe", "smpi/grow-injected-times"};
    static const char *const values[] = {"2e-07", "2e-07", "no"};
    char *platform = NULL;
    struct error ignored = {0};
    if (file_read(&platform, NULL, launch->platform_file, &ignored) != 0)
        return; /* SimGrid will say so */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(platform, names[i]) == NULL)
            set(out, arena, names[i], values[i]);
    free(platform);
}

/* `copies`: the directory for them; NULL: the ranks share the program, or the copies are large. */
static void add_settings(struct text_list *out, const struct launch *launch, size_t stack_kib,
                         bool is_shared, const char *copies, struct arena *arena) {
    set(out, arena, "contexts/stack-size", arena_printf(arena, "%zu", stack_kib));
    set(out, arena, "smpi/np", arena_printf(arena, "%zu", launch->ranks));
    set(out, arena, "smpi/hostfile", launch->host_file);
    set(out, arena, "smpi/tmpdir", copies != NULL ? copies : launch->work_directory);
    set(out, arena, "smpi/privatization", is_shared ? "no" : "dlopen");
    set(out, arena, "network/model", "SMPI");
    /* A program that waits for the clock sees it advance; skeletons take care of their own. */
    set(out, arena, "smpi/wtime", "1e-08");
    set_polls(out, launch, arena);
    set_collectives(out, arena, launch->collectives);
    if (launch->host_speed_flops_per_s > 0) {
        set(out, arena, "smpi/host-speed",
            arena_printf(arena, "%.17gf", launch->host_speed_flops_per_s));
        set(out, arena, "smpi/cpu-threshold", "0");
    } else {
        set(out, arena, "smpi/simulate-computation", "no");
    }
    if (launch->ranks >= RANKS_WITHOUT_GUARDS || has_huge_pages())
        set(out, arena, "contexts/guard-size", "0");
    for (size_t i = 0; i < launch->setting_count; i++)
        vec_push(&out->of, arena_printf(arena, "--cfg=%s", launch->settings[i]));
    vec_push(&out->of, "--log=xbt_cfg.thres:warning");
    vec_push(&out->of, "--log=smpi_config.thres:warning");
    vec_push(&out->of, "--log=smpi_coll.thres:warning");
    vec_push(&out->of, "--log=smpi_colls.thres:warning");
}

/* SimGrid splits its own options at blanks, and drops every `--`. */
static int check_arguments(const struct text_list *settings, const struct launch *launch,
                           struct error *error) {
    for (size_t i = 0; i < settings->of.count; i++)
        if (strpbrk(settings->of.items[i], " \t\n") != NULL)
            return error_set(error,
                             "SimGrid cannot take a setting with a blank in it: '%s'; a "
                             "temporary directory is chosen with TMPDIR",
                             settings->of.items[i]);
    for (size_t i = 0; i < launch->argument_count; i++)
        if (strcmp(launch->arguments[i], "--") == 0)
            return error_set(error, "SimGrid cannot pass the argument '--' to the application; "
                                    "leave it out");
    return 0;
}

static void add_command(struct text_list *out, const struct text_list *settings,
                        const struct launch *launch, const char *smpimain) {
    vec_push(&out->of, smpimain);
    vec_push(&out->of, launch->program);
    for (size_t i = 0; i < settings->of.count; i++)
        vec_push(&out->of, settings->of.items[i]);
    vec_push(&out->of, "--");
    vec_push(&out->of, launch->platform_file);
    for (size_t i = 0; i < launch->argument_count; i++)
        vec_push(&out->of, launch->arguments[i]);
    vec_push(&out->of, NULL);
}

static void add_preloaded(struct text_list *out, const struct launch_result *result,
                          bool is_counted, struct arena *arena) {
    const char *libraries = traffic_preloaded(arena, is_counted);
    if (result->messages_file == NULL || libraries == NULL)
        return;
    vec_push(&out->of, arena_printf(arena, "LD_PRELOAD=%s", libraries));
    vec_push(&out->of, arena_printf(arena, "BSIM_MESSAGES=%s", result->messages_file));
}

/* By which files of bursts are told apart (runtime/preload/bursts.c); programs find their input in
 * the current directory. */
static void add_configuration(struct text_list *out, const struct launch *launch,
                              struct arena *arena) {
    char path[PATH_MAX], here[PATH_MAX];
    struct str text = {0};
    str_printf(&text, "BSIM_CONFIGURATION=%zu ranks\n%s\n%s", launch->ranks,
               realpath(launch->program, path) != NULL ? path : launch->program,
               getcwd(here, sizeof here) != NULL ? here : "");
    for (size_t i = 0; i < launch->argument_count; i++)
        str_printf(&text, "\n%s", launch->arguments[i]);
    vec_push(&out->of, arena_strdup(arena, str_text(&text)));
    str_dispose(&text);
}

/* SimGrid allocates and frees small objects for each message: glibc's quick list of free ones is
 * made long enough for them. Not for originals, whose own allocations are timed. */
static void add_tunables(struct text_list *out, struct arena *arena) {
    const char *others = getenv("GLIBC_TUNABLES");
    vec_push(&out->of, arena_printf(arena, "GLIBC_TUNABLES=glibc.malloc.tcache_count=65535%s%s",
                                    others != NULL ? ":" : "", others != NULL ? others : ""));
}

/* Nothing where the text is NULL. */
static void add_text(struct text_list *out, struct arena *arena, const char *name,
                     const char *text) {
    if (text != NULL)
        vec_push(&out->of, arena_printf(arena, "%s=%s", name, text));
}

static void add_recording(struct text_list *out, const struct launch *launch, struct arena *arena) {
    const struct asked_trace *trace = launch->trace;
    if (trace == NULL)
        return;
    add_text(out, arena, "BSIM_TRACE_FILE", trace->file);
    add_text(out, arena, "BSIM_TRACE_WINDOW", trace->window);
    add_text(out, arena, "BSIM_TRACE_RANKS", trace->ranks);
    add_text(out, arena, "BSIM_TRACE_EVERY", trace->every);
    add_text(out, arena, "BSIM_TRACE_LIBRARY", launch->trace_library);
    add_text(out, arena, "BSIM_TRACE_HEADER", launch->trace_header);
}

static void add_bursts(struct text_list *out, const struct launch_bursts *bursts,
                       struct arena *arena) {
    if (bursts == NULL)
        return;
    add_text(out, arena, "BSIM_BURSTS", bursts->file);
    add_text(out, arena, "BSIM_BURSTS_OF", bursts->of);
}

/* The library path is what smpirun sets. */
static void add_libraries_of_smpi(struct text_list *out, const struct launch *launch,
                                  const struct launch_result *result, const struct smpi *smpi,
                                  struct arena *arena) {
    const char *library_path = getenv("LD_LIBRARY_PATH");
    bool has_standins = smpi->without_ns3 != NULL;
    vec_push(&out->of, arena_printf(arena, "LD_LIBRARY_PATH=%s%s%s:%s%s%s",
                                    has_standins ? smpi->without_ns3 : "", has_standins ? ":" : "",
                                    launch->work_directory, smpi->library_directory,
                                    library_path != NULL ? ":" : "",
                                    library_path != NULL ? library_path : ""));
    add_preloaded(out, result, launch->is_counted, arena);
}

static void add_libraries_of_engine(struct text_list *out, const struct launch *launch,
                                    const struct launch_result *result, struct arena *arena) {
    const char *library_path = getenv("LD_LIBRARY_PATH");
    vec_push(&out->of, arena_printf(arena, "LD_LIBRARY_PATH=%s%s%s", engine_directory(arena),
                                    library_path != NULL ? ":" : "",
                                    library_path != NULL ? library_path : ""));
    add_text(out, arena, "BSIM_MESSAGES", result->messages_file);
    add_text(out, arena, "BSIM_ENGINE_LACKS", engine_lack_file(launch->work_directory, arena));
    add_text(out, arena, "GLIBC_TUNABLES", engine_tunables(launch->ranks, arena));
}

static void add_devices(struct text_list *out, const struct launch *launch, struct arena *arena) {
    if (launch->device_engines > 0)
        vec_push(&out->of, arena_printf(arena, "BSIM_DEVICE_ENGINES=%ld", launch->device_engines));
    add_text(out, arena, "BSIM_DEVICE", launch->device);
    if (launch->ranks_per_device > 0)
        vec_push(&out->of,
                 arena_printf(arena, "BSIM_RANKS_PER_DEVICE=%ld", launch->ranks_per_device));
    if (launch->devices_block)
        vec_push(&out->of, "BSIM_DEVICES_BLOCK=1");
}

/* SMPI_GLOBAL_SIZE is what smpirun sets. */
static void add_environment(struct text_list *out, const struct launch *launch,
                            const struct launch_result *result, const struct smpi *smpi,
                            const char *progress_file, struct arena *arena) {
    if (result->by_engine)
        add_libraries_of_engine(out, launch, result, arena);
    else
        add_libraries_of_smpi(out, launch, result, smpi, arena);
    vec_push(&out->of, arena_printf(arena, "SMPI_GLOBAL_SIZE=%zu", launch->ranks));
    add_text(out, arena, "BSIM_STATS", result->stats_file);
    add_text(out, arena, "BSIM_GIVEN", result->given_file);
    add_text(out, arena, "BSIM_PROGRESS", progress_file);
    if (launch->host_speed_flops_per_s > 0) {
        vec_push(&out->of,
                 arena_printf(arena, "BSIM_HOST_SPEED=%.17g", launch->host_speed_flops_per_s));
        add_configuration(out, launch, arena);
        for (const char *const *setting = malloc_settings(); *setting != NULL; setting++)
            vec_push(&out->of, *setting);
        add_bursts(out, launch->bursts, arena);
    } else if (!result->by_engine) {
        add_tunables(out, arena);
    }
    if (launch->has_one_thread) { /* the limit counts more than what the program asks for */
        vec_push(&out->of, "OMP_THREAD_LIMIT=1");
        vec_push(&out->of, "OMP_NUM_THREADS=1");
    }
    add_text(out, arena, "BSIM_MODEL", launch->model_file);
    add_text(out, arena, "BSIM_COLLECTIVES", collectives_library(launch->collectives));
    add_text(out, arena, "BSIM_HOST_FACTORS", launch->host_factors);
    add_text(out, arena, "BSIM_NOISE", launch->noise);
    add_text(out, arena, "BSIM_INTERRUPTIONS", launch->interruptions);
    add_text(out, arena, "BSIM_SET", launch->loop_changes);
    add_text(out, arena, "BSIM_ITERATIONS", launch->iterations);
    add_text(out, arena, "BSIM_STATS_RANKS", launch->with_calls_of_ranks ? "1" : NULL);
    add_text(out, arena, "BSIM_VALUES", launch->values_directory);
    add_text(out, arena, "BSIM_VALUES_OF", launch->values_of);
    if (launch->clock_step_s > 0)
        vec_push(&out->of, arena_printf(arena, "BSIM_CLOCK_STEP=%.17g", launch->clock_step_s));
    if (launch->with_latencies)
        vec_push(&out->of, "BSIM_LATENCIES=1");
    add_devices(out, launch, arena);
    add_text(out, arena, "BSIM_TRACE", launch->trace_directory);
    add_recording(out, launch, arena);
    vec_push(&out->of, NULL);
}

/* Whole lines only; one that is still being written is read again at the next tick. */
static void show_log(struct launch_watch *watch, bool ended) {
    char *line = NULL;
    size_t capacity = 0;
    clearerr(watch->log);
    for (;;) {
        off_t start = ftello(watch->log);
        ssize_t length = getline(&line, &capacity, watch->log);
        if (length <= 0)
            break;
        if (line[length - 1] != '\n' && !ended) {
            fseeko(watch->log, start, SEEK_SET);
            break;
        }
        status_line_hide();
        if (log_line_is_news(line))
            fputs(line, stderr);
    }
    free(line);
}

static void check_memory(struct launch_watch *watch) {
    if (!watch->out_of_memory && memory_watch_exceeded(&watch->memory, watch->pid)) {
        watch->out_of_memory = true;
        kill(-watch->pid, SIGKILL);
    }
}

static void check_idle(struct launch_watch *watch) {
    if (!watch->is_idle && idle_watch_exceeded(&watch->idle, watch->pid)) {
        watch->is_idle = true;
        kill(-watch->pid, SIGKILL);
    }
}

static void check_limits(struct launch_watch *watch) {
    const struct launch *launch = watch->launch;
    bool is_long = launch->processor_limit_s > 0 &&
                   idle_watch_spent_s(&watch->idle) > launch->processor_limit_s;
    bool is_much = launch->call_limit > 0 && progress_calls(&watch->progress) > launch->call_limit;
    if (!watch->over_limit && (is_long || is_much)) {
        watch->over_limit = true;
        kill(-watch->pid, SIGKILL);
    }
}

static void on_tick(void *context) {
    struct launch_watch *watch = context;
    check_memory(watch);
    check_idle(watch);
    check_limits(watch);
    if (watch->launch->show_log && watch->log != NULL)
        show_log(watch, false);
    if (watch->launch->foretells > 0)
        progress_foretell(&watch->progress,
                          watch->launch->iterations == NULL ? watch->launch->foretells : 0);
    if (watch->launch->show_progress)
        progress_show(&watch->progress);
}

/* The child inherits our stdout; when that is to be our stderr, the two are swapped for the start.
 */
static int start(pid_t *out, const char *const argv[], const struct process_options *options,
                 enum launch_output output, struct error *error) {
    if (output != OUTPUT_TO_STDERR)
        return process_start(out, argv, options, error);
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    int result = process_start(out, argv, options, error);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    } else {
        close(STDOUT_FILENO);
    }
    return result;
}

static int start_and_watch(struct launch_result *out, const struct launch *launch,
                           const char *const argv[], const char *const environment[],
                           const char *progress_file, struct error *error) {
    struct process_options options = {
        .directory = launch->directory,
        .extra_environment = environment,
        .stdout_file = launch->output_file != NULL       ? launch->output_file
                       : launch->output == OUTPUT_TO_LOG ? out->log_file
                                                         : NULL,
        .stderr_file = out->log_file,
        .measures_memory = !launch->with_summary_only,
    };
    struct launch_watch watch = {.launch = launch};
    if (standard_input_set(&options, launch->program, launch->shares_input, error) != 0 ||
        memory_watch_init(&watch.memory, error) != 0 || idle_watch_init(&watch.idle, error) != 0 ||
        progress_open(&watch.progress, progress_file, launch->ranks, error) != 0)
        return -1;
    int result = start(&watch.pid, argv, &options, launch->output, error);
    if (result == 0) {
        watch.log = fopen(out->log_file, "r");
        result = process_wait(&out->process, watch.pid, on_tick, &watch, error);
        out->out_of_memory = watch.out_of_memory;
        out->over_limit = watch.over_limit;
        out->idle_s = watch.is_idle ? watch.idle.patience_s : 0;
        status_line_hide();
        if (watch.log != NULL && launch->show_log)
            show_log(&watch, true);
        if (watch.log != NULL)
            fclose(watch.log);
    }
    progress_close(&watch.progress);
    return result;
}

/* What the user's own shell may have set, and what would change this run. */
static void forget_inherited_variables(void) {
    static const char *const names[] = {
        "BSIM_MODEL",         "BSIM_TRACE",        "BSIM_STATS",          "BSIM_VALUES",
        "BSIM_GIVEN",         "BSIM_PROGRESS",     "BSIM_NOISE",          "BSIM_SET",
        "BSIM_ITERATIONS",    "BSIM_CLOCK_STEP",   "BSIM_LATENCIES",      "BSIM_MMAP_THRESHOLD",
        "BSIM_TRACE_FILE",    "BSIM_TRACE_WINDOW", "BSIM_TRACE_RANKS",    "BSIM_TRACE_EVERY",
        "BSIM_INTERRUPTIONS", "BSIM_VALUES_OF",    "BSIM_STATS_RANKS",    "BSIM_COLLECTIVES",
        "BSIM_HOST_FACTORS",  "BSIM_DEVICE",       "BSIM_DEVICE_ENGINES", "BSIM_RANKS_PER_DEVICE",
        "BSIM_DEVICES_BLOCK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* By the engine if result->by_engine, which needs no `smpi`, else by SMPI. */
static int run_once(struct launch_result *out, const struct launch *launch, const struct smpi *smpi,
                    struct arena *arena, struct error *error) {
    struct text_list settings = {0}, argv = {0}, environment = {0};
    const char *progress_file = path_join(arena, launch->work_directory, "progress");
    bool is_shared = variables_are_apart(launch->program);
    const char *copies = is_shared
                             ? NULL
                             : directory_in_memory(arena, "mpiskel-copies",
                                                   bytes_of_copies(launch->program, launch->ranks));
    out->stack_kib = rank_stack_kib(launch->ranks);
    add_settings(&settings, launch, out->stack_kib, is_shared, copies, arena);
    add_command(&argv, &settings, launch, out->by_engine ? engine_program(arena) : smpi->smpimain);
    forget_inherited_variables();
    add_environment(&environment, launch, out, smpi, progress_file, arena);
    int result = check_arguments(&settings, launch, error);
    if (result == 0)
        result =
            start_and_watch(out, launch, argv.of.items, environment.of.items, progress_file, error);
    if (copies != NULL && directory_remove(copies, error) != 0)
        result = -1;
    vec_dispose(&settings.of);
    vec_dispose(&argv.of);
    vec_dispose(&environment.of);
    return result;
}

/* 1: it was the engine's run; 0: it lacks something, which out->engine_lacks says; -1: an error. */
static int run_by_engine(struct launch_result *out, const struct launch *launch,
                         struct arena *arena, struct error *error) {
    out->engine_lacks =
        engine_lack_before(launch->program, launch->host_speed_flops_per_s > 0, arena);
    out->by_engine = out->engine_lacks == NULL;
    if (out->by_engine && run_once(out, launch, NULL, arena, error) != 0)
        return -1;
    if (out->by_engine)
        out->engine_lacks = engine_lack_after(launch->work_directory, arena);
    out->by_engine = out->engine_lacks == NULL;
    if (!out->by_engine && launch->engine == ENGINE_OWN)
        return error_set(error, "the engine lacks %s; take --engine=auto, or smpi",
                         out->engine_lacks);
    return out->by_engine;
}

int launch_run(struct launch_result *out, const struct launch *launch, struct arena *arena,
               struct error *error) {
    struct smpi smpi;
    *out = (struct launch_result){
        .log_shown = launch->show_log,
        .log_file = path_join(arena, launch->work_directory, "log"),
        .stats_file = path_join(arena, launch->work_directory, "stats.json"),
    };
    if (!launch->with_summary_only) {
        out->given_file = path_join(arena, launch->work_directory, "given");
        out->messages_file = path_join(arena, launch->work_directory, "messages");
    }
    if (launch->engine != ENGINE_SMPI) {
        int result = run_by_engine(out, launch, arena, error);
        if (result != 0)
            return result < 0 ? -1 : 0;
    }
    return smpi_find(&smpi, arena, error) != 0 ? -1 : run_once(out, launch, &smpi, arena, error);
}
