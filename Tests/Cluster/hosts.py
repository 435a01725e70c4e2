"""Three hosts of a cluster and the nodes of its engine, as processes of this machine. Nothing here knows more of Forme than its commands say, but for
`rows`, which reads the files of rows."""
import base64
import hashlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Tests/Blackbox"), str(ROOT / "Tests/Ports")]

import ports  # noqa: E402
from service import Trouble, until  # noqa: E402

FORME = os.environ["FORME"]
NAMES = ("a", "b", "c")


def children(process):
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def role(process):
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    return words[1].decode() if len(words) > 1 else ""


def processor_time(processes):
    """Seconds that processes have run, with those of theirs that have ended."""
    ticks = 0
    for one in processes:
        fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


class Etcd:
    """A node for each host."""

    def __init__(self, cluster):
        self.cluster = cluster

    def url(self, name, place):
        return f"http://{self.cluster.addresses[name]}:{self.cluster.ports[name][place]}"

    def address(self, host):
        # Each asks its own node first.
        return ",".join(f"http://{self.cluster.road(host, one, 0)}" for one in NAMES[NAMES.index(host):] + NAMES[:NAMES.index(host)])

    def start(self, name):
        peers = ",".join(f"{one}={self.url(one, 1)}" for one in NAMES)
        return subprocess.Popen(
            ["etcd", "--name", name, "--data-dir", str(self.cluster.engine / name), "--listen-client-urls", self.url(name, 0),
             "--advertise-client-urls", self.url(name, 0), "--listen-peer-urls", self.url(name, 1),
             "--initial-advertise-peer-urls", self.url(name, 1), "--initial-cluster", peers],
            stdout=subprocess.DEVNULL, stderr=open(self.cluster.home / f"node-{name}.log", "a"))

    def end(self, process):
        process.kill()
        process.wait()

    def first(self):
        """The place up to which the log was trimmed."""
        begin, end = (base64.b64encode(f"forme/test/log{one}".encode()).decode() for one in "/0")
        question = json.dumps({"key": begin, "range_end": end, "limit": 1, "keys_only": True}).encode()
        with urllib.request.urlopen(self.url(next(iter(self.cluster.nodes)), 0) + "/v3/kv/range", question) as answer:
            keys = json.load(answer).get("kvs", [])
        return int(base64.b64decode(keys[0]["key"]).decode().rpartition("/")[2], 16) if keys else 0


