/* An object of the library that nobody needs is an empty one. One that has such objects in it is computed, since
 * nothing else can be copied.
 *
 *  made: return {};
 *  kept: return p
 *  kept: return own(n)
 *  gone: l.push_back(n)
 */
#include <list>
#include <mpi.h>
#include <string>
struct plain {
    std::string s;
    int n;
};
struct own {
    std::list<int> s;
    int n;
    own(int k) : s(k), n(k) {}
};
static std::list<int> list_of(int n) {
    MPI_Barrier(MPI_COMM_WORLD);
    std::list<int> l(3);
    l.push_back(n);
    return l;
}
static plain plain_of(int n) {
    MPI_Barrier(MPI_COMM_WORLD);
    plain p;
    p.n = n;
    return p;
}
static own own_of(int n) {
    MPI_Barrier(MPI_COMM_WORLD);
    return own(n);
}
static int take(std::list<int> l, plain p) {
    MPI_Barrier(MPI_COMM_WORLD);
    return (int)l.size() + p.n;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double buf[4];
    plain p;
    p.n = argc;
    buf[0] = (double)list_of(argc).size();
    buf[1] = plain_of(argc).n;
    buf[2] = own_of(argc).n;
    buf[3] = take(std::list<int>(argc), p);
    MPI_Bcast(buf, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
