/* SPDX-License-Identifier: Apache-2.0
 *
 * Dimensions, __typeof__, _Generic, cases, designators, types and prototypes name variables whose
 * contents nobody needs: these are declared, and no more.
 *
 * kept: static double table[6];
 * kept: short steps[3];
 * kept: __auto_type half = LENGTH(weight) / 2;
 * gone: table[i % 6] +=
 * gone: steps[i % 3] =
 * gone: unused
 */
#include <mpi.h>
#include <math.h>

#define LENGTH(a) ((int)(sizeof(a) / sizeof *(a)))
#define LARGER(a, b)                                                                              \
    ({                                                                                            \
        __typeof__(a) one = (a);                                                                  \
        __typeof__(b) other = (b);                                                                \
        typedef __typeof__(one + other) larger;                                                   \
        one > other ? (larger)one : (larger)other;                                                \
    })

static double table[6];
static float grid[2][5], unused[9];
static long marks[4];
static char flags[7];
static int bits[3], first[2], last[5];
typedef __typeof__(table) row;
struct packet { double body[LENGTH(grid)]; int head : sizeof flags; };
enum { ROWS = LENGTH(grid[0]), MARKS = sizeof marks / sizeof marks[0] };
_Static_assert(LENGTH(bits) == 3, "as many");
__typeof__(first[0]) sum(const int of[LENGTH(last)]);

__typeof__(first[0]) sum(const int of[LENGTH(last)]) {
    return of[0] + of[LENGTH(last) - 1];
}

static int chosen(int n) {
    double gone[3], other[5], *tail = other;
    int kinds[] = {[sizeof gone / 8] = 4, 2};
    switch (n) {
    case sizeof other / sizeof(double):
        return kinds[3];
    default:
        tail[n] = sin(n);
    }
    return _Generic(gone, double *: LENGTH(kinds), default: 1);
}

int main(int argc, char **argv) {
    double weight[] = {0.5, 0.25, 0.125, 2}, sent[LENGTH(weight)];
    short steps[3];
    int got[LENGTH(steps) * 2], of[] = {3, 1, 4, 1, 5};
    __typeof__(got) copy;
    __auto_type half = LENGTH(weight) / 2;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 20000; i++) {
        table[i % 6] += weight[i % 4] * sin(i);
        steps[i % 3] = (short)table[i % 6];
        grid[i % 2][i % 5] = (float)steps[i % 3];
        marks[i % 4] = steps[i % 3];
        copy[i % LENGTH(copy)] = got[i % LENGTH(got)] = (int)grid[i % 2][i % 5];
        flags[i % 7] = unused[i % 9] > 0;
        bits[i % 3] = first[i % 2] = last[i % 5] = flags[i % 7];
    }
    if (half > 1) {
        struct lines { char text[sizeof bits]; __typeof__(steps[0]) line; };
        typedef __typeof__(steps) three;
        MPI_Bcast(copy, (int)(sizeof(struct lines) + sizeof(three)), MPI_BYTE, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(got, LENGTH(got), MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(copy, half + LENGTH(copy) - 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(sent, (__typeof__(weight[0]))LENGTH(sent), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < (int)(sizeof(row) / sizeof(double)); i++)
        MPI_Bcast((int[LENGTH(steps)]){0}, chosen(i), MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(sent, ROWS - MARKS + (int)sizeof(struct packet) / 8, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(sent, LARGER(sum(of), LENGTH(first)), MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
