/* SPDX-License-Identifier: Apache-2.0 */
#include "simulator/network/network_presets.h"

#include "base/file.h"

#include <stddef.h>
#include <string.h>

/* In each, `fact` is what the source says, `assumed` what it leaves open. */
static const struct network_preset presets[] = {
    {"ideal", "communication takes no time: what is left of MPI is waiting",
     "title = no latency, no limit of bandwidth\n"
     "topology = ideal\n"},
    {"summit", "Summit, ORNL, 2018: 4,608 hosts, InfiniBand EDR, non-blocking fat tree",
     "# fact: 4,608 nodes, two Power 9 processors each; EDR of 100 Gbit/s; 256 racks of compute\n"
     "#   nodes, hence 18 nodes in a rack, with two switches each; 18 racks of core switches\n"
     "#   (https://www.eetimes.com/inside-the-summit-supercomputer/).\n"
     "# fact: the network is non-blocking, a fully provisioned Clos network\n"
     "#   (https://www.ornl.gov/publication/evaluation-coral-interconnects).\n"
     "# fact: dual-rail EDR, 200 Gbit/s between nodes\n"
     "#   (https://en.wikipedia.org/wiki/Summit_(supercomputer)).\n"
     "# assumed: both rails as one of twice the bandwidth; each of the 18 core racks as one\n"
     "#   switch; 0.25 us per link; one rank per processor; memory.\n"
     "title = Summit, Oak Ridge National Laboratory\n"
     "topology = fat-tree\n"
     "down = 18,256\n"
     "up = 1,18\n"
     "links = 1,1\n"
     "cores = 2\n"
     "bandwidth = 200 Gbit/s\n"
     "latency = 0.25us\n"
     "memory-bandwidth = 10GBps\n"
     "memory-latency = 0.5us\n"},
    {"edison", "Edison, NERSC, 2013: a Cray XC30 of 15 groups, Aries, dragonfly",
     "# fact: 4 nodes at a router, 16 routers in a chassis, 6 chassis in a group of two cabinets;\n"
     "#   1 link between routers of a chassis, 3 between chassis, 2 between routers of groups\n"
     "#   (https://www.nersc.gov/users/computational-systems/retired-systems/"
     "edison-retired-on-5132019/configuration/interconnect/).\n"
     "# fact: a lane of Aries carries 14 Gbit/s within a group, 12.5 Gbit/s between groups; 15 + "
     "15\n"
     "#   links within a group and 10 between them at each router\n"
     "#   (https://support.nesi.org.nz/hc/en-gb/articles/360000208356-XC50-Aries-Network-"
     "Architecture).\n"
     "# fact: 90 electrical and 30 optical lanes of a router, hence 3 of each link\n"
     "#   (https://www.theregister.com/2012/11/08/cray_cascade_xc30_supercomputer/?page=2).\n"
     "# assumed: 15 groups; one speed for all links, that of 3 lanes of 14 Gbit/s, also for a\n"
     "#   node's own (its card is faster); 0.2 us per link; 24 cores; memory; minimal routes, "
     "where\n"
     "#   Aries routes adaptively.\n"
     "title = Edison, NERSC (Cray XC30)\n"
     "topology = dragonfly\n"
     "groups = 15\n"
     "chassis = 6\n"
     "routers = 16\n"
     "hosts-per-router = 4\n"
     "router-links = 1\n"
     "chassis-links = 3\n"
     "group-links = 2\n"
     "cores = 24\n"
     "bandwidth = 42 Gbit/s\n"
     "latency = 0.2us\n"
     "memory-bandwidth = 10GBps\n"
     "memory-latency = 0.5us\n"},
    {"k-computer", "K computer, RIKEN, 2011: 88,128 hosts, Tofu, torus of six dimensions",
     "# fact: six-dimensional mesh/torus, 5 GB/s per link and direction\n"
     "#   (https://en.wikipedia.org/wiki/Torus_fusion, after Ajima, Sumimoto, Shimizu: Tofu: A 6D\n"
     "#   Mesh/Torus Interconnect for Exascale Computers, IEEE Computer 42(11), 2009,\n"
     "#   doi:10.1109/MC.2009.370).\n"
     "# fact: more than 80,000 processors\n"
     "#   (https://www.fujitsu.com/my/about/businesspolicy/tech/k/whatis/network/).\n"
     "# fact: eight cores (Maruyama et al.: Sparc64 VIIIfx, IEEE Micro 30(2), 2010).\n"
     "# assumed: 24 x 18 x 17 x 2 x 3 x 2, which makes 88,128; a ring in all dimensions, where "
     "some\n"
     "#   are meshes; 0.2 us per link; memory.\n"
     "title = K computer, RIKEN\n"
     "topology = torus\n"
     "dimensions = 24,18,17,2,3,2\n"
     "cores = 8\n"
     "bandwidth = 5GBps\n"
     "latency = 0.2us\n"
     "memory-bandwidth = 10GBps\n"
     "memory-latency = 0.5us\n"},
    {"blue-gene-q", "Blue Gene/Q, IBM, 2011: one rack of 1,024 hosts, torus of five dimensions",
     "# fact: 2 GB/s per link and direction, less 10 % for packets; 10 links of a node (IBM "
     "System\n"
     "#   Blue Gene Solution: Blue Gene/Q Hardware Overview and Installation Planning, SG24-7872,\n"
     "#   chapter 2, https://www.oreilly.com/library/view/ibm-system-blue/0738438227/"
     "7872ch02.xhtml).\n"
     "# fact: two midplanes of 16 boards of 32 nodes in a rack\n"
     "#   (https://www.alcf.anl.gov/support-center/miracetusvesta/machine-overview-"
     "miracetusvesta).\n"
     "# fact: 16 cores (https://www.euroben.nl/reports/web13/bluegene.php).\n"
     "# assumed: 4 x 4 x 4 x 8 x 2, which makes 1,024; 40 ns per link, and 1 us in the software "
     "of\n"
     "#   either side; memory. More racks: give --dimensions.\n"
     "title = Blue Gene/Q, one rack\n"
     "topology = torus\n"
     "dimensions = 4,4,4,8,2\n"
     "cores = 16\n"
     "bandwidth = 1.8GBps\n"
     "latency = 40ns\n"
     "memory-bandwidth = 10GBps\n"
     "memory-latency = 0.5us\n"
     "send-overhead = 0:1e-6:0\n"
     "isend-overhead = 0:1e-6:0\n"
     "receive-overhead = 0:1e-6:0\n"},
    {"gigabit-ethernet", "a cluster with Gigabit Ethernet and MPI over TCP, of any size",
     "# fact: 1 Gbit/s in each direction (IEEE 802.3ab).\n"
     "# fact: what messages get of bandwidth and latency, by their size, as SimGrid's authors\n"
     "#   measured it under MPI (defaults of smpi/bw-factor and smpi/lat-factor in SimGrid 3.32,\n"
     "#   src/simgrid/sg_config.cpp; Clauss et al., Single Node On-Line Simulation of MPI\n"
     "#   Applications with SMPI, IPDPS 2011).\n"
     "# assumed: 15 us per link (the factors multiply it); memory.\n"
     "title = Gigabit Ethernet\n"
     "topology = switch\n"
     "bandwidth = 1 Gbit/s\n"
     "latency = 15us\n"
     "memory-bandwidth = 10GBps\n"
     "memory-latency = 0.5us\n"
     "bandwidth-factor = 0:0.812084;257:0.338112;732:0.341987;1426:0.608902;3484:0.77493;"
     "5776:1.08739;9376:0.58729;15424:0.697866;65472:0.940694\n"
     "latency-factor = 0:2.01467;257:1.95341;732:1.9503;1426:1.61075;3484:1.88101;"
     "5776:2.18796;9376:2.59299;15424:3.48845;65472:11.6436\n"},
    {NULL, NULL, NULL},
};

const struct network_preset *network_presets(void) {
    return presets;
}

const struct network_preset *network_preset_find(const char *name) {
    for (const struct network_preset *preset = presets; preset->name != NULL; preset++)
        if (strcmp(preset->name, name) == 0)
            return preset;
    return NULL;
}

static int fail(const char *name, struct arena *arena, struct error *error) {
    const char *names = "";
    for (const struct network_preset *one = presets; one->name != NULL; one++)
        names = arena_printf(arena, "%s%s%s", names, names[0] != '\0' ? ", " : "", one->name);
    return error_set(error,
                     "'%s' is no topology (switch, backbone, star, fat-tree, dragonfly, torus, "
                     "ideal), no preset (%s) and no file",
                     name, names);
}

int network_load(struct network *out, const char *name, struct arena *arena, struct error *error) {
    const struct network_preset *preset = network_preset_find(name);
    *out = network_default();
    out->topology = network_topology_find(name);
    if (out->topology < TOPOLOGY_COUNT)
        return 0;
    out->topology = TOPOLOGY_SWITCH;
    if (preset != NULL)
        return network_parse(out, arena_strdup(arena, preset->text), name, arena, error);
    return file_exists(name) ? network_read(out, name, arena, error) : fail(name, arena, error);
}
