/* Containers and streams at file scope begin before main, each rank with its own, and what they begin with steers
 * messages. Of what computes for that no time is taken: ranks have not begun. A log that nobody reads goes with what is
 * written to it.
 *
 *  with: shared_containers.cpp
 *  kept: std::vector<int> counts(4, 3);
 *  kept: std::string name = "four";
 *  kept: static std::map<int, int> seen;
 *  gone: record << argc
 *  gone: sum += buf[i]
 *  scratch: 1
 */
#include <fstream>
#include <map>
#include <mpi.h>
#include <string>
#include <vector>

std::ofstream record;
std::vector<int> counts(4, 3);
std::string name = "four";
static std::map<int, int> seen;
static std::vector<int> made_of(int n) {
    std::vector<int> result;
    for (int i = 0; i < n; i++)
        result.push_back(i);
    return result;
}
static std::vector<int> made = made_of(4);
extern std::vector<int> shared;

int main(int argc, char **argv) {
    double buf[100] = {0}, sum = 0;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    record.open("log.txt");
    record << argc << std::endl;
    for (int i = 0; i <= rank; i++)
        shared.push_back(i);
    seen[rank] = (int)shared.size() - rank;
    for (int i = 0; i < 100; i++)
        sum += buf[i];
    MPI_Bcast(buf, counts[1] + (int)name.size() + (int)seen.size() + seen[rank] + made[3], MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (sum > 1)
        record << sum;
    MPI_Finalize();
    return 0;
}
