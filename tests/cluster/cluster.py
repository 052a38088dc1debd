#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small cluster of network namespaces on this machine, for MPI programs whose messages really cross
links of a known rate and latency.

    cluster.py up HOSTS RATE DELAY         build it: 4 10mbit 1ms
    cluster.py run NP COMMAND...           mpirun, one rank on each host, further ranks in turn
    cluster.py mpirun ARGUMENTS...         mpirun with all of its options
    cluster.py at HOST COMMAND...          a command on one host: 1, 2, ...
    cluster.py status                      what is up, and frames passed, lost and late since
    cluster.py down                        end it; harmless if nothing is up
    cluster.py with HOSTS RATE DELAY COMMAND...
                                           up, the command, down; in the command $CLUSTER is this program
Options before the verb: --name NAME (default: mpiskel), so that there can be several; --limit BYTES that wait at a
port of the switch at most (262144); --mtu BYTES (1500); --slots RANKS of a host (1).

RATE is in bits per second with kbit, mbit or gbit; DELAY is that of a link, one way, in us or ms. A message crosses
two links. Hosts have 10.77.0.HOST on eth0, the only way for messages; ctl0 with 10.77.1.HOST has no limits and is for
mpirun's own connections. Needs root, iproute2, gcc, /dev/net/tun.

