/* What a container gives steers through copies, calls, keys, iterators and algorithms: the writes
 * that it comes from stay, in vectors of vectors, in maps of strings, in objects that hold them.
 *
 *  args: 7
 *  args: 5 word
 *  kept: std::sort
 *  kept: h.counts[0] = 5
 *  kept: key[1] = 'z'
 *  kept: other[1] = n + 1
 *  kept: parts = div(n, 2)
 *  gone: std::fill(heat
 */
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <list>
#include <map>
#include <mpi.h>
#include <numeric>
#include <set>
#include <string>
#include <vector>
struct Grid {
    std::vector<int> counts;
    std::string name;
    int n;
};
static std::vector<int> make(int n) {
    std::vector<int> v;
    for (int i = 0; i < n; i++)
        v.push_back(i * 2);
    return v;
}
static int total(std::vector<int> v) {
    v.push_back(3);
    return (int)v.size();
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n = argc > 1 ? std::atoi(argv[1]) : 5;
    double buf[1000];
    std::vector<std::vector<int>> vv(n, std::vector<int>(3));
    vv[1].push_back(7);
    vv[2] = make(n);
    for (size_t i = 0; i < vv.size(); i++)
        MPI_Bcast(buf, (int)vv[i].size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::map<int, int> m;
    for (int i = 0; i < n; i++)
        m[i % 3] += i;
    for (std::map<int, int>::iterator it = m.begin(); it != m.end(); ++it)
        MPI_Bcast(buf, it->second, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (m.find(2) != m.end())
        MPI_Barrier(MPI_COMM_WORLD);
    std::set<int> s;
    s.insert(4);
    s.insert(n);
    s.insert(4);
    MPI_Bcast(buf, (int)s.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::string name = argc > 2 ? argv[2] : "abc";
    name += "x";
    if (name == "abcx")
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(buf, (int)name.length(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    Grid g;
    g.counts.resize(n + 1, 2);
    g.counts[1] = 9;
    Grid h = g;
    h.counts[0] = 5;
    std::sort(h.counts.begin(), h.counts.end());
    MPI_Bcast(buf, h.counts[n], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(buf, total(h.counts), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::array<int, 3> a = {1, 2, 3};
    a[1] = n;
    MPI_Bcast(buf, std::accumulate(a.begin(), a.end(), 0), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::list<int> l;
    l.push_back(3);
    l.push_back(n);
    MPI_Bcast(buf, l.back() + (int)l.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::vector<int> q{4, 5, n}, r = {1, 2};
    q.swap(r);
    std::swap(q[0], q[1]);
    MPI_Bcast(buf, q[0] * 10 + (int)r.size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::pair<int, double> p(n, 2.0), o = std::make_pair(3, 1.5);
    MPI_Bcast(buf, p.first + o.first, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::vector<std::string> words;
    words.push_back("one");
    words.push_back(name);
    MPI_Bcast(buf, (int)words[1].size(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::map<std::string, std::vector<int>> lists;
    lists["a"].push_back(3);
    lists[name].resize(n);
    MPI_Bcast(buf, (int)lists[name].size() + (int)lists.count("a"), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::vector<double> e(10, 1.0);
    e.erase(e.begin() + 1);
    e.insert(e.begin(), 3.0);

    MPI_Bcast(&e[0], (int)e.front(), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << name << " " << e[0] << std::endl;
    std::string key = "abc";
    if (n > 5)
        key[1] = 'z';
    lists["azc"].push_back(1);
    MPI_Bcast(buf, (int)lists.count(key) + 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    std::vector<int> one(2, n), other(2, n);
    other[1] = n + 1;
    if (one == other)
        MPI_Barrier(MPI_COMM_WORLD);
    for (std::vector<int>::iterator i = lists["a"].begin(); i != lists["a"].end(); ++i)
        MPI_Bcast(buf, *i, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    div_t parts;
    parts = div(n, 2);
    MPI_Bcast(buf, parts.quot, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    double heat[10];
    std::fill(heat, heat + 10, 4.0);
    MPI_Finalize();
    return 0;
}
