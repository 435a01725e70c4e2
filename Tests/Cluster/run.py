"""A cluster of three hosts: shown, or tried. See deploy/cluster."""
import argparse
import json
import random
import shutil
import signal
import sys
import time
from os import kill

from cuts import Wires, cuts
from flood import Flood
from hosts import NAMES, Cluster, Etcd, Postgres, Trouble, children, until
from nonsense import Imposters, nonsense


def say(*words):
    print(*words, flush=True)


def show(cluster):
    """What a person sees who tries it."""
    say("starting the engine and three hosts, each with a folder of its own")
    owner = cluster.begin()
    say(f"{owner} owns the log; posting to each of them")
    posted = 0
    for name in NAMES:
        cluster.post(name, "hello", [f"posted at {name}", f"once more at {name}"], posted)
        posted += 2
    say(cluster.level())
    owner, posted = handed_over(cluster, owner, posted)
    say(cluster.level())
    say(f"ending {owner} with all its processes, and its node of the engine")
    cluster.kill(owner)
    cluster.lose_node(owner)
    other = next(name for name in NAMES if name != owner)
    pause = cluster.post(other, "hello", ["while a host was gone"], posted)
    posted += 1
    say(f"accepted again after {pause:.1f} s; {cluster.owner()} owns the log")
    say(f"starting {owner} again")
    cluster.find_node(owner)
    cluster.start(owner)
    until(lambda: cluster.ask(owner), 30, f"{owner} answers")
    say(cluster.level())
    cluster.trimmed()
    say(f"{owner} loses its disk, and the log has forgotten what all of them had")
    cluster.kill(owner)
    shutil.rmtree(cluster.data(owner))
    cluster.post(other, "hello", ["after a disk was lost"], posted)
    posted += 1
    cluster.start(owner)
    until(lambda: cluster.took_over(owner), 60, f"{owner} takes over a copy of another host's journal")
    say(f"{owner} has a copy of the journal of another host")
    say(cluster.level())
    say(f"{owner} is given a backup of {other}")
    cluster.kill(owner)
    copy = str(cluster.home / "copy.backup")
    for words in (["backup", cluster.data(other), copy], ["restore", copy, cluster.data(owner)]):
        done = cluster.run(*words)
        if done.returncode:
            raise Trouble(done.stderr)
    cluster.post(other, "hello", ["behind the backup"], posted)
    posted += 1
    cluster.start(owner)
    until(lambda: cluster.ask(owner), 30, f"{owner} answers")
    say(cluster.level())
    rows = cluster.compare()
    if rows != posted:
        raise Trouble(f"{posted} messages were posted, and {rows} rows are there")
    done = cluster.run("cluster", "check", "--data", cluster.data(owner))
    if done.returncode or f"the same {rows} rows" not in done.stdout:
        raise Trouble(f"{rows} rows are the same by their files, and forme cluster check says: {done.stdout + done.stderr}")
    say(done.stdout.strip())
    cluster.spoil(other)
    done = cluster.run("cluster", "check", "--within", "4", "--data", cluster.data(owner))
    if done.returncode != 1 or "has other rows than" not in done.stderr:
        raise Trouble(f"a byte was added to a row of {other}, and forme cluster check says: {done.stdout + done.stderr}")
    say(f"a byte was added to a row of {other}: {done.stderr.strip().removeprefix('forme: ')}")


def handed_over(cluster, owner, posted):
    """The log changes its owner without a silence: as an operator wants it, and because the owner is stopped."""
    first, second = (name for name in NAMES if name != owner)
    start = time.monotonic()
    done = cluster.run("cluster", "move", first, "--data", cluster.data(second))
    if done.returncode or until(cluster.owner, 30, "an owner of the log") != first:
        raise Trouble(f"the log is to move to {first}: {done.stderr}")
    say(f"{second} was asked to have {first} own the log: it does after {time.monotonic() - start:.1f} s")
    cluster.stop(first)
    pause = cluster.post(second, "hello", ["while the owner was stopped"], posted)
    heir = until(cluster.owner, 30, "an owner of the log")
    if pause > 1.5:
        raise Trouble(f"after {first} was stopped, events were accepted again after {pause:.1f} s, and {heir} owns the log")
    say(f"{first} was stopped as for an upgrade: {heir} owns the log, and an event was accepted {pause * 1000:.0f} ms later")
    cluster.start(first)
    until(lambda: cluster.ask(first), 30, f"{first} answers")
    return heir, posted + 1


