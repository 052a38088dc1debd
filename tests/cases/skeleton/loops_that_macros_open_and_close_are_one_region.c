/* SPDX-License-Identifier: Apache-2.0
 *
 * What loops compute steers communication, and macros open and close them, write their heads, their
 * bodies or several of them: each is one region, not one for each iteration.
 *
 * made: BSIM_BEGIN(0, bsim_trips(0, n, 1)); OPEN(k) { s += a[k]; } CLOSE;
 * made: BSIM_BEGIN(1, bsim_trips(0, n, 1), BSIM_TIMES(bsim_trips(0, n, 1), bsim_trips(0, n, 1))); PAIRS(i, j) s += a[i] * b[j]; END_PAIRS;
 * made: BSIM_BEGIN(2, bsim_trips(0, n, 1)); EACH(i) { s += a[i]; }
 * made: BSIM_BEGIN(3, bsim_trips(0, n, 1)); EACH(i) s += b[i];
 * made: BSIM_BEGIN(4, bsim_trips(0, n, 1)); COUNTED(n) double t = a[index_]; s += t * t; }
 * made: ARRAYS;
 * made: ADD_ALL(s, a); BSIM_END(6);
 * made: BSIM_BEGIN(7, bsim_trips(0, n, 1)); EACH_OF_TEAM(i) { s += a[i]; }
 * made: BSIM_BEGIN(8, bsim_trips(((which == 1) ? (n / 2) : 0), ((which == 2) ? (n / 2) : n), 1));
 * made: BSIM_BEGIN(9, bsim_trips(0, n, 1)); WITH_BODY(i, s += a[i]; s *= 0.5;);
 * made: { BSIM_END(10); return s; }
 * made: case 1: { BSIM_BEGIN(11, bsim_trips(0, n, 1)); OPEN(i) s += a[i]; CLOSE; BSIM_END(11); }
 * kept: double s = 0; EMPTY(s); MPI_Barrier(MPI_COMM_WORLD);
 * regions: 14
 * gone: unused[i] = i;
 * flags: -Wno-unknown-pragmas
 * args: 2
 */
#include <mpi.h>
#include <stdlib.h>

#define N 40
#define OPEN(k) { int k; for (k = 0; k < n; k++) {
#define CLOSE } }
#define PAIRS(i, j) for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) {
#define END_PAIRS } }
#define EACH(i) for (i = 0; i < n; i++)
#define COUNTED(count) int index_, count_ = count; for (index_ = 0; index_ < count_; index_++) {
#define ARRAYS ARRAY(a, 1.0) ARRAY(b, 0.5)
#define ADD_ALL(to, from) do { double t_ = 0; for (int i = 0; i < n; i++) t_ += from[i]; to += t_; } while (0)
#define EACH_OF_TEAM(i) _Pragma("omp parallel for reduction(+:s)") for (int i = 0; i < n; i++)
#define PARITY(i, parity) { int first_ = (parity) == 1 ? n / 2 : 0, last_ = (parity) == 2 ? n / 2 : n; for (i = first_; i < last_; i++) {
#define END_PARITY }}
#define WITH_BODY(i, body) for (int i = 0; i < n; i++) { body }
#define EMPTY(s) do { s += n; } while (0)

static int n = N;
static double a[N], b[N], unused[N];

static double opened(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    OPEN(k) { s += a[k]; } CLOSE
    MPI_Barrier(MPI_COMM_WORLD);
    PAIRS(i, j) s += a[i] * b[j]; END_PAIRS
    return s;
}

static double headed(void) {
    int i;
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    EACH(i) { s += a[i]; }
    MPI_Barrier(MPI_COMM_WORLD);
    EACH(i) s += b[i];
    return s;
}

static double declared(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    COUNTED(n) double t = a[index_]; s += t * t; }
    return s;
}

static double listed(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
#define ARRAY(name, factor) for (int i = 0; i < n; i++) s += factor * name[i];
    ARRAYS
#undef ARRAY
    return s;
}

static double wrapped(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    ADD_ALL(s, a);
    return s;
}

static double directed(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    EACH_OF_TEAM(i) { s += a[i]; }
    return s;
}

static double halved(int which) {
    int i;
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    PARITY(i, which) { if (i % 7 == 3) continue; s += b[i]; } END_PARITY
    return s;
}

static double given_body(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    WITH_BODY(i, s += a[i]; s *= 0.5;)
    return s;
}

static double left(void) {
    double s = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    OPEN(i) s += a[i]; if (s > 1000) return s; CLOSE
    return s;
}

static double switched(int which) {
    double s = 0;
    switch (which) {
    case 1: OPEN(i) s += a[i]; CLOSE
        break;
    default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
    return s;
}

static double without_loop(void) {
    double s = 0;
    EMPTY(s);
    MPI_Barrier(MPI_COMM_WORLD);
    return s;
}

int main(int argc, char **argv) {
    double own, all = 0;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < n; i++) {
        a[i] = i * 0.001;
        b[i] = 1.0 / (i + 1);
    }
    for (int i = 0; i < n; i++)
        unused[i] = i;
    for (int k = 0; k < (argc > 1 ? atoi(argv[1]) : 1); k++) {
        own = opened() + headed() + declared() + listed() + wrapped() + directed() + halved(k);
        own += given_body() + left() + switched(1) + switched(2) + without_loop();
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        if (all > 1e9)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
