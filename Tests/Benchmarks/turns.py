"""What an event costs the service, and when its row can be read, at steady rates and at the end of its strength, for an hour, beside many
stored messages, and how soon a file that is lost is read again: deploy/bench turns --help.

Each run has a fresh folder and a service of its own. Processor time and bytes are those that the kernel counts for the service's
processes; the flood's own are left out. Of a lost file it counts when the newest 50 rows of each of its conversations are read again. The bar
of a figure stands beside it; a bar that is missed, and a run in which not all was as it must be, end with 1.
"""
import argparse
import collections
import json
import math
import os
import shutil
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Ports"))

import ports  # noqa: E402

# What is asked of a figure: a number or another figure of the same run times a factor, and whether it is the least or the most.
Bar = collections.namedtuple("Bar", "limit way factor", defaults=("most", 1))
# Options of the flood, durability, runs, bars of medians, and bars that as many of these runs have to hold, each all of them at once.
Entry = collections.namedtuple("Entry", "options durability rounds medians each share", defaults=({}, {}, 0))
COST = {"us": Bar(160), "bytes": Bar(5000)}
ENTRIES = {
    "saturation": Entry("--rate 30000 --duration 60 --warm-up 3", "full", 7, {"bytes": Bar(3000)},
                        {"accepted_per_s": Bar(20000, "least"), "ready_p99_ms": Bar(200)}, 5 / 7),
    "tail": Entry("--rate 30000 --duration 30 --warm-up 3", "full", 20, {}, {"ready_p99.99_ms": Bar("ready_p99_ms", "most", 3)}, 18 / 20),
    "7000": Entry("--rate 7000 --duration 30 --warm-up 3", "process", 5, {"us": Bar(120), "ready_p99_ms": Bar(20)}),
    "5000": Entry("--rate 5000 --duration 30 --warm-up 3", "full", 5, {"ready_p99_ms": Bar(35)}),
    "4000": Entry("--rate 4000 --duration 30 --warm-up 3", "full", 5),  # the README's, without a bar
    "3000": Entry("--rate 3000 --duration 540", "full", 5, COST | {"first_ready_p99_ms": Bar(20), "last_ready_p99_ms": Bar(25)}),
    "3000-short": Entry("--rate 3000 --duration 20 --warm-up 3", "full", 5, COST | {"ready_p99_ms": Bar(20)}),
    "500": Entry("--rate 500 --duration 60 --warm-up 3", "full", 5, {"us": Bar(350)}),
    "hour": Entry("--rate 3000 --duration 3600", "full", 1, COST | {"first_ready_p99_ms": Bar(20), "last_ready_p99_ms": Bar(25)}),
    "grown": Entry("--rate 3000 --duration 60 --warm-up 3", "full", 1, COST | {"ready_p99_ms": Bar(30)}),
    "lost": Entry("--rate 30000 --warm-up 0", "process", 5, {"newest_s": Bar(5)}),
}
# Messages that are there before a run begins.
STORED = {"grown": 10_000_000, "lost": 2_000_000}
CONVERSATIONS = 1000
NEWEST = 50


class Fault(Exception):
    pass


def children(process):
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def written(process):
    """Bytes that each process of a service has written, with its role."""
    found = {}
    for one in children(process):
        try:
            lines = Path(f"/proc/{one}/io").read_text().splitlines()
            role = Path(f"/proc/{one}/cmdline").read_bytes().split(b"\0")[1].decode()
        except (OSError, IndexError):
            continue  # it ended just now
        found[one, role] = int(next(line for line in lines if line.startswith("write_bytes")).split()[1])
    return found


