/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes alias and weakref, #pragma weak and asm labels give functions and variables other
 * names, in this unit and in another one: what is called by them stays.
 *
 * with: other_names.c
 * kept: void swap_rows(int n) __attribute__((alias("swap_rows_1")));
 * kept: calls++;
 * kept: lengths[k] = k + n;
 * gone: sum += sin(k)
 * gone: idle += n
 * note: nothing is known about 'nobody_defines_this'
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <math.h>

#define OTHER_NAME(name, of) extern __typeof__(of) name __attribute__((weak, alias(#of)))

static double row[64], sum;
static int calls, lengths[8], idle;

void swap_rows(int n);
int count_calls(void);
void gather(int n) __asm__("collect");
void collect_more(int n) __asm__("collect");
int by_default(int n);
int all_wait(MPI_Comm comm);
static int wait_for_all(MPI_Comm comm) __attribute__((weakref("MPI_Barrier")));
static void absent(int n) __attribute__((weakref("nobody_defines_this")));

void swap_rows_1(int n) {
    calls++;
    for (int k = 0; k < 1000; k++)
        sum += sin(k) * n;
    MPI_Allreduce(MPI_IN_PLACE, row, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
void swap_rows(int n) __attribute__((alias("swap_rows_1")));

static int counted(void) {
    return calls;
}
OTHER_NAME(count_calls, counted);
OTHER_NAME(count_again, count_calls);

void gather(int n) {
    MPI_Bcast(row, n + calls, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void set_lengths(int n) {
    for (int k = 0; k < 8; k++)
        lengths[k] = k + n;
}
#pragma weak fill = set_lengths
void fill(int n);

int is_default(int n) {
    return n;
}
int by_default(int n) __attribute__((weak, alias("is_default")));
extern int sizes[8] __attribute__((alias("lengths")));

void never_called(int n) {
    idle += n;
}
void never_called_either(int n) __attribute__((alias("never_called")));

int from_elsewhere(int n);

int main(int argc, char **argv) {
    void (*through)(int) = swap_rows;
    MPI_Init(&argc, &argv);
    for (int i = 1; i < 4; i++) {
        swap_rows(i);
        through(i + 1);
        collect_more(count_calls());
        gather(count_again() + argc);
        fill(i);
        MPI_Bcast(row, sizes[i] + by_default(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(row, from_elsewhere(i), MPI_DOUBLE, 0, MPI_COMM_WORLD);
        wait_for_all(MPI_COMM_WORLD);
        if (absent)
            absent(i);
    }
    row[0] = sum;
    MPI_Finalize();
    return 0;
}
