"""Cuts of the network between hosts of a cluster, and between hosts and nodes of its engine, under a flood."""
import random
import time

from flood import Flood, Pulse
from hosts import NAMES, Trouble, until
from link import CUT, ONLY_BACK, ONLY_FORTH, OPEN, RESET, SLOW
from proxy import Network

ENGINE, HOST = 0, 2  # places of ports
# Patience for what should take a few seconds, on a machine that has other work.
PATIENCE = 60


class Wires:
    """The network between all ends of a cluster, with a link of its own for each direction of calls."""

    def __init__(self):
        self.network, self.links = Network(), {}

    def __call__(self, host, other, place, address):
        if (host, other, place) not in self.links:
            target, port = address.split(":")
            self.links[host, other, place] = self.network.link((target, int(port)))
        return self.links[host, other, place].address

    def around(self, host, places):
        """Links of a host, of which it calls on some and is called on others."""
        near = [(way, link) for way, link in self.links.items() if way[2] in places]
        return [link for way, link in near if way[0] == host], [link for way, link in near if way[1] == host and way[2] == HOST]

    def open(self):
        self.network.tell(self.links.values(), OPEN)


# What a host is cut from, and how: a rule for links on which it calls, and one for those on which it is called.
WHAT = [
    ("the owner", "the engine", (ENGINE,)), ("the owner", "the other hosts", (HOST,)), ("a follower", "the engine", (ENGINE,)),
    ("a host", "everything but its clients", (ENGINE, HOST)),
]
HOW = [
    ("is cut from", CUT, CUT), ("hears nothing of", ONLY_FORTH, ONLY_BACK), ("is not heard by", ONLY_BACK, ONLY_FORTH),
    ("has slow lines to", SLOW, SLOW), ("has connections reset to", RESET, RESET),
]


class Cuts:
    """Cuts one after the other, all kinds of them before one comes again."""

    def __init__(self, cluster, wires, pulse, flooded, seed):
        self.cluster, self.wires, self.pulse, self.flooded, self.random = cluster, wires, pulse, flooded, random.Random(seed)
        self.kinds, self.pauses, self.changes, self.ended = [], [], 0, []

    def draw(self):
        if not self.kinds:
            self.kinds = [(what, how) for what in WHAT for how in HOW]
            self.random.shuffle(self.kinds)
        # Half of them outlast the silence after which another host claims.
        seconds = self.random.uniform(1, 3) if self.random.random() < 0.5 else self.random.uniform(3.5, 8)
        return *self.kinds.pop(), self.random.choice(NAMES), seconds

    def happen(self):
        (who, whom, places), (verb, calling, called), name, seconds = self.draw()
        owner = until(self.cluster.owner, PATIENCE, "an owner of the log")
        if who == "the owner":
            name = owner
        elif who == "a follower" and name == owner:
            name = next(other for other in NAMES if other != owner)
        start, processes = time.monotonic(), self.cluster.processes()
        own, others = self.wires.around(name, places)
        self.wires.network.tell(own, calling)
        self.wires.network.tell(others, called)
        time.sleep(seconds)
        self.wires.open()
        back = self.recover()
        after = until(self.cluster.owner, PATIENCE, "an owner of the log")
        anywhere, flooded = self.pulse.longest(start), self.pulse.longest(start, [self.flooded])
        self.pauses.append((anywhere, back))
        until(self.pulse.is_calm, PATIENCE, "what has waited is accepted")
        self.changes += after != owner
        what = f"{name} ({who}) {verb} {whom}"
        self.ended += [f"{role} of {host} ended when {what}" for host, role, _ in sorted(processes - self.cluster.processes())]
        return (f"{what} for {seconds:.1f} s: {owner} owned the log, and {after} does; nothing was accepted for {anywhere:.1f} s, "
                f"at {self.flooded} for {flooded:.1f} s; everywhere again {back:.1f} s after the end")

    def recover(self):
        """Seconds until each host accepts again."""
        opened = time.monotonic()
        until(lambda: not self.pulse.silent(opened), PATIENCE, lambda: f"events are accepted at {self.pulse.silent(opened)}")
        return time.monotonic() - opened


def deposed(cluster, wires):
    """The owner appends and is not answered, another host claims, and the owner finds both records at once, before a producer asks it. It owns the
    log no more: what it appended now would be nobody's, and the others would throw their journals away."""
    owner = until(cluster.owner, PATIENCE, "an owner of the log")
    cluster.post(owner, "deposed", ["before"], 0)
    cluster.level()
    processes = cluster.processes()
    wires.network.tell(wires.around(owner, (ENGINE,))[0], ONLY_FORTH)
    others = [name for name in NAMES if name != owner]
    until(lambda: any((cluster.ask(name) or {}).get("standing") == "owning" for name in others), PATIENCE, "another owner of the log")
    wires.open()
    cluster.post(owner, "deposed", ["behind the claim"], 1)
    time.sleep(2)
    cluster.level()
    return [f"{role} of {host} ended when {owner} was deposed without an answer" for host, role, _ in sorted(processes - cluster.processes())]


def cuts(cluster, wires, times, seed, rate, say):
    say(f"seed {seed}")
    cluster.begin()
    ended = deposed(cluster, wires)
    flooded = "c"
    with Flood(cluster, flooded, rate, times * 2 * PATIENCE) as flood, Pulse(cluster) as pulse:
        series = Cuts(cluster, wires, pulse, flooded, seed)
        for number in range(times):
            time.sleep(series.random.uniform(0.5, 2))
            say(f"{number + 1:3} {series.happen()}")
        flood.stop()
        accepted = pulse.end() + flood.end()
    say(cluster.level(120))
    rows = cluster.compare()
    if ended := ended + series.ended:
        raise Trouble(f"no process ends because of a network: {'; '.join(ended)}")
    longest, back = (max(one) for one in zip(*series.pauses))
    say(f"{accepted} events were accepted through {times} cuts, and the owner changed {series.changes} times; none is missing, and {rows} rows are the same "
        f"on all hosts; nothing was accepted for {longest:.1f} s at most, and every host accepted again {back:.1f} s after a cut at most")