All of it lives in namespaces of one process: processes, network, mounts (a private /run holds its files). Whatever
kills that process, the kernel ends the rest; a cluster that is being built ends with the program that builds it.
Nothing is written elsewhere."""
import argparse
import os
import re
import select
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
STATE = "/run/cluster"                # in the cluster's own mount namespace
NETWORK, CONTROL = "10.77.0", "10.77.1"
HEADER = 14                           # bytes of an Ethernet frame around the MTU
LATE_TIMER_S = 2e-3                   # tbf's burst covers timers of a busy machine that are so late
UP_MOST_S = 60


class ClusterError(Exception):
    pass


# ---- What users write ----

def bits_per_s(text):
    found = re.fullmatch(r"([0-9.]+)(k|m|g)bit", text.lower())
    if not found or float(found[1]) <= 0:
        raise ClusterError(f"'{text}' is no rate: 10mbit, 1gbit")
    return float(found[1]) * {"k": 1e3, "m": 1e6, "g": 1e9}[found[2]]


def seconds(text):
    found = re.fullmatch(r"([0-9.]+)(us|ms|s)", text)
    if not found:
        raise ClusterError(f"'{text}' is no delay: 100us, 1ms")
    return float(found[1]) * {"us": 1e-6, "ms": 1e-3, "s": 1}[found[2]]


def missing():
    """Why there can be no cluster here, or None."""
    if os.geteuid() != 0:
        return "needs root"
    if not os.path.exists("/dev/net/tun"):
        return "needs /dev/net/tun"
    tried = subprocess.run(["unshare", "--net", "--pid", "--mount", "--fork", "ip", "link", "set", "lo", "up"],
                           capture_output=True, check=False)
    return None if tried.returncode == 0 else "needs network namespaces, which this machine does not allow"


# ---- Inside: the process that holds the cluster; process 1 of its namespace ----

def command(*words, **more):
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, **more)


def in_host(pid, *words):
    command("nsenter", f"--net=/proc/{pid}/ns/net", *words)


class Builder:
    """Builds hosts, links and switch; all processes are children of this one."""

    def __init__(self, options):
        self.options = options
        self.hosts = []
        self.children = []

    def start(self, *words, **more):
        process = subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, **more)
        self.children.append(process)
        return process

    def build(self):
        command("mount", "-t", "tmpfs", "cluster", "/run")
        os.makedirs(STATE)
        self.compile("relay", "-O2")
        self.compile("idle", "-O2", "-shared", "-fPIC", suffix=".so")
        self.start_control()
        self.start_relay()
        for host in range(1, self.options.hosts + 1):
            self.add_host(host)
        for host in range(1, self.options.hosts + 1):
            self.add_neighbours(host)
        self.write_files()

    @staticmethod
    def compile(name, *flags, suffix=""):
        command("gcc", *flags, "-o", f"{STATE}/{name}{suffix}", f"{HERE}/{name}.c")

    @staticmethod
    def start_control():
        command("hostname", "control")
        command("ip", "link", "set", "lo", "up")
        command("ip", "link", "add", "control", "type", "bridge")
        command("ip", "addr", "add", f"{CONTROL}.254/24", "dev", "control")
        command("ip", "link", "set", "control", "up")

    def start_relay(self):
        """Before other processes, since frames have to leave in time."""
        options = self.options
        with open(f"{STATE}/relay.log", "wb") as log:
            self.start("chrt", "-f", 20, f"{STATE}/relay", options.hosts, options.bits_per_s, options.delay_s,
                       options.limit, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + UP_MOST_S
        while b"ready" not in read(f"{STATE}/relay.log"):
            if self.children[-1].poll() is not None or time.monotonic() > end:
                raise ClusterError(read(f"{STATE}/relay.log").decode().strip() or "the relay did not start")
            time.sleep(0.01)

    def add_host(self, host):
        holder = self.start("unshare", "--net", "--uts", "sh", "-c", f"hostname host-{host}; echo; exec sleep infinity",
                            stdout=subprocess.PIPE)
        holder.stdout.readline()
        pid = holder.pid
        self.hosts.append(pid)
        command("ip", "link", "add", f"ctl{host}", "type", "veth", "peer", "name", "ctl0", "netns", pid)
        command("ip", "link", "set", f"ctl{host}", "master", "control", "up")
        command("ip", "link", "set", f"link{host}", "netns", pid)
        self.configure_host(pid, host)

    def configure_host(self, pid, host):
        mtu, rate = self.options.mtu, self.options.bits_per_s
        burst = int(mtu + HEADER + 86 + rate / 8 * LATE_TIMER_S)
        in_host(pid, "sh", "-ec", f"""
            ip link set lo up
            ip addr add {CONTROL}.{host}/24 dev ctl0
            ip link set ctl0 up
            ip link set link{host} name eth0
            ip link set eth0 address 02:77:00:00:00:{host:02x} mtu {mtu} gso_max_segs 1
            ip addr add {NETWORK}.{host}/24 dev eth0
            echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
            echo 1 > /proc/sys/net/ipv4/tcp_no_metrics_save
            ip link set eth0 up
            ip route replace {NETWORK}.0/24 dev eth0 src {NETWORK}.{host} congctl cubic
            tc qdisc replace dev eth0 root tbf rate {rate:.0f}bit burst {burst} limit {self.options.limit}
            """)

    def add_neighbours(self, host):
        """No question for an address comes into the middle of a measurement."""
        others = [other for other in range(1, self.options.hosts + 1) if other != host]
        lines = "".join(f"neigh replace {NETWORK}.{other} lladdr 02:77:00:00:00:{other:02x} dev eth0 nud permanent\n"
                        for other in others)
        subprocess.run(["nsenter", f"--net=/proc/{self.hosts[host - 1]}/ns/net", "ip", "-batch", "-"],
                       input=lines.encode(), check=True)

    def write_files(self):
        with open(f"{STATE}/hostfile", "w", encoding="ascii") as out:
            for host in range(1, len(self.hosts) + 1):
                out.write(f"{CONTROL}.{host} slots={self.options.slots}\n")
        with open(f"{STATE}/pids", "w", encoding="ascii") as out:
            out.write(" ".join(str(pid) for pid in self.hosts))
        with open(f"{STATE}/what", "w", encoding="ascii") as out:
            out.write(f"{len(self.hosts)} hosts, {self.options.rate}, {self.options.delay} per link\n")
        # mpirun's remote shell: ADDRESS COMMAND...
        with open(f"{STATE}/rsh", "w", encoding="ascii") as out:
            out.write("#!/bin/sh\nset -- \"$@\"\nhost=${1##*.}; shift\n"
                      f"pid=$(cut -d' ' -f$host {STATE}/pids)\n"
                      "exec nsenter --net=/proc/$pid/ns/net --uts=/proc/$pid/ns/uts sh -c \"$*\"\n")
        os.chmod(f"{STATE}/rsh", 0o755)

    def hold(self):
        """Until this process is killed, or standard input ends before it has said to keep the cluster."""
        watched = [0]
        while True:
            readable, _, _ = select.select(watched, [], [], 0.2)
            if readable:
                if b"keep" not in os.read(0, 4096):
                    return
                watched = []
            self.reap()

    @staticmethod
    def reap():
        """Process 1 inherits what mpirun leaves."""
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            pass


def hold(options):
    builder = Builder(options)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        builder.build()
    except (ClusterError, OSError, subprocess.CalledProcessError) as error:
        print(f"failed: {error}", flush=True)
        sys.exit(1)
    print("ready", flush=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    builder.hold()


# ---- Outside ----

def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def holders(name):
    """Processes that hold the cluster of that name: each is process 1 of its namespace."""
    wanted = f"\0--name\0{name}\0".encode()
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        words = read(f"/proc/{entry}/cmdline")
        if wanted in words and b"cluster.py\0" in words and b"\0hold\0" in words:
            ids = re.search(rb"NSpid:([\s\d]+)", read(f"/proc/{entry}/status"))
            if ids and len(ids[1].split()) > 1 and ids[1].split()[-1] == b"1":
                found.append(int(entry))
    return found


class Cluster:
    """Up on entry, down on exit, and when this process is killed."""

    def __init__(self, hosts, rate, delay, name="mpiskel", limit=262144, mtu=1500, slots=1):
        bits_per_s(rate), seconds(delay)
        if not 2 <= hosts <= 60:
            raise ClusterError("2 to 60 hosts")
        self.name = name
        self.words = ["--name", name, "--limit", str(limit), "--mtu", str(mtu), "--slots", str(slots),
                      "hold", str(hosts), rate, delay]
        self.process = None

    def up(self):
        if holders(self.name):
            raise ClusterError(f"'{self.name}' is up already: down, or another --name")
        reason = missing()
        if reason:
            raise ClusterError(reason)
        self.process = subprocess.Popen(
            ["unshare", "--pid", "--net", "--mount", "--uts", "--fork", "--kill-child", "--mount-proc",
             sys.executable, "-B", os.path.abspath(__file__)] + self.words,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        line = self.process.stdout.readline().decode()
        if line != "ready\n":
            self.down()
            raise ClusterError(f"could not be built: {line.strip()}")
        return self

    def keep(self):
        self.process.stdin.write(b"keep\n")
        self.process.stdin.flush()

    def down(self):
        down(self.name)
        if self.process:
            self.process.stdin.close()
            self.process.wait()

    __enter__ = up

    def __exit__(self, *_):
        self.down()


def down(name):
    begin = time.monotonic()
    while pids := holders(name):
        patient = time.monotonic() - begin < UP_MOST_S / 10
        for pid in pids:
            try:
                os.kill(pid, signal.SIGTERM if patient else signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.02)


def holder(name):
    found = holders(name)
    if not found:
        raise ClusterError("nothing is up")
    return found[0]


def enter(name, *words):
    """The words that start a command in the cluster's control namespace."""
    return ["nsenter", "--target", str(holder(name)), "--net", "--pid", "--mount", "--uts", *words]


