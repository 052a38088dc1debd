/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions register themselves: in a section that the linker makes a table of, by pointers in
 * another one, in a list that constructors fill. What is called from there stays, with the whole
 * table; what a macro registers in a section that nobody reads is declared.
 *
 * kept: STEP(reduce, 5);
 * kept: STEP(idle, 1);
 * kept: REGISTER(spread)
 * kept: s->weight + scale
 * gone: sum += sqrt(i + n)
 * gone: puts("report")
 * engine: not compared, since ranks would have copies of its variables
 */
#include <mpi.h>
#include <math.h>
#include <stdio.h>

#define IN_SECTION(name) __attribute__((used, section(#name)))
#define STEP(f, w)                                                                                \
    static const struct step step_##f                                                             \
        __attribute__((used, section("steps"), aligned(8))) = {#f, f, w}
#define REGISTER(f)                                                                               \
    static struct module module_##f = {f, NULL};                                                  \
    static void __attribute__((constructor)) register_##f(void) {                                 \
        module_##f.next = modules;                                                                \
        modules = &module_##f;                                                                    \
    }

struct step {
    const char *name;
    void (*run)(int);
    int weight;
};
struct module {
    void (*run)(int);
    struct module *next;
};

extern const struct step __start_steps[], __stop_steps[];
extern const struct step *const __start_set_of_steps, *const __stop_set_of_steps;
static struct module *modules;
static double row[64], sum;
static int scale = 1;

static void compute(int n) {
    for (int i = 0; i < n * 1000; i++)
        sum += sqrt(i + n);
}
STEP(compute, 4);
static void reduce(int n) {
    MPI_Allreduce(MPI_IN_PLACE, row, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
STEP(reduce, 5);
static void idle(int n) {
    sum -= n;
}
STEP(idle, 1);
static const struct step *const second IN_SECTION(set_of_steps) = &step_reduce;
static const struct step *const third IN_SECTION(set_of_steps) = &step_compute;

static void spread(int n) {
    scale += n;
}
REGISTER(spread)
static void wait_all(int n) {
    for (int i = 0; i < n; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}
REGISTER(wait_all)

static void report(int n) {
    if (n > 1000)
        puts("report");
}
static const struct step unread IN_SECTION(unread_steps) = {"report", report, 3};

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int r = 0; r < 3; r++) {
        for (const struct step *s = __start_steps; s < __stop_steps; s++) {
            s->run(s->weight + r);
            MPI_Bcast(row, s->weight + scale, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        }
        for (const struct step *const *s = &__start_set_of_steps; s < &__stop_set_of_steps; s++)
            (*s)->run((*s)->weight);
        for (const struct module *m = modules; m != NULL; m = m->next)
            m->run(r + 1);
        MPI_Bcast(row, (int)(__stop_steps - __start_steps) + __start_steps[0].weight, MPI_DOUBLE, 0,
                  MPI_COMM_WORLD);
    }
    row[0] = sum;
    MPI_Finalize();
    return 0;
}
