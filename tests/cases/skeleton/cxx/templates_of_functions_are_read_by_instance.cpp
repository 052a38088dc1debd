/* Each instance of a template is a function, and all of them have one text: what is needed of one
 * of them alone is cut, what is needed of two stays as a whole. A pointer to a method calls any
 * method that it was set to.
 *
 *  args: 5
 *  kept: unused += n
 *  kept: d.resize(n)
 *  gone: void pack(
 *  gone: Release(&p)
 *  gone: heat += 2
 *  kept: (d.*f[1])(1)
 */
#include <cstdlib>
#include <mpi.h>
#include <vector>

template <typename T> T *Allocate(size_t size) {
    return static_cast<T *>(malloc(sizeof(T) * size));
}

template <typename T> void Release(T **ptr) {
    if (*ptr != NULL) {
        free(*ptr);
        *ptr = NULL;
    }
}

template <typename T> T twice(T n) {
    double unused = 3;
    unused += n;
    return n + n;
}

template <typename T> T once(T n) {
    double heat = 3;
    heat += 2;
    return n;
}

struct D {
    std::vector<double> x, y;
    double &at(int i) {
        return x[i];
    }
    double &of(int i) {
        return y[i];
    }
    void resize(int n) {
        x.resize(n);
        y.resize(n);
    }
};

typedef double &(D::*Member)(int);

void pack(D &d, Member *fields, int count, double *buf) {
    for (int f = 0; f < count; f++) {
        Member src = fields[f];
        for (int i = 0; i < 3; i++)
            buf[f * 3 + i] = (d.*src)(i);
    }
}

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 5;
    double buf[6], *p = Allocate<double>(n);
    int *counts = Allocate<int>(2);
    Member f[2];
    D d;
    MPI_Init(&argc, &argv);
    counts[0] = once(n);
    d.resize(n);
    f[0] = &D::at;
    f[1] = &D::of;
    pack(d, f, 2, buf);
    d.of(1) = n;
    MPI_Bcast(buf, 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(buf, counts[0], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(buf, (int)(d.*f[1])(1), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(buf, twice(2) + (int)twice(1.5) - n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Release(&p);
    Release(&counts);
    MPI_Finalize();
    return 0;
}