def mpirun_words(name, arguments):
    settings = {"plm_rsh_agent": f"{STATE}/rsh", "plm_rsh_no_tree_spawn": 1, "orte_keep_fqdn_hostnames": 1,
                "orte_tmpdir_base": STATE, "oob_tcp_if_include": f"{CONTROL}.0/24",
                "btl_tcp_if_include": f"{NETWORK}.0/24", "opal_event_include": "epoll", "pml": "ob1",
                "btl": "tcp,self", "mpi_yield_when_idle": 1, "hwloc_base_binding_policy": "none",
                "rmaps_base_mapping_policy": "node:OVERSUBSCRIBE"}
    words = ["env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"]
    words += [f"OMPI_MCA_{key}={value}" for key, value in settings.items()]
    # Ranks sleep while they wait, so that they may have priority over the rest of a busy machine.
    words += ["chrt", "-r", "10", "mpirun", "--hostfile", f"{STATE}/hostfile", "-x", f"LD_PRELOAD={STATE}/idle.so"]
    return enter(name, *words, *arguments)


def at_words(name, host, arguments):
    pids = read(f"/proc/{holder(name)}/root{STATE}/pids").split()
    if not host.isdigit() or not 1 <= int(host) <= len(pids):
        raise ClusterError(f"there is no host '{host}': 1 to {len(pids)}")
    pid = pids[int(host) - 1].decode()
    return enter(name, "nsenter", f"--net=/proc/{pid}/ns/net", f"--uts=/proc/{pid}/ns/uts", *arguments)


