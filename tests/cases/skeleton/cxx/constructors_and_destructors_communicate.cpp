/* What constructors and destructors do happens where objects begin and end, whichever way a block is
 * left. It is a message, a communicator, or a counter that steers. What only computes goes.
 *
 *  flags: -std=c++17
 *  args: 5
 *  args: 9
 *  gone: u[i] = 0.5 * i
 *  gone: heat += 0.25
 *  kept: MPI_Comm_dup(MPI_COMM_WORLD, &comm)
 *  kept: ~Guard() { MPI_Comm_free(&comm); }
 *  kept: ~Counted() { made--; }
 *  kept: Meeting last;
 */
#include <mpi.h>
#include <cstdlib>

struct Guard {
    MPI_Comm comm;
    Guard() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
    ~Guard() { MPI_Comm_free(&comm); }
};

struct Counted {
    static int made;
    int id, more = 2;
    Counted() : id(made++) {}
    Counted(const Counted &other) : id(other.id + 10), more(other.more) { made++; }
    ~Counted() { made--; }
};
int Counted::made = 1;

struct Meeting {
    int size = 3;
    ~Meeting() {
        double all[16] = {0};
        MPI_Bcast(all, size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
};

/* Its members end behind it, the last one first. */
struct Both {
    Meeting first;
    Guard second;
    int n;
    double *u;
    explicit Both(int k) : n(k), u(new double[k + 2]) {
        for (int i = 0; i < k; i++)
            u[i] = 0.5 * i;
    }
    ~Both() { delete[] u; }
};

static int visit(int steps) {
    for (int i = 0; i < steps; i++) {
        Meeting each;
        if (i == 1)
            continue;
        each.size = i + 1;
        if (i == 4)
            break;
        Guard guard;
        MPI_Barrier(guard.comm);
        if (i == 6)
            goto out;
        if (steps == 3)
            return i;
    }
out:
    Meeting last;
    last.size = steps;
    return steps + 1;
}

int main(int argc, char **argv) {
    double x[64] = {0}, heat = 0;
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 3;
    Counted one;
    {
        Counted several[2], copy(one), *kept = new Counted(copy);
        MPI_Bcast(x, Counted::made + copy.id, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(x, kept->id + several[1].more, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        delete kept;
    }
    MPI_Bcast(x, Counted::made, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    {
        Both both(n);
        MPI_Bcast(x, both.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        for (int i = 0; i < both.n; i++)
            heat += 0.25 * both.u[i];
    }
    x[0] = heat;
    MPI_Bcast(x, visit(n) + visit(3), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Meeting *left = new Meeting[2];
    delete[] left;
    MPI_Finalize();
    return 0;
}
