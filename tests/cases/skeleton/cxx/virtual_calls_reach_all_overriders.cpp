/* A virtual call may be that of any class of the hierarchy: an overrider that sends stays, with what
 * its constructor writes; one that is never called keeps a body, since a table names it.
 *
 *  flags: -std=c++17
 *  args: 4
 *  args: 7
 *  gone: energy += x[i] * factor
 *  kept: MPI_Allreduce(MPI_IN_PLACE
 *  kept: next->step(
 *  kept: virtual ~Shape()
 */
#include <mpi.h>
#include <cstdio>
#include <cstdlib>

class Shape {
  public:
    explicit Shape(int k) : n(k) {}
    virtual ~Shape() {}
    virtual int size() const { return n; }
    virtual void step(double *x) = 0;
    virtual double energy_of(const double *x, double factor) const {
        double energy = 0;
        for (int i = 0; i < n; i++)
            energy += x[i] * factor;
        return energy;
    }
    virtual void print(const double *x) const;
    int twice() const { return 2 * size(); }

  protected:
    int n;
};

void Shape::print(const double *x) const {
    std::printf("%g\n", x[n]);
}

class Near : public Shape {
  public:
    Near(int k, int more) : Shape(k + 1), extra(more) {}
    ~Near() override { MPI_Barrier(MPI_COMM_WORLD); }
    int size() const override { return n + extra; }
    void step(double *x) override { MPI_Bcast(x, size(), MPI_DOUBLE, 0, MPI_COMM_WORLD); }

  private:
    int extra;
};

struct Far : Shape {
    explicit Far(int k) : Shape(k) {}
    void step(double *x) override {
        MPI_Allreduce(MPI_IN_PLACE, x, twice(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
};

static double look(const Shape &shape, const double *x) {
    return shape.energy_of(x, 1.5);
}

int main(int argc, char **argv) {
    double x[128] = {0}, sum = 0;
    MPI_Init(&argc, &argv);
    int n = argc > 1 ? std::atoi(argv[1]) : 3;
    Near *first = new Near(n, 2), &near = *first;
    Shape *next = n > 5 ? (Shape *)new Near(n, 1) : new Far(n), &same = near;
    next->step(x);
    same.step(x);
    near.Shape::size();
    sum += look(near, x) + look(*next, x);
    MPI_Bcast(x, next->twice() + near.twice(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    x[0] = sum;
    if (sum > 1e30)
        next->print(x);
    delete next;
    delete first;
    MPI_Finalize();
    return 0;
}
