"""Hosts that share the owning of several partitions of the log."""
import json
import shutil
import subprocess
import threading
import time

from hosts import FORME, NAMES, ROOT, Trouble, until

PATIENCE = 240


def even(cluster, name):
    """The owners, where no host owns two more than another; none until then."""
    owners = cluster.owners(name)
    if not owners or None in owners:
        return None
    counts = [owners.count(one) for one in NAMES]
    return owners if max(counts) - min(counts) < 2 else None


class Beat:
    """One event after the other in many conversations, through one host, and how long each conversation waited at most."""

    CONVERSATIONS = 24

    def __init__(self, cluster, name):
        self.cluster, self.name, self.is_ending = cluster, name, False
        self.waited, self.posted = [0.0] * self.CONVERSATIONS, [0] * self.CONVERSATIONS
        self.threads = [threading.Thread(target=self.run, args=(number,), daemon=True) for number in range(self.CONVERSATIONS)]

    def run(self, number):
        while not self.is_ending:
            took = self.cluster.post(self.name, f"beat{number}", [f"beat {self.posted[number]}"], self.posted[number])
            self.posted[number] += 1
            self.waited[number] = max(self.waited[number], took)
            time.sleep(0.3)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_ending = True
        for thread in self.threads:
            thread.join(60)


def post_together(cluster, name, first, count):
    """One request with events of many conversations, and so of all partitions; every event is accepted, in the order of the request."""
    events = [{"conversation": f"many{place % 17}", "message": f"m{first + place}", "revision": 1, "sender": "ada", "order": first + place,
               "time": 1_700_000_000_000 + place, "body": {"kind": "text", "text": f"{place}"}} for place in range(count)]
    done = cluster.run("post", "--data", cluster.data(name), input="".join(json.dumps(one) + "\n" for one in events), timeout=120)
    if done.returncode or f"posted {count} event" not in done.stdout + done.stderr:
        raise Trouble(f"post through {name}: {done.stdout + done.stderr}")


def partitions(cluster, say):
    owner = cluster.begin()
    say(f"{owner} owns all {cluster.partitions} partitions; posting requests with events of all of them to each host")
    posted = 0
    for name in NAMES:
        post_together(cluster, name, posted, 100)
        posted += 100
    say(cluster.level())
    start = time.monotonic()
    owners = until(lambda: even(cluster, "a"), PATIENCE, lambda: f"hosts own about as many: {cluster.owners('a')}")
    say(f"{time.monotonic() - start:.0f} s later hosts have given each other partitions: {', '.join(owners)} own them")
    for name in NAMES:
        post_together(cluster, name, posted, 100)
        posted += 100
    say(cluster.level())
    asked = {name: sum(one["elsewhere"]["rows_asked"] for one in cluster.status(name)["workers"] if "elsewhere" in one) for name in NAMES}
    if min(asked.values()) < posted / 4:
        raise Trouble(f"hosts have asked the owners for {asked} of {posted} rows")
    say(f"of {posted} rows, {', '.join(f'{name} asked the owners for {count}' for name, count in asked.items())}")
    lost = next(name for name in NAMES if name != "a" and name in owners)
    other = next(name for name in NAMES if name not in ("a", lost))
    with Beat(cluster, "a") as beat:
        time.sleep(2)
        say(f"ending {lost} with all its processes, which owns {owners.count(lost)} of {len(owners)} partitions")
        before = list(beat.waited)
        beat.waited = [0.0] * len(before)
        cluster.kill(lost)
        cluster.lose_node(lost)
        until(lambda: lost not in (cluster.owners("a") or [lost]), 30, "other owners")
        time.sleep(2)
    waits = sorted(beat.waited)
    slow = [one for one in waits if one > 2]
    say(f"of {len(waits)} conversations {len(slow)} waited, {waits[-1]:.1f} s at most; the others {max([0, *(one for one in waits if one <= 2)]):.1f} s")
    if len(slow) == len(waits):
        raise Trouble("the loss of a host stopped all partitions")
    posted += sum(beat.posted)
    say(f"starting {lost} again, without its disk")
    shutil.rmtree(cluster.data(lost))
    cluster.find_node(lost)
    cluster.start(lost)
    until(lambda: cluster.ask(lost), 30, f"{lost} answers")
    say(cluster.level(120))
    owners = until(lambda: even(cluster, "a"), PATIENCE, lambda: f"hosts own about as many: {cluster.owners('a')}")
    say(f"{', '.join(owners)} own the partitions now")
    number = owners.index("a")
    done = cluster.run("cluster", "move", other, "--partition", str(number), "--data", cluster.data(lost))
    if done.returncode or cluster.owners("a")[number] != other:
        raise Trouble(f"partition {number} is to move to {other}: {done.stdout + done.stderr}")
    say(done.stdout.strip())
    post_together(cluster, lost, posted, 100)
    posted += 100
    say(cluster.level())
    rows = cluster.compare()
    if rows != posted:
        raise Trouble(f"{posted} messages were posted, and {rows} rows are there")
    done = cluster.run("cluster", "check", "--data", cluster.data("a"))
    if done.returncode or f"the same {rows} rows" not in done.stdout:
        raise Trouble(f"{rows} rows are the same by their files, and forme cluster check says: {done.stdout + done.stderr}")
    say(done.stdout.strip())
    refused(cluster, lost, say)


def refused(cluster, name, say):
    """A host is not started with another number of partitions."""
    cluster.stop(name)
    asked = cluster.partitions * 2
    done = subprocess.run(
        [FORME, "coordinator", "--data", cluster.data(name), "--cluster", "test", "--host", name, "--hosts",
         ",".join(f"{one}={cluster.addresses[one]}:{cluster.ports[one][2]}" for one in NAMES), "--engine", cluster.kind.address(name),
         "--partitions", str(asked)],
        cwd=ROOT, capture_output=True, text=True, timeout=30)
    if done.returncode == 0 or f"{cluster.partitions} partitions" not in done.stderr:
        raise Trouble(f"{name} was started with {asked} partitions: {done.stdout + done.stderr}")
    say(f"{name} is not started with {asked} partitions: {done.stderr.strip().splitlines()[-1]}")
