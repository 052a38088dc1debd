/* SPDX-License-Identifier: Apache-2.0
 *
 * Five hundred numbers to which one member of a record may point, LOADS times hundred places where it is read, and
 * a record of which a member may point to eighty others.
 */
#include <mpi.h>

#define TEN(macro, p)                                                                              \
    macro(p##0) macro(p##1) macro(p##2) macro(p##3) macro(p##4) macro(p##5) macro(p##6)            \
        macro(p##7) macro(p##8) macro(p##9)
#define HUNDRED(macro, p)                                                                          \
    TEN(macro, p##0) TEN(macro, p##1) TEN(macro, p##2) TEN(macro, p##3) TEN(macro, p##4)           \
    TEN(macro, p##5) TEN(macro, p##6) TEN(macro, p##7) TEN(macro, p##8) TEN(macro, p##9)
#define DEFINE(number) static int number;
#define POINT(number) all.many = &number;
#define POINT_OF_FEW(number) few.many = &number;
#define LOAD(ignored) total += *all.many;

HUNDRED(DEFINE, a) HUNDRED(DEFINE, b) HUNDRED(DEFINE, c) HUNDRED(DEFINE, d) HUNDRED(DEFINE, e)
TEN(DEFINE, f0) TEN(DEFINE, f1) TEN(DEFINE, f2) TEN(DEFINE, f3)
TEN(DEFINE, f4) TEN(DEFINE, f5) TEN(DEFINE, f6) TEN(DEFINE, f7)

struct pointers {
    int *many, *steering;
};

static struct pointers all, few;
static int total, number, other_number;

static void set_all(void) {
    HUNDRED(POINT, a) HUNDRED(POINT, b) HUNDRED(POINT, c) HUNDRED(POINT, d) HUNDRED(POINT, e)
    TEN(POINT_OF_FEW, f0) TEN(POINT_OF_FEW, f1) TEN(POINT_OF_FEW, f2) TEN(POINT_OF_FEW, f3)
    TEN(POINT_OF_FEW, f4) TEN(POINT_OF_FEW, f5) TEN(POINT_OF_FEW, f6) TEN(POINT_OF_FEW, f7)
    all.steering = &number;
    few.steering = &other_number;
}

static void add_up(void) {
    LOADS
}

int main(int argc, char **argv) {
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    set_all();
    *all.steering = 3 + argc;
    *few.steering = 4 + argc;
    for (int i = 0; i < 100; i++)
        *all.many += i * i;
    for (int i = 0; i < 100; i++)
        *few.many += i * 3;
    add_up();
    x[0] = total + *few.many;
    MPI_Bcast(x, *all.steering, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, *few.steering, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