class Writing:
    """Looks each second at what a service has written, for as long as its block."""

    def __init__(self, process):
        self.process, self.looks, self.end = process, [], threading.Event()
        self.thread = threading.Thread(target=self.look)

    def look(self):
        while True:
            self.looks.append((time.monotonic(), written(self.process)))
            if self.end.wait(1):
                self.looks.append((time.monotonic(), written(self.process)))
                return

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.end.set()
        self.thread.join()

    def roles(self, start=0, end=math.inf):
        """Bytes by role, in some seconds since the first look."""
        first, roles = self.looks[0][0], {}
        looks = [look for time, look in self.looks if start <= time - first <= end]
        for one in {one for look in looks for one in look}:
            known = [look[one] for look in looks if one in look]
            roles[one[1]] = roles.get(one[1], 0) + known[-1] - known[0]
        return roles


def p99(seconds):
    return round(statistics.median(one["ready99"] for one in seconds), 1)


class Service:
    """One in a folder of its own, for as long as its block."""

    def __init__(self, forme, durability, workers, port=None, more=()):
        self.folder = Path(tempfile.mkdtemp(prefix="forme-turns-"))
        text = (ROOT / "config/forme.json5").read_text()
        assert 'durability: "full"' in text
        config = self.folder / "forme.json5"
        config.write_text(text.replace('durability: "full"', f'durability: "{durability}"').replace('"config/', f'"{ROOT}/config/'))
        self.data = str(self.folder / "data")
        self.forme, self.workers, self.port = forme, workers, port
        words = [forme, "serve", "--config", str(config), "--data", self.data, "--workers", str(workers), *more]
        # Beside it fonts are made for browsers, for some minutes.
        words += ["--http", f"127.0.0.1:{port}"] if port else []
        self.process = subprocess.Popen(words, cwd=ROOT, stderr=open(self.folder / "log", "w"))

    def __enter__(self):
        """Waits until all workers are there."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            status = subprocess.run([self.forme, "status", "--json", "--data", self.data], capture_output=True, text=True)
            if status.returncode == 0 and len(json.loads(status.stdout)["status"]["workers"]) == self.workers:
                return self
            time.sleep(0.1)
        self.process.kill()
        raise Fault((self.folder / "log").read_text())

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.folder)

    def status(self):
        said = subprocess.run([self.forme, "status", "--json", "--data", self.data], capture_output=True, text=True, check=True)
        return json.loads(said.stdout)["status"]

    def fill(self, events, run):
        """Floods until so many events are stored, about as fast as they are laid out, and waits until all of them are laid out."""
        words = [self.forme, "flood", "--data", self.data, "--rate", "8000", "--count", str(events), "--busy", "retry", "--reads", "0", "--run", run, "--json"]
        flood = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if not flood.stdout or not json.loads(flood.stdout)["clean"]:
            raise Fault(flood.stderr + flood.stdout)

    def bring(self, events):
        """Imports so many messages, and waits until all of them are laid out."""
        texts = [json.dumps(line) for line in (ROOT / "Tests/Counts/texts.txt").read_text().splitlines()]
        start = time.monotonic()
        with open(self.folder / "import", "w+") as said:
            bring = subprocess.Popen(
                [self.forme, "import", "--data", self.data, "-"], cwd=ROOT, stdin=subprocess.PIPE, stdout=said, stderr=said, text=True)
            try:
                for number in range(events):
                    conversation, place = number % CONVERSATIONS, number // CONVERSATIONS
                    bring.stdin.write(
                        f'{{"conversation": "old-{conversation}", "message": "m{place}", "order": {place}, "sender": "u{place // 3 % 8}", '
                        f'"time": {1_600_000_000_000 + place * 40_000}, "text": {texts[number % len(texts)]}}}\n')
                bring.stdin.close()
            except BrokenPipeError:
                pass  # its words say why
            if bring.wait() != 0:
                said.seek(0)
                raise Fault(f"the import ended with {bring.returncode}: {said.read()[-2000:]}")
        while any(lane["open"] for lane in self.status()["lanes"]):
            time.sleep(1)
        print(f"{events:,} messages imported and laid out in {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


def lose(service, events):
    """Removes a file of the edition that is served, and asks for the end of each of its conversations until the newest rows are there."""
    service.fill(events, "lost")
    file = sorted(Path(service.data).glob("shards/*/*.db"))[0]
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as rows:
        count = rows.execute("SELECT count(*) FROM rows").fetchone()[0]
        names = [one[0] if isinstance(one[0], str) else one[0].decode() for one in rows.execute("SELECT name FROM conversations")]
    address = f"http://127.0.0.1:{service.port}/v1/conversations"

    def newest(name):
        try:
            with urllib.request.urlopen(f"{address}/{name}/window?target=390@3&count={NEWEST}") as answer:
                return [one["message"] for one in json.load(answer)["window"]["rows"]]
        except urllib.error.HTTPError as refusal:
            if refusal.code != 503:
                raise
            return []

    before = {name: newest(name) for name in names}
    for one in file.parent.glob(file.stem + ".db*"):
        one.unlink()
    start = time.monotonic()
    waiting, first = list(names), None
    while waiting:
        left = [name for name in waiting if newest(name) != before[name]]
        if len(left) < len(waiting) and first is None:
            first = time.monotonic() - start
        waiting = left
    return {"rows": count, "conversations": len(names), "first_s": round(first, 2), "newest_s": round(time.monotonic() - start, 2)}


def traces(path):
    """Spans of a file of traces, and of the one before it, by trace: start, end, name and process, in the order in which they began."""
    found = {}
    for file in (Path(f"{path}.1"), Path(path)):
        for line in file.read_text().splitlines() if file.exists() else []:
            for resource in json.loads(line)["resourceSpans"]:
                daemon = next((one["value"]["stringValue"] for one in resource["resource"]["attributes"] if one["key"] == "service.instance.id"), "")
                for span in (span for scope in resource["scopeSpans"] for span in scope["spans"]):
                    times = (int(span[key]) for key in ("startTimeUnixNano", "endTimeUnixNano"))
                    found.setdefault(span["traceId"], []).append((*times, span["name"], daemon))
    return {trace: sorted(spans) for trace, spans in found.items()}


def slowest(path, start):
    """The event that took longest of those that are traced whole and came after a moment: its stages, in milliseconds since it was read.
    What came later about the same message, such as a reaction, belongs to its trace, too, and is an event of its own."""
    whole = []
    for trace, spans in traces(path).items():
        starts = [place for place, span in enumerate(spans) if span[2] == "accepted"]
        events = [spans[place:end] for place, end in zip(starts, starts[1:] + [len(spans)])]
        whole += [(event[-1][1] - event[0][0], trace, event) for event in events
                  if event[0][0] >= start * 1e9 and any(name == "told" for _, _, name, _ in event)]
    if not whole:
        return None
    took, trace, event = max(whole)
    stages = [{"stage": name, "process": daemon, "after_ms": round((begin - event[0][0]) / 1e6, 2), "took_ms": round((end - begin) / 1e6, 2)}
              for begin, end, name, daemon in event]
    return {"trace": trace, "ms": round(took / 1e6, 2), "of": len(whole), "stages": stages}


def value_of(options, name, otherwise=0):
    words = options.split()
    return float(words[words.index(name) + 1]) if name in words else otherwise


def run(forme, what, entry, options, words, number):
    stored = words.stored if words.stored is not None else STORED.get(what, 0)
    kept, more = None, []
    if what == "tail":
        # One file a run, so that a later run does not push the spans of an earlier one out.
        folder = tempfile.mkdtemp(prefix="forme-tail-")
        kept = f"{words.traces}.{number}" if words.traces else f"{folder}/traces"
        more = ["--traces", kept, "--trace-one-in", str(words.trace_one_in)]
    try:
        return measured(forme, what, entry, options, words.workers, stored, kept, more)
    finally:
        if kept:
            shutil.rmtree(folder)


def measured(forme, what, entry, options, workers, stored, kept, more):
    with Service(forme, entry.durability, workers, ports.port() if what == "lost" else None, more) as service:
        if what == "lost":
            return lose(service, stored)
        if what == "grown":
            service.bring(stored)
        began = time.time()
        with Writing(service.process.pid) as writing:
            flood = subprocess.run([forme, "flood", "--data", service.data, "--json", *options.split()], cwd=ROOT, capture_output=True, text=True)
        if not flood.stdout:
            raise Fault(flood.stderr)
        report = json.loads(flood.stdout)
    events = report["answers"]["accepted"]
    roles = {}
    for process in report["processes"]:
        roles[process["role"]] = roles.get(process["role"], 0) + process["microsecondsPerEvent"]
    roles.pop("flood")
    stages = {}
    for process in report["stages"]:
        for stage, time_spent in process["microseconds"].items():
            name = f"{process['process'].split()[0]} {stage}"
            stages[name] = round(stages.get(name, 0) + time_spent / events, 1)
    ready, timeline = report["latencies"]["ready"], report["timeline"][:-1]
    warm, duration = value_of(options, "--warm-up"), value_of(options, "--duration", 10)
    part = min(60, int(duration // 2))  # a minute, or half of a shorter run
    byte = {"all": (writing.roles(), events)}
    for name, first in (("first", warm), ("last", warm + duration - part)):
        accepted = sum(one["accepted"] for one in timeline if first <= one["second"] < first + part)
        byte[name] = (writing.roles(first, first + part), accepted)
    bytes_by_role = {name: {role: round(value / max(1, count)) for role, value in sorted(found.items())} for name, (found, count) in byte.items()}
    one = {
        "clean": report["clean"], "accepted_per_s": round(report["acceptedRate"]), "us": round(sum(roles.values()), 1),
        **{f"us_{role}": round(value, 1) for role, value in roles.items()},
        "bytes": sum(bytes_by_role["all"].values()), "bytes_by_role": bytes_by_role["all"],
        "bytes_first": sum(bytes_by_role["first"].values()), "bytes_first_by_role": bytes_by_role["first"],
        "bytes_last": sum(bytes_by_role["last"].values()), "bytes_last_by_role": bytes_by_role["last"], "bytes_part_s": part,
        "ready_p50_ms": ready["p50"], "ready_p99_ms": ready["p99"],
        **({"ready_p99.99_ms": ready["p99.99"]} if "p99.99" in ready else {}), "ready_max_ms": ready["max"],
        # Of an earlier binary medians of seconds.
        "first_ready_p99_ms": report["readyOfFirst20s"]["p99"] if "readyOfFirst20s" in report else p99(timeline[:20]),
        "last_ready_p99_ms": report["readyOfLast60s"]["p99"] if "readyOfLast60s" in report else p99(timeline[-60:]), "busy": report["busy"], "stages": stages,
    }
    return one | ({"slowest_traced": slowest(kept, began + warm)} if kept else {})


def judged(name, value, bar, limit):
    return {"figure": name, "value": value, "bar": limit, "way": bar.way, "holds": value >= limit if bar.way == "least" else value <= limit}


def of_run(found, entry):
    """What each run of an entry is held to by itself."""
    for name in entry.each:
        if name not in found:
            raise Fault(f"the flood of this binary tells no {name}")
    return [judged(name, found[name], bar, round(found[bar.limit] * bar.factor, 3) if isinstance(bar.limit, str) else bar.limit)
            for name, bar in entry.each.items()]


def judge(found, entry):
    """Bars beside figures, and what speaks against the runs."""
    figures = [judged(f"{name} (median)", statistics.median(one[name] for one in found), bar, bar.limit) for name, bar in entry.medians.items()]
    if entry.each:
        holding = sum(all(one["holds"] for one in of_run(run, entry)) for run in found)
        names = " and ".join(entry.each)
        figures.append(judged(f"runs of {len(found)} with {names} within their bars", holding, Bar(0, "least"), math.ceil(entry.share * len(found))))
    unclean = sum(not one.get("clean", True) for one in found)
    return figures, [f"{one['figure']} missed" for one in figures if not one["holds"]] + ([f"not clean: {unclean} of {len(found)} runs"] if unclean else [])


def written_out(one):
    return f"{one['figure']} {one['value']} ({'bar' if one['holds'] else 'MISSED, bar'} {one['bar']})"


def tell(what, name, number, found, entry):
    """One run, for people."""
    shown = {key: value for key, value in found.items() if key not in ("stages", "slowest_traced")}
    print(f"{what} {name} {number}", shown, file=sys.stderr, flush=True)
    held = of_run(found, entry)
    if held:
        print(f"{what:<11} {name:<7} run {number}: " + " · ".join(map(written_out, held)), flush=True)
    if what == "tail" and not all(one["holds"] for one in held):
        slow = found["slowest_traced"]
        print(f"  the slowest of {slow['of']} traced events took {slow['ms']} ms: trace {slow['trace']}" if slow else "  no event was traced whole")
        for one in slow["stages"] if slow else []:
            print(f"    {one['stage']:<12} {one['process']:<16} after {one['after_ms']:9.2f} ms, took {one['took_ms']:9.2f} ms", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench turns", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=list(ENTRIES), help=f"of {', '.join(ENTRIES)} (default: all)")
    rounds = ", ".join(f"{entry.rounds} of {name}" for name, entry in ENTRIES.items() if entry.rounds != 5)
    parser.add_argument("--rounds", type=int, help=f"runs of each (default: 5, but {rounds})")
    parser.add_argument("--rate", type=int, help="another rate, for a trial: bars stay those of the usual one")
    parser.add_argument("--duration", type=int, help="other seconds, for a trial")
    parser.add_argument("--before", help="another binary, of which each run stands beside one of this one's")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--stored", type=int, help=f"messages that are there before (default: {STORED['grown']:,} imported in grown, {STORED['lost']:,} in lost)")
    parser.add_argument("--traces", help="keep the spans of tail in FILE.1, FILE.2 and so on, one for each run")
    parser.add_argument("--trace-one-in", type=int, default=100, help="messages of which one is traced in tail (default: 100)")
    parser.add_argument("--json", action="store_true", help="all that was measured, and each bar beside its figure: one object a line")
    words = parser.parse_args()
    for what in words.what:
        if what not in ENTRIES:
            parser.error(f"'{what}' is none of {', '.join(ENTRIES)}")
    binaries = {"now": os.environ["FORME"], **({"before": words.before} if words.before else {})}
    against = []
    for what in words.what:
        entry = ENTRIES[what]
        options = entry.options
        for name in ("rate", "duration"):
            if getattr(words, name) is not None and f"--{name}" in options:
                options = options.replace(f"--{name} {value_of(options, f'--{name}'):.0f}", f"--{name} {getattr(words, name)}")
        runs = {name: [] for name in binaries}
        for number in range(1, (words.rounds or entry.rounds) + 1):
            for name, forme in binaries.items():
                runs[name].append(run(forme, what, entry, options, words, f"{name}-{number}" if words.before else number))
                if words.json:
                    print(json.dumps({"what": what, "binary": name, **runs[name][-1], "bars": of_run(runs[name][-1], entry)}), flush=True)
                else:
                    tell(what, name, number, runs[name][-1], entry)
        for name, found in runs.items():
            figures, faults = judge(found, entry)
            # Another binary is only there to be compared with.
            against += [f"{what}: {fault}" for fault in faults] if name == "now" else []
            if words.json:
                print(json.dumps({"what": what, "binary": name, "runs": len(found), "options": options, "judged": figures, "against": faults}), flush=True)
            else:
                print(f"{what:<11} {name:<7}", " · ".join(map(written_out, figures)), *(f"· {one}" for one in faults if "not clean" in one), flush=True)
    if against:
        sys.exit("turns: " + "; ".join(against))


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"turns: {fault}")