class Mishaps:
    """Things that happen to a cluster, until they are told to end. The host that is flooded keeps its gateway, as the flood asks it."""

    def __init__(self, cluster, flooded, seed):
        self.cluster, self.flooded, self.random = cluster, flooded, random.Random(seed)
        self.counts = {}

    def happen(self):
        kinds = [self.host, self.coordinator, self.worker, self.node, self.pause, self.hang, self.owner, self.disk]
        kind = self.random.choice(kinds)
        kind()
        self.counts[kind.__name__] = self.counts.get(kind.__name__, 0) + 1

    def others(self):
        return [name for name in self.cluster.hosts if name != self.flooded]

    def host(self):
        name = self.random.choice(self.others())
        self.cluster.kill(name)
        time.sleep(self.random.uniform(0, 4))
        self.cluster.start(name)

    def owner(self):
        """Its coordinator, whichever host it is."""
        name = self.cluster.owner()
        if name:
            self.end(name, "coordinator")

    def coordinator(self):
        self.end(self.random.choice(NAMES), "coordinator")

    def worker(self):
        self.end(self.random.choice(NAMES), "worker")

    def end(self, name, what):
        process = self.cluster.process(name, what)
        if process:
            kill(process, signal.SIGKILL)

    def pause(self):
        process = self.cluster.process(self.random.choice(NAMES), "coordinator")
        if process:
            kill(process, signal.SIGSTOP)
            time.sleep(self.random.uniform(1, 6))
            kill(process, signal.SIGCONT)

    def hang(self):
        """A node of the engine."""
        node = self.random.choice(list(self.cluster.nodes.values())).pid
        stopped = [node, *children(node)]
        for process in stopped:
            kill(process, signal.SIGSTOP)
        time.sleep(self.random.uniform(1, 6))
        for process in stopped:
            kill(process, signal.SIGCONT)

    def disk(self):
        """A host comes back with nothing, and copies the journal of another where the log has forgotten its beginning."""
        name = self.random.choice(self.others())
        self.cluster.kill(name)
        shutil.rmtree(self.cluster.data(name))
        self.cluster.start(name)

    def node(self):
        name = self.random.choice(NAMES)
        self.cluster.kill_node(name)
        time.sleep(self.random.uniform(0, 4))
        self.cluster.start_node(name)


def pauses(cluster, times):
    """How long nothing is accepted when the host that owns the log is killed, with its node of the engine every other time."""
    cluster.begin()
    took, posted = [], 0
    for number in range(times):
        owner = until(cluster.owner, 30, "an owner of the log")
        other = next(name for name in NAMES if name != owner)
        cluster.kill(owner)
        if number % 2:
            cluster.lose_node(owner)
        took.append(cluster.post(other, "pauses", [f"number {number}"], posted))
        posted += 1
        if number % 2:
            cluster.find_node(owner)
        cluster.start(owner)
        until(lambda: cluster.ask(owner), 30, f"{owner} answers")
        cluster.level()
    took.sort()
    say(f"{times} times the host that owns the log was killed: events were accepted again after {took[len(took) // 2]:.1f} s (median), "
        f"{took[int(len(took) * 0.95)]:.1f} s (95th percentile), {took[-1]:.1f} s at most")
    rows = cluster.compare()
    if rows != posted:
        raise Trouble(f"{posted} messages were posted, and {rows} rows are there")


def latency(cluster, rate):
    """How long an event takes until it is accepted, and until its row can be read there, at the host that owns the log and at another one; and
    what processor time it takes on all hosts."""
    owner = cluster.begin()
    other = next(name for name in NAMES if name != owner)
    for name, place in ((owner, "at the owner"), (other, "at another host")):
        (before, engine), entries = cluster.times(), cluster.entries(owner)
        done = cluster.run("flood", "--data", cluster.data(name), "--rate", str(rate), "--duration", "10", "--warm-up", "3", "--busy", "retry", "--json")
        if done.returncode:
            raise Trouble(done.stdout + done.stderr)
        report = json.loads(done.stdout)
        times = {what: report["latencies"][key] for what, key in (("accepted", "ack"), ("readable", "ready"))}
        said = "; ".join(f"{what} after {one['p50']:.1f} ms (median), {one['p99']:.1f} ms (99th percentile)" for what, one in times.items())
        say(f"{report['acceptedRate']:.0f} events a second posted {place}: {said}")
        cluster.level()
        (after, engine_after), entries = cluster.times(), cluster.entries(owner) - entries
        spent = {one: round((after[one] - before[one]) / entries * 1e6) for one in after}
        others = ", ".join(f"{spent[one]}" for one in spent if one != owner)
        say(f"  processor time of each of {entries} events: {sum(spent.values())} µs, {spent[owner]} at the owner and {others} at the others; "
            f"{round((engine_after - engine) / entries * 1e6)} in the engine")


