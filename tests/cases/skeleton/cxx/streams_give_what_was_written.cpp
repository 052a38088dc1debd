/* What is read from a stream comes from what was written to it, or from a file: where nothing is
 * left to read, a variable stays as it was. A log that nobody reads goes.
 *
 *  args: /dev/null
 *  args: /etc/passwd
 *  kept: n++
 *  kept: int n = 0
 *  gone: o << t
 *  scratch: 1
 */
#include <fstream>
#include <iostream>
#include <mpi.h>
#include <sstream>
#include <string>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    double buf[100];
    std::stringstream s;
    s << argc << " x" << std::endl;
    std::string t = s.str(), line, word;
    int n = 0, k;
    std::ifstream in(argv[1]);
    while (std::getline(in, line))
        n++;
    std::istringstream words("3 4 word");
    words >> k >> n;
    if (words >> word)
        n++;
    if (!in)
        n--;
    std::ofstream o;
    o.open("log.txt");
    o << t << n << std::endl;
    o.close();
    MPI_Bcast(buf, (int)t.size() + n + (int)word.size() + k, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