class Postgres:
    """One server for all hosts, that of the first; a manager of standbys is not what is tried here."""

    def __init__(self, cluster):
        self.cluster, self.port = cluster, cluster.ports[NAMES[0]][0]
        self.programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        # It refuses to run as root: then it is the user that Debian made for it.
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        if self.user:
            shutil.chown(cluster.engine, "postgres")
        words = ["initdb", "-D", str(cluster.engine / "data"), "-A", "trust", "-U", "forme", "-E", "UTF8", "--locale=C", "--no-sync"]
        subprocess.run([*self.user, str(self.programs / words[0]), *words[1:]], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def address(self, host):
        return f"postgresql://forme@127.0.0.1:{self.port}/postgres"

    def start(self, name):
        if name != NAMES[0]:
            return None
        return subprocess.Popen(
            [*self.user, str(self.programs / "postgres"), "-D", str(self.cluster.engine / "data"), "-p", str(self.port), "-c",
             "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="],
            cwd="/", stdout=subprocess.DEVNULL, stderr=open(self.cluster.home / "server.log", "a"))

    def end(self, process):
        # At once, with its connections and without a checkpoint.
        process.send_signal(signal.SIGQUIT)
        process.wait()

    def first(self):
        said = subprocess.run(
            ["psql", self.address(NAMES[0]), "-Atc", "SELECT trimmed FROM forme_log WHERE cluster = 'test'"], capture_output=True, text=True)
        return int(said.stdout.strip() or 0)


class Cluster:
    """
    - between: called with a host, another one, a place among its ports and its address; gives the address of what stands between them.
    """

    def __init__(self, engine=Etcd, between=None, partitions=1):
        self.partitions = partitions
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        # What a killed process has written stays either way; a busy disk would be what is measured.
        self.home = Path(tempfile.mkdtemp(prefix="forme-cluster-"))
        self.engine = Path(tempfile.mkdtemp(prefix="forme-cluster-", dir=memory))
        self.addresses = {name: f"127.0.0.{number + 1}" for number, name in enumerate(NAMES)}
        self.ports = {name: [ports.port() for _ in range(3)] for name in self.addresses}
        self.nodes, self.hosts, self.between = {}, {}, between
        # Of hosts that are started from now on.
        self.environment = {}
        self.kind = engine(self)

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        for process in self.hosts.values():
            process.send_signal(signal.SIGTERM)
        for process in self.hosts.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                self.end(process)
        for process in self.nodes.values():
            self.kind.end(process)
        if kind:
            self.keep_logs()
        shutil.rmtree(self.home)
        shutil.rmtree(self.engine)

    def keep_logs(self):
        folder = tempfile.mkdtemp(prefix="forme-cluster-logs-")
        for log in self.home.glob("*.log"):
            shutil.copy(log, folder)
        print(f"logs of hosts and nodes are kept in {folder}", flush=True)

    @staticmethod
    def end(process):
        """With all that it has started."""
        for one in [*children(process.pid), process.pid]:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()

    def start_node(self, name):
        """A node of the engine, if this host has one."""
        process = self.kind.start(name)
        if process:
            self.nodes[name] = process

    def lose_node(self, name):
        """Its node is gone with it; an engine of a single server comes back at once, as it would never answer else."""
        self.kill_node(name)
        if not self.nodes:
            self.start_node(name)

    def find_node(self, name):
        if name not in self.nodes:
            self.start_node(name)

    def kill_node(self, name):
        if name in self.nodes:
            self.kind.end(self.nodes.pop(name))

    def data(self, name):
        return str(self.home / name)

    def road(self, host, other, place):
        """Address at which a host calls another one (2), or the node of the engine beside one (0)."""
        address = f"{self.addresses[other]}:{self.ports[other][place]}"
        return self.between(host, other, place, address) if self.between else address

    def start(self, name):
        # Its own address is where it listens.
        hosts = ",".join(f"{one}={self.addresses[one]}:{self.ports[one][2]}" if one == name else f"{one}={self.road(name, one, 2)}" for one in NAMES)
        self.hosts[name] = subprocess.Popen(
            [FORME, "serve", "--data", self.data(name), "--workers", "1", "--cluster", "test", "--host", name, "--hosts", hosts,
             "--engine", self.kind.address(name), *([] if self.partitions == 1 else ["--partitions", str(self.partitions)])],
            cwd=ROOT, env={**os.environ, **self.environment}, stdout=subprocess.DEVNULL, stderr=open(self.home / f"{name}.log", "a"))

    def kill(self, name):
        """All processes of a host, at once."""
        self.end(self.hosts.pop(name))

    def stop(self, name):
        """As a service manager does."""
        process = self.hosts.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(30)

    def process(self, name, of):
        return next((one for one in children(self.hosts[name].pid) if role(one) == of), None)

    def processes(self):
        """Those that are to stay: of each its host, its role and its id."""
        ids = [(name, one) for name, host in self.hosts.items() for one in [host.pid, *children(host.pid)]]
        return {(name, role(one), one) for name, one in ids if role(one) in ("serve", "coordinator", "worker", "gateway")}

    def run(self, *words, **more):
        return subprocess.run([FORME, *words], cwd=ROOT, capture_output=True, text=True, **more)

    def ask(self, name):
        """How a host stands; nil where it does not answer."""
        try:
            said = self.run("cluster", "status", "--json", "--data", self.data(name), timeout=5)
        except subprocess.TimeoutExpired:
            return None
        return json.loads(said.stdout) if said.returncode == 0 else None

    def times(self):
        """Processor time of each host so far, in seconds, and of the engine."""
        hosts = {name: processor_time([one.pid, *children(one.pid)]) for name, one in self.hosts.items()}
        return hosts, sum(processor_time([one.pid, *children(one.pid)]) for one in self.nodes.values())

    def entries(self, name):
        return self.ask(name)["entries"]

    def owner(self):
        for name in self.hosts:
            standing = self.ask(name)
            if standing and standing["standing"] == "owning":
                return name
        return None

    def owners(self, name):
        """The owner of each partition, as a host sees it; none where it does not answer."""
        standing = self.ask(name) or {}
        return [part.get("owner") for part in standing.get("partitions", [])]

    def begin(self):
        for name in NAMES:
            self.start_node(name)
        for name in NAMES:
            self.start(name)
        until(lambda: all((self.ask(name) or {}).get("standing") == "stopped" for name in NAMES), 60, "hosts that wait for a log")
        done = self.run("cluster", "init", "--data", self.data("a"))
        if done.returncode:
            raise Trouble(done.stderr)
        return until(self.owner, 60, "an owner of the log")

    def post(self, name, conversation, texts, first):
        """Through one host, and how long it took."""
        start = time.monotonic()
        self.posted(name, conversation, texts, first)
        return time.monotonic() - start

    def posted(self, name, conversation, texts, first):
        """How many of these messages were new."""
        events = "".join(json.dumps({
            "conversation": conversation, "message": f"m{first + place}", "revision": 1, "sender": "ada", "order": first + place,
            "time": 1_700_000_000_000 + (first + place) * 40_000, "body": {"kind": "text", "text": text}}) + "\n"
            for place, text in enumerate(texts))
        done = self.run("post", "--data", self.data(name), input=events, timeout=120)
        if done.returncode:
            raise Trouble(f"post through {name}: {done.stderr}")
        return int(re.search(r"posted (\d+) event", done.stdout + done.stderr)[1])

    def trimmed(self):
        """Waits until the log has not the beginning any more: records that every host which is heard has go, those of a host that is not after a minute."""
        until(lambda: self.kind.first() > 0, 90, "a log that is trimmed")

    def took_over(self, name):
        return "goes on with a copy" in (self.home / f"{name}.log").read_text()

    def level(self, seconds=60):
        """Waits until all have the same log, and everything is laid out."""
        name = next(iter(self.hosts))
        done = self.run("cluster", "check", "--log", "--within", str(seconds), "--data", self.data(name))
        if done.returncode:
            raise Trouble(done.stderr.strip())
        for name in self.hosts:
            until(lambda: self.undone(name) == 0, seconds, lambda: f"{name} has laid out everything: {self.undone(name)} undone")
        return done.stdout.strip()

    def status(self, name):
        said = self.run("status", "--json", "--data", self.data(name))
        return json.loads(said.stdout)["status"] if said.returncode == 0 else None

    def undone(self, name):
        """Nil where it does not answer, or has no edition yet."""
        status = self.status(name)
        editions = status and status["editions"]
        return sum(one["undone"] + one["shards_to_walk"] for one in editions) if editions else None

    def rows(self, name):
        """Every row of a host: by number, a digest of its layouts. Where journals have several logs, hosts number messages differently, and jobs
        are what they have in common."""
        rows = {}
        for file in sorted(Path(self.data(name)).glob("shards/*/*.db")):
            with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as tables:
                for number, job, layout, measured in tables.execute("SELECT number, job, layout, measured FROM rows"):
                    rows[number if self.partitions == 1 else (file.name, job)] = (job, hashlib.sha256(layout + (measured or b"")).hexdigest())
        return rows

    def spoil(self, name):
        """One byte more in one row of a host, and nothing that says so."""
        for file in sorted(Path(self.data(name)).glob("shards/*/*.db")):
            with sqlite3.connect(file) as tables:
                if tables.execute("UPDATE rows SET layout = layout || x'00' WHERE number = (SELECT min(number) FROM rows)").rowcount:
                    return
        raise Trouble(f"{name} has no rows")

    def compare(self):
        """All rows of all hosts, byte for byte."""
        name, *others = self.hosts
        own = self.rows(name)
        for other in others:
            found = self.rows(other)
            if found != own:
                raise Trouble(f"rows differ between {name} and {other}: {difference(own, found)}")
        return len(own)


def difference(own, found):
    """What kinds of rows differ, how many of each, and the first of them."""
    both = own.keys() & found.keys()
    kinds = {
        "of the second alone": found.keys() - own.keys(),
        "of the first alone": own.keys() - found.keys(),
        "of other jobs": {number for number in both if own[number][0] != found[number][0]},
        "with other bytes": {number for number in both if own[number][0] == found[number][0] and own[number][1] != found[number][1]},
    }
    return ", ".join(f"{len(some)} {kind} (such as {sorted(some)[:3]})" for kind, some in kinds.items() if some)
