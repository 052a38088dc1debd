# SPDX-License-Identifier: Apache-2.0
"""A Slurm of our own on loopback: one slurmctld, two slurmd, all in one directory.

No service, no cgroup, no accounting; ports that were free, and a munge with a key of its own, or
anybody on this machine could have jobs run as us. The ports are open on loopback only if the host's
name is that of loopback, since Slurm binds to what the name resolves to. Whatever it starts ends with
this process: daemons are told so by the kernel, and orphans of killed ones become our children."""
import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time

from processes import processes

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
NODES = ("n1", "n2")

CONFIGURATION = """
ClusterName=mpiskel-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={directory}/munge/socket
CredType=cred/munge
{binding}
SlurmctldPort={ports[0]}
StateSaveLocation={directory}/state
SlurmdSpoolDir={directory}/spool-%n
SlurmctldPidFile={directory}/slurmctld.pid
SlurmdPidFile={directory}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
ReturnToService=2
SlurmdParameters=config_overrides
PropagateResourceLimits=NONE
KillWait=1
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs={cpus}
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs={cpus}
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def binding(host):
    try:
        is_loopback = socket.gethostbyname(host) == "127.0.0.1"
    except OSError:
        is_loopback = False
    return "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny" if is_loopback else ""


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def descendants():
    """All that we started, directly or not."""
    known = {pid: (parent, words) for pid, parent, words in processes()}
    found = {os.getpid()}
    while True:
        more = {pid for pid, (parent, _) in known.items() if parent in found} - found
        if not more:
            found.discard(os.getpid())
            return [(pid, *known[pid]) for pid in found]
        found |= more


class Cluster:
    def __init__(self, directory, cpus_per_node=2):
        for program in ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"):
            if shutil.which(program) is None:
                raise RuntimeError(f"{program} is missing: scripts/install-packages --developer gets it")
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        self.directory = directory
        self.daemons = {}
        os.makedirs(os.path.join(directory, "state"))
        host = socket.gethostname().split(".")[0]
        with open(os.path.join(directory, "cgroup.conf"), "w", encoding="utf-8") as file:
            file.write("CgroupPlugin=cgroup/v1\n")  # or slurmd looks for one, and ends if there is none
        path = os.path.join(directory, "slurm.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(CONFIGURATION.format(
                directory=directory, host=host, binding=binding(host),
                user=pwd.getpwuid(os.getuid()).pw_name, ports=free_ports(3), cpus=cpus_per_node))
        self.environment = dict(os.environ, SLURM_CONF=path)
        self.start_munge()
        self.start("slurmctld", "slurmctld", "-D")
        for node in NODES:
            self.start(node, "slurmd", "-D", "-N", node)

    def start_munge(self):
        """--force: /tmp is writable for all, but our directory in it is not."""
        where = os.path.join(self.directory, "munge")
        os.mkdir(where)
        with open(os.open(os.path.join(where, "key"), os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(128))
        files = {"key-file": "key", "socket": "socket", "pid-file": "pid", "log-file": "log",
                 "seed-file": "seed"}
        self.start("munged", "munged", "--foreground", "--force", "--num-threads=2",
                   *(f"--{option}={where}/{name}" for option, name in files.items()))
        self.wait_until(lambda: os.path.exists(os.path.join(where, "socket")), "munged")

    def start(self, name, *command):
        with open(os.path.join(self.directory, name + ".log"), "w", encoding="utf-8") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log,
                                                  stdin=subprocess.DEVNULL, preexec_fn=die_with_parent)

    def ask(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=600)
        return done.stdout if done.returncode == 0 else ""

    def wait_until(self, what, who, seconds=300):
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                raise RuntimeError(f"{who} does not come up:\n{self.logs()}")
            time.sleep(0.05)

    def wait_until_idle(self):
        self.wait_until(lambda: self.ask("sinfo", "-h", "-N", "-o", "%N %T").split() ==
                        ["n1", "idle", "n2", "idle"], "Slurm")

    def logs(self):
        text = ""
        for name in self.daemons:
            with open(os.path.join(self.directory, name + ".log"), encoding="utf-8",
                      errors="replace") as file:
                text += f"--- {name}\n" + "".join(file.readlines()[-20:])
        return text

    def stop(self):
        """Everything goes, also what Slurm or a driver left behind."""
        for _ in range(50):
            left = descendants()
            if not left:
                break
            for pid, _, _ in left:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                while os.waitpid(-1, os.WNOHANG)[0] != 0:
                    pass
            except ChildProcessError:
                pass
            time.sleep(0.02)
