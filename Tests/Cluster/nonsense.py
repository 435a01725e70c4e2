"""Answers that no etcd gives, to one host of a cluster in place of its engine, under a flood."""
import re
import time

from answers import GAPS, KINDS
from flood import Flood, Pulse
from hosts import NAMES, Trouble, until
from imposter import Imposter

SECONDS = 2.5
PATIENCE = 60


class Imposters:
    """One in front of each node for each host."""

    def __init__(self):
        self.of = {name: [] for name in NAMES}

    def __call__(self, host, other, place, address):
        if place != 0:
            return address
        target, port = address.split(":")
        imposter = next((one for one in self.of[host] if one.target == (target, int(port))), None)
        if not imposter:
            imposter = Imposter((target, int(port)))
            self.of[host].append(imposter)
        return imposter.address

    def say(self, host, what):
        for imposter in self.of[host]:
            imposter.says = what

    def count(self, host):
        """Answers to a host: how often nonsense, and how often what its nodes said."""
        return sum(one.lies for one in self.of[host]), sum(one.truths for one in self.of[host])


class Series:
    """All kinds, to one host after the other."""

    def __init__(self, cluster, imposters, pulse, say):
        self.cluster, self.imposters, self.pulse, self.say = cluster, imposters, pulse, say
        self.longest, self.faults = 0, []

    def answer(self, name, who, kind):
        says, words = KINDS[kind]
        log = self.cluster.home / f"{name}.log"
        processes, size, start = self.cluster.processes(), log.stat().st_size, time.monotonic()
        lies, _ = self.imposters.count(name)
        self.imposters.say(name, says)
        time.sleep(SECONDS)
        self.imposters.say(name, None)
        back = self.recover(name, kind)
        lies = self.imposters.count(name)[0] - lies
        said = [line for line in log.read_bytes()[size:].decode(errors="replace").splitlines() if "component=cluster" in line]
        self.say(f"{name} ({who}) is answered {kind}, {lies} times: nothing was accepted for {self.pulse.longest(start):.1f} s; all is well {back:.1f} s "
                 "after it")
        for line in dict.fromkeys(re.sub(r"http://[0-9.:]+", "NODE", line.partition("message=")[2].partition(" missed=")[0]) for line in said):
            self.say(f"    {line}")
        self.faults += [f"{one} of {host} ended at {kind}" for host, one, _ in sorted(processes - self.cluster.processes())]
        # Gaps are complained of once in the life of a process.
        if words not in (log.read_text(errors="replace") if words == GAPS else "\n".join(said)):
            self.faults.append(f"{name} was answered {kind} and did not say '{words}'")

    def recover(self, name, kind):
        """Seconds until its nodes are asked again, and each host accepts."""
        opened, (_, truths) = time.monotonic(), self.imposters.count(name)
        until(lambda: self.imposters.count(name)[1] > truths, PATIENCE, f"{name} asks its engine again after {kind}")
        until(lambda: not self.pulse.silent(opened), PATIENCE, lambda: f"events are accepted at {self.pulse.silent(opened)} after {kind}")
        self.longest = max(self.longest, time.monotonic() - opened)
        return time.monotonic() - opened


def nonsense(cluster, imposters, rate, say):
    cluster.begin()
    with Flood(cluster, "c", rate, 3600) as flood, Pulse(cluster) as pulse:
        series = Series(cluster, imposters, pulse, say)
        for who in ("the owner", "a follower"):
            for kind in KINDS:
                owner = until(cluster.owner, PATIENCE, "an owner of the log")
                name = owner if who == "the owner" else next(other for other in NAMES if other != owner)
                series.answer(name, who, kind)
        flood.stop()
        accepted = pulse.end() + flood.end()
    say(cluster.level(120))
    rows = cluster.compare()
    if series.faults:
        raise Trouble("; ".join(series.faults))
    say(f"{accepted} events were accepted through {len(KINDS)} kinds of nonsense at two hosts; no process ended, none is missing, and {rows} rows are the "
        f"same on all hosts; all was well {series.longest:.1f} s after one at most")
