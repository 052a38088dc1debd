/* SPDX-License-Identifier: Apache-2.0
 *
 * A record of two hundred pointers is copied: what one of them points to is not what another one does.
 *
 * kept: *other.steering = 3 + argc
 * gone: other.work[i] = i * i
 * gone: x[i] += i * 0.5
 */
#include <mpi.h>

#define TEN_MEMBERS(p) *p##0, *p##1, *p##2, *p##3, *p##4, *p##5, *p##6, *p##7, *p##8, *p##9
#define SET_TEN(p)                                                                                 \
    from->p##0 = from->p##1 = from->p##2 = from->p##3 = from->p##4 = from->p##5 = from->p##6 =     \
        from->p##7 = from->p##8 = from->p##9 = &shared

struct pointers {
    int TEN_MEMBERS(a), TEN_MEMBERS(b), TEN_MEMBERS(c), TEN_MEMBERS(d), TEN_MEMBERS(e), TEN_MEMBERS(f), TEN_MEMBERS(g), TEN_MEMBERS(h), TEN_MEMBERS(i), TEN_MEMBERS(j), TEN_MEMBERS(k), TEN_MEMBERS(l), TEN_MEMBERS(m), TEN_MEMBERS(n), TEN_MEMBERS(o), TEN_MEMBERS(p), TEN_MEMBERS(q), TEN_MEMBERS(r), TEN_MEMBERS(s), TEN_MEMBERS(t);
    int *work, *steering;
};

static int shared, data[100], number;

static void set(struct pointers *from) {
    SET_TEN(a); SET_TEN(b); SET_TEN(c); SET_TEN(d); SET_TEN(e); SET_TEN(f); SET_TEN(g); SET_TEN(h); SET_TEN(i); SET_TEN(j); SET_TEN(k); SET_TEN(l); SET_TEN(m); SET_TEN(n); SET_TEN(o); SET_TEN(p); SET_TEN(q); SET_TEN(r); SET_TEN(s); SET_TEN(t);
    from->work = data;
    from->steering = &number;
}

int main(int argc, char **argv) {
    static struct pointers one, other;
    double x[100] = {0};
    MPI_Init(&argc, &argv);
    set(&one);
    other = one;
    *other.steering = 3 + argc;
    for (int i = 0; i < 100; i++)
        other.work[i] = i * i;
    x[0] = other.work[9] + *other.a0;
    for (int i = 0; i < 100; i++)
        x[i] += i * 0.5;
    MPI_Bcast(x, *other.steering, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
