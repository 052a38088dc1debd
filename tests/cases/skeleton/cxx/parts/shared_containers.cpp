#include <vector>
std::vector<int> shared(2);