def shared(cluster):
    """Rows come from the host that owns the log. One that gives wrong ones is found out, and what it gave is made again."""
    owner = cluster.begin()

    def flood():
        done = cluster.run("flood", "--data", cluster.data(owner), "--rate", "400", "--duration", "6", "--busy", "retry", "--json")
        if done.returncode:
            raise Trouble(done.stdout + done.stderr)
        cluster.level()

    flood()
    others = [name for name in NAMES if name != owner]
    status = {name: until(lambda: cluster.status(name), 30, f"{name} answers") for name in others}
    asked = {name: sum(one["elsewhere"]["rows_asked"] for one in status[name]["workers"] if "elsewhere" in one) for name in others}
    rows = cluster.compare()
    if min(asked.values()) < rows / 2:
        raise Trouble(f"hosts have asked for {asked} of {rows} rows")
    say(f"of {rows} rows, {' and '.join(f'{name} asked {owner} for {count}' for name, count in asked.items())}; they are the same on all hosts")
    say("starting all hosts again, each of which gives one wrong row of ten now")
    for name in NAMES:
        cluster.kill(name)
    cluster.environment = {"FORME_TEST_WRONG_ROWS": "10"}
    for name in NAMES:
        cluster.start(name)
    owner = until(cluster.owner, 60, "an owner of the log")
    flood()

    def is_found_out(name):
        status = cluster.status(name)
        return status and any(one["machine"] == f"host {owner}" for one in status["turned_away"])

    for name in NAMES:
        if name != owner:
            until(lambda: is_found_out(name), 10, f"{name} finds out that {owner} gives wrong rows")
    rows = until(lambda: equal(cluster), 60, "rows that are the same")
    say(f"the others found out that {owner} gives wrong rows, and made again what they had of it: {rows} rows are the same on all hosts")


def equal(cluster):
    """Number of rows; nil while they differ."""
    try:
        return cluster.compare()
    except Trouble:
        return None


def deleted(cluster):
    """Where words of a message are that was deleted: in no file of a host or of the engine, two minutes later."""
    cluster.begin()
    marker = "".join(random.choices("bcdfghjklmnp", k=24))
    cluster.post("b", "gone", [marker], 0)
    cluster.level()

    def places():
        return [str(file) for folder in (cluster.home, cluster.engine) for file in folder.rglob("*") if file.is_file() and marker.encode() in file.read_bytes()]

    before = places()
    if any(str(cluster.engine) in place for place in before):
        raise Trouble(f"the engine has words in the clear: {before}")
    if len({place.removeprefix(str(cluster.home))[1] for place in before}) < len(NAMES):
        raise Trouble(f"words of a message should be at every host before it is deleted: {before}")
    start = time.monotonic()
    gone = json.dumps({"conversation": "gone", "message": "m0", "revision": 2, "deleted": True})
    done = cluster.run("post", "--data", cluster.data("c"), input=gone)
    if done.returncode:
        raise Trouble(done.stderr)
    until(lambda: not places(), 120, lambda: f"words of a deleted message are gone: {places()}")
    say(f"words of a deleted message were in no file of three hosts and three nodes any more after {time.monotonic() - start:.0f} s")


def chaos(cluster, seconds, seed, rate):
    say(f"seed {seed}")
    cluster.begin()
    flooded = "c"
    with Flood(cluster, flooded, rate, seconds) as flood:
        mishaps = Mishaps(cluster, flooded, seed)
        end = time.monotonic() + seconds
        while time.monotonic() < end and flood.is_going_on:
            time.sleep(mishaps.random.uniform(0.2, 3))
            mishaps.happen()
        accepted = flood.end()
    say(cluster.level(120))
    rows = cluster.compare()
    happened = ", ".join(f"{count} × {name}" for name, count in sorted(mishaps.counts.items()))
    say(f"{accepted} events were accepted while this happened: {happened}; none is missing, and {rows} rows are the same on all hosts")


def main():
    parser = argparse.ArgumentParser(prog="deploy/cluster", description=__doc__)
    parser.add_argument("--chaos", type=int, metavar="SECONDS")
    parser.add_argument("--pauses", type=int, metavar="N")
    parser.add_argument("--cuts", type=int, metavar="N")
    parser.add_argument("--nonsense", action="store_true")
    parser.add_argument("--latency", action="store_true")
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--deleted", action="store_true")
    parser.add_argument("--shared", action="store_true")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--rate", type=int, default=300)
    words = parser.parse_args()
    between = Wires() if words.cuts else Imposters() if words.nonsense else None
    with Cluster(Postgres if words.postgres else Etcd, between) as cluster:
        try:
            if words.chaos:
                chaos(cluster, words.chaos, words.seed, words.rate)
            elif words.cuts:
                cuts(cluster, between, words.cuts, words.seed, words.rate, say)
            elif words.nonsense:
                nonsense(cluster, between, words.rate, say)
            elif words.latency:
                latency(cluster, words.rate)
            elif words.deleted:
                deleted(cluster)
            elif words.shared:
                shared(cluster)
            elif words.pauses:
                pauses(cluster, words.pauses)
            else:
                show(cluster)
        except Trouble as trouble:
            for name in NAMES:
                log = cluster.home / f"{name}.log"
                if log.exists():
                    say(f"--- the end of the log of {name}\n" + "".join(log.read_text().splitlines(True)[-12:]))
            sys.exit(f"cluster: {trouble}")


main()
