/* An object at file scope is made before main, once for each rank: what its constructor writes, there
 * and in a counter, steers messages. Temporaries and results are objects as well.
 *
 *  flags: -std=c++17
 *  args: 5
 *  gone: sum += table[i]
 *  kept: Config config(4, 2);
 *  kept: Registered first, second;
 *  kept: Pair(1, 2.5)
 */
#include <mpi.h>
#include <cstdlib>

struct Registered {
    static int count;
    int number;
    Registered() { number = ++count; }
};
int Registered::count = 3;

class Config {
  public:
    Config(int size, int factor);
    int size() const { return sizes[1]; }
    friend int twice(const Config &config) { return 2 * config.sizes[0]; }
    class Part {
      public:
        Part(int k) : length(k) {}
        int length;
    };
    Part part;

  private:
    int sizes[2];
};

static Registered first, second;
Config config(4, 2);

Config::Config(int size, int factor) : part(size + factor) {
    sizes[0] = size;
    sizes[1] = size * factor + second.number;
}

struct Pair {
    int n;
    double x;
    Pair(int k, double y) : n(k), x(y) {}
    Pair operator+(const Pair &other) const { return Pair(n + other.n, x + other.x); }
};

static int count_of(const Pair &pair) {
    return pair.n;
}

int main(int argc, char **argv) {
    double table[64] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 3;
    MPI_Bcast(table, config.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(table, twice(config) + Registered::count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(table, config.part.length, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Pair one(n, 0.5), both = one + Pair(1, 2.5);
    MPI_Bcast(table, both.n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(table, count_of(Pair(n + 2, 1)), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++)
        sum += table[i] * both.x;
    table[0] = sum;
    MPI_Finalize();
    return 0;
}