def counts(name):
    """Frames that the switch passed and lost, and how late they left."""
    log = f"/proc/{holder(name)}/root{STATE}/relay.log"
    lines = read(log).count(b"\n")
    subprocess.run(enter(name, "pkill", "-USR1", "-x", "relay"), check=True)
    end = time.monotonic() + UP_MOST_S
    while read(log).count(b"\n") == lines and time.monotonic() < end:
        time.sleep(0.01)
    words = read(log).decode().split("\n")[-2].split()
    return {key: float(value) for key, value in zip(words[::2], words[1::2])}


def status(name):
    if not holders(name):
        return "nothing is up"
    what = read(f"/proc/{holder(name)}/root{STATE}/what").decode().strip()
    return what + "; " + ", ".join(f"{key} {value:.10g}" for key, value in counts(name).items())


# ---- The command line ----

def arguments():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--name", default="mpiskel")
    parser.add_argument("--limit", type=int, default=262144)
    parser.add_argument("--mtu", type=int, default=1500)
    parser.add_argument("--slots", type=int, default=1)
    parser.add_argument("verb", choices=("up", "run", "mpirun", "at", "status", "down", "with", "hold"))
    parser.add_argument("words", nargs=argparse.REMAINDER)
    return parser.parse_args()


def described(options):
    if len(options.words) < 3 or not options.words[0].isdigit():
        raise ClusterError("HOSTS RATE DELAY, such as 4 10mbit 1ms")
    return Cluster(int(options.words[0]), options.words[1], options.words[2], options.name, options.limit, options.mtu,
                   options.slots)


def do_up(options):
    cluster = described(options).up()
    cluster.keep()
    print(status(options.name))


def do_with(options):
    with described(options):
        return subprocess.call(options.words[3:], env=os.environ | {
            "CLUSTER": f"{sys.executable} -B {os.path.abspath(__file__)} --name {options.name}"})


def execute(words):
    os.execvp(words[0], words)


def do_hold(options):
    options.hosts, options.rate, options.delay = int(options.words[0]), options.words[1], options.words[2]
    options.bits_per_s, options.delay_s = bits_per_s(options.rate), seconds(options.delay)
    hold(options)


def main():
    options = arguments()
    words = options.words
    verbs = {
        "up": lambda: do_up(options),
        "with": lambda: do_with(options),
        "hold": lambda: do_hold(options),
        "down": lambda: down(options.name),
        "status": lambda: print(status(options.name)),
        "run": lambda: execute(mpirun_words(options.name, ["-np", *words])),
        "mpirun": lambda: execute(mpirun_words(options.name, words)),
        "at": lambda: execute(at_words(options.name, words[0] if words else "", words[1:])),
    }
    try:
        return verbs[options.verb]() or 0
    except ClusterError as error:
        print(f"cluster: error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
