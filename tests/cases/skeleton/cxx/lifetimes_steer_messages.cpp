/* The order in which objects end, what registers itself, and what is counted through references
 * steer messages, as do temporaries, delegating constructors, and members that nobody initialises.
 *
 *  flags: -std=c++17
 *  args: 5
 *  args: 2
 *  gone: heat += 0.5 * i
 *  kept: ~Tally() { order = order * 2 + id; }
 *  kept: Tally unused(1);
 *  kept: ~Environment() { MPI_Finalize(); }
 */
#include <mpi.h>
#include <cstdlib>

static int order = 1;

struct Tally {
    int id;
    Tally(int k) : id(k) {}
    ~Tally() { order = order * 2 + id; }
};

static int next_number() {
    static int number = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    return ++number;
}

/* Its members end in the opposite order, behind its own end, also where that returns early. */
struct Outer : Tally {
    Tally first, second;
    int number = next_number();
    Outer(int k) : Tally(0), first(1), second(k % 2) {}
    Outer() : Outer(3) { number++; }
    ~Outer() {
        if (number > 3)
            return;
        order++;
    }
};

/* Ends nowhere but as a member, of a class that has no destructor of its own, and of one that has. */
struct Last {
    ~Last() { order += 40; }
};
struct Plainly {
    Last last;
    int size;
};
struct Really {
    Last last;
    int each;
    /* stays as it is written, with what it divides by */
    Really(int n, int parts) : each(n / parts) {}
    ~Really() {}
};

class Task {
  public:
    static Task *all[4];
    static int count;
    Task() { all[count++] = this; }
    virtual ~Task() = default;
    virtual void run(double *x) = 0;
};
Task *Task::all[4];
int Task::count;

class Sender : public Task {
    int &runs;
    const int size;

  public:
    Sender(int &counter, int n) : runs(counter), size(n) {}
    ~Sender() override { runs += 10; }
    void run(double *x) override {
        runs++;
        MPI_Bcast(x, size, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
};

class Environment {
  public:
    Environment(int *argc, char ***argv) { MPI_Init(argc, argv); }
    ~Environment() { MPI_Finalize(); }
    Environment(const Environment &) = delete;
};

struct Ratio {
    int a, b;
    Ratio(int n, int m) : a(n), b(m) {}
    operator int() const { return a / b; }
    int operator()(int k) const { return a * k; }
    int operator[](int k) const { return b + k; }
    Ratio &operator+=(const Ratio &o) {
        a += o.a;
        return *this;
    }
    Ratio *operator->() { return this; }
};

static int sum_of(const Tally &one, int n) {
    return one.id + n;
}

static int leave(int k) {
    Tally one(1);
    if (k > 3) {
        Tally two(0);
        return sum_of(Tally(1), k);
    }
    for (Tally each(0); k > 0; k--) {
        Tally inner(k % 2);
        if (k == 2)
            break;
    }
    return k;
}

int main(int argc, char **argv) {
    Environment environment(&argc, &argv);
    double x[256] = {0}, heat = 0;
    int n = argc > 1 ? std::atoi(argv[1]) : 3, runs = 0;
    {
        Tally unused(1);
        Outer outer(n), other;
        Tally several[2] = {0, 1};
        MPI_Bcast(x, outer.number + other.number, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Bcast(x, order % 97, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int left = leave(n) + leave(1);
    Tally(1);
    const Tally &kept = Tally(0);
    MPI_Bcast(x, order % 89 + left + kept.id, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    {
        Really really(n, argc);
    }
    MPI_Bcast(x, order % 83, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    {
        Sender one(runs, n), *two = new Sender(runs, n + 1);
        for (int i = 0; i < Task::count; i++)
            Task::all[i]->run(x);
        delete two;
    }
    MPI_Bcast(x, runs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Ratio ratio(7, 2);
    ratio += Ratio(n, 1);
    MPI_Bcast(x, ratio + ratio(2) + ratio[3] + ratio->a, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
        heat += 0.5 * i;
    x[0] = heat;
    return 0;
}
