/* A method that is a template is read once for each of its instances, whose numbers are others; what
 * any instance needs stays.
 *
 *  flags: -std=c++17
 *  args: 4
 *  gone: heat += 0.5 * x[i]
 *  kept: send<1, 2>(x, n)
 *  kept: sent += STEP
 */
#include <mpi.h>
#include <cstdlib>

class Force {
  public:
    int sent = 0;
    Force(int k) : size(k) {}
    void choose(double *x, int n) {
        if (n % 2 == 0)
            return send<1, 2>(x, n);
        send<0, 5>(x, n);
    }
    template <typename T> int twice(T value) const { return 2 * (int)value + size; }

  private:
    int size;
    template <int STEP, int MORE> void send(double *x, int n);
};

template <int STEP, int MORE> void Force::send(double *x, int n) {
    if (STEP)
        MPI_Bcast(x, n + MORE, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    sent += STEP + MORE;
}

int main(int argc, char **argv) {
    double x[128] = {0}, heat = 0;
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 3;
    Force force(n);
    force.choose(x, n);
    force.choose(x, n + 1);
    MPI_Bcast(x, force.sent, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(x, force.twice(2.5) + force.twice(3), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 128; i++)
        heat += 0.5 * x[i];
    x[0] = heat;
    MPI_Finalize();
    return 0;
}
