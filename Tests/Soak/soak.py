"""Floods a service for hours while its processes are killed now and then, samples what it takes, and says whether any of that grows. See deploy/soak."""
import argparse
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Ports"))

import ports  # noqa: E402

SAMPLE_LINE = re.compile(r'^(\w+)(?:\{([^}]*)\})? (\S+)$', re.M)
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')
KINDS = ("coordinator", "worker", "gateway")
# The first third is for what grows to its size and then stays: caches, tables, files.
SETTLED = 1 / 3
# Slopes below this many parts of a hundred an hour are none.
MOST_SLOPE = 1.0
# The age in seconds at which the caches of a process are full, and the time after which two samples of it say whether it grows.
FULL_AGE = 600
LEAST_SPAN = 300
# A straight line through fewer minutes than this says more of the moment than of hours.
SLOPES_FROM = 25 * 60


class Failure(Exception):
    pass


def metrics(port):
    """Figures by name and labels, as the operators' port tells them; None while the gateway is away."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            text = answer.read().decode()
    except (urllib.error.URLError, OSError):
        return None
    figures = {}
    for name, labels, value in SAMPLE_LINE.findall(text):
        figures.setdefault(name, []).append((dict(LABEL.findall(labels)), float(value)))
    return figures


def total(figures, name, **wanted):
    found = [value for labels, value in figures.get(name, []) if wanted.items() <= labels.items()]
    return sum(found) if found else None


class Histogram:
    """Counts below boundaries, of which two may be subtracted."""

    def __init__(self, figures, name):
        self.counts = {labels["le"]: value for labels, value in figures.get(name + "_bucket", [])}

    def since(self, earlier):
        rest = Histogram({}, "")
        rest.counts = {
            bound: count - (earlier.counts.get(bound, 0) if earlier else 0) for bound, count in self.counts.items()}
        return rest

    def percentile(self, percent):
        """Seconds; None where nothing was counted, or the service began anew in between."""
        bounds = sorted(self.counts.items(), key=lambda item: float(item[0].replace("+Inf", "inf")))
        if not bounds or bounds[-1][1] <= 0 or any(count < 0 for _, count in bounds):
            return None
        rank = bounds[-1][1] * percent / 100
        return next((float(bound) for bound, count in bounds if count >= rank and bound != "+Inf"), None)


class Service:
    """A service in a folder of its own."""

    def __init__(self, forme, folder, workers, port):
        self.data, self.forme = folder / "data", forme
        self.log = open(folder / "log", "wb")
        self.process = subprocess.Popen(
            [forme, "serve", "--data", self.data, "--workers", str(workers), "--metrics", f"127.0.0.1:{port}"],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=self.log, start_new_session=True)
        end = time.monotonic() + 60
        while (metrics(port) or {}).get("forme_pool_posts_open", [({}, 0)])[0][1] != 1:
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failure(f"the service does not come up; its log is {folder / 'log'}")
            time.sleep(0.2)

    def children(self):
        """Ids of its processes, with the command of each."""
        pid = self.process.pid
        found = []
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            try:
                words = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if len(words) > 1 and words[1].decode() in KINDS:
                found.append((int(child), words[1].decode()))
        return found

    def kill_one(self, chance):
        child = chance.choice(self.children() or [None])
        if child:
            os.kill(child[0], signal.SIGKILL)
        return child

    def logs(self):
        """Bytes of logs ahead of their databases, and of everything."""
        ahead, everything = 0, 0
        for path in self.data.rglob("*"):
            try:
                size = path.stat().st_blocks * 512 if path.is_file() else 0
            except OSError:
                continue
            everything += size
            ahead += size if path.name.endswith("-wal") else 0
        return ahead, everything

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the service did not end within a minute")


def processor_of(pid):
    """Seconds of user and kernel, of a process that may have gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return None


class Sampler:
    """What a service takes, sample by sample."""

    def __init__(self, service, port):
        self.service, self.port, self.start = service, port, time.monotonic()
        self.before, self.born = None, {}

    def life(self, kind, children):
        """The processes of a kind, and when the youngest of them began: another pair when one of them was started anew."""
        pids = sorted(pid for pid in children if children[pid] == kind)
        return tuple(pids), max((self.born[pid] for pid in pids), default=0)

    def sample(self):
        figures = metrics(self.port)
        children = dict(self.service.children())
        spent = {pid: processor_of(pid) for pid in [*children, self.service.process.pid]}
        if figures is None or total(figures, "forme_pool_coordinator_up") != 1:
            self.before = None
            return None
        now = {"at": time.monotonic() - self.start}
        self.born = {pid: self.born.get(pid, now["at"]) for pid in children}
        now["lives"] = {kind: self.life(kind, children) for kind in KINDS}
        for kind in ("coordinator", "worker"):
            now[f"{kind} memory, MB"] = (total(figures, "forme_pool_process_memory_bytes", kind=kind) or 0) / 1e6
            now[f"{kind} handles"] = total(figures, "forme_pool_process_handles", kind=kind) or 0
        now["gateway memory, MB"] = (total(figures, "forme_gateway_memory_bytes") or 0) / 1e6
        now["gateway handles"] = total(figures, "forme_gateway_handles") or 0
        ahead, everything = self.service.logs()
        now["logs ahead, MB"], now["folder, MB"] = ahead / 1e6, everything / 1e6
        accepted = total(figures, "forme_pool_answers_total", answer="accepted") or 0
        ready = Histogram(figures, "forme_pool_ready_seconds")
        # One that was started anew counts from nothing: such a stretch says nothing of rates.
        if self.before and set(self.before["children"]) == set(children) and accepted > self.before["accepted"]:
            passed = now["at"] - self.before["at"]
            events = accepted - self.before["accepted"]
            used = sum(spent[pid] - self.before["spent"][pid] for pid in spent if spent[pid] is not None)
            now["accepted a second"] = events / passed
            now["processor an event, µs"] = used / events * 1e6
            late = ready.since(self.before["ready"]).percentile(99)
            if late is not None:
                now["readable, 99 of 100, ms"] = late * 1e3
        self.before = {"at": now["at"], "children": children, "spent": spent, "accepted": accepted, "ready": ready}
        return now


def slope(points, span=0):
    """Of a straight line through points (time, value, life), in parts of a hundred of their mean, an hour; by medians of slopes, so that single points
    do not count. Two points make a slope where they are of one life and so many seconds apart."""
    if len(points) < 10:
        return None
    points = points[:: max(1, len(points) // 200)]
    slopes = sorted(
        (b[1] - a[1]) / (b[0] - a[0])
        for i, a in enumerate(points) for b in points[i + 1:] if b[0] > a[0] + span and b[2] == a[2])
    mean = sum(point[1] for point in points) / len(points)
    return (slopes[len(slopes) // 2] * 3600 / mean * 100 if mean else 0.0) if slopes else None


def memory_slope(kind, points, samples):
    """The slope of processes that go on running: one that was killed begins with empty caches, and takes less for a while."""
    lives = {sample["at"]: sample["lives"][kind] for sample in samples}
    old = [(at, value, lives[at]) for at, value in points if at >= lives[at][1] + FULL_AGE]
    return slope(old, LEAST_SPAN)


# What more rows explain, and what is a rate and no size.
GROWING = ("folder, MB", "accepted a second")
# These scatter by more than they could grow in less than two hours.
SCATTERED = ("logs ahead, MB", "processor an event, µs", "readable, 99 of 100, ms")


def judge(samples, seconds):
    """Of each figure its median and its slope over the last two thirds; and what is above the bar."""
    lines, faults = [], []
    begin = seconds * SETTLED
    for name in sorted({name for sample in samples for name in sample} - {"at", "lives"}):
        points = [(sample["at"], sample[name]) for sample in samples if name in sample and sample["at"] >= begin]
        if not points:
            continue
        values = sorted(value for _, value in points)
        kind, _, rest = name.partition(" ")
        if seconds < SLOPES_FROM:
            steep = None
        elif kind in KINDS and rest.startswith("memory"):
            steep = memory_slope(kind, points, samples)
        else:
            steep = slope([(at, value, None) for at, value in points])
        lines.append((name, values[len(values) // 2], values[-1], steep))
        is_judged = name not in GROWING and (seconds >= 7200 or name not in SCATTERED)
        if steep is not None and steep > MOST_SLOPE and is_judged:
            faults.append(f"{name} grows by {steep:.1f} % an hour")
    return lines, faults


def picture(name, samples, seconds):
    """A figure over time, as one line."""
    points = [(sample["at"], sample[name]) for sample in samples if name in sample]
    top = max(value for _, value in points) or 1
    path = " ".join(f"{at / seconds * 600:.1f},{110 - value / top * 100:.1f}" for at, value in points)
    return (f'<figure><figcaption>{name}, up to {top:.4g}</figcaption><svg viewBox="0 0 600 112">'
            f'<path d="M0 110H600" stroke="#999"/><polyline points="{path}" fill="none" stroke="#2a6df4"/></svg></figure>')


def page(lines, samples, seconds, verdict, kills):
    rows = "".join(
        f"<tr><td>{name}<td>{median:.4g}<td>{most:.4g}<td>{'' if steep is None else f'{steep:+.2f} %'}"
        for name, median, most, steep in lines)
    figures = "".join(picture(name, samples, seconds) for name, *_ in lines)
    return f"""<!doctype html><meta charset="utf-8"><title>Forme under a flood for {seconds / 3600:.2f} hours</title>
<style>body{{font:15px/1.5 sans-serif;max-width:40rem;margin:2rem auto;padding:0 1rem}}td,th{{text-align:right;padding:2px 12px}}
td:first-child,th:first-child{{text-align:left}}figure{{margin:1.5rem 0}}svg{{width:100%}}</style>
<h1>A flood of {seconds / 3600:.2f} hours</h1><p>{verdict}. {kills} processes were killed. Medians, maxima and slopes are of the last two thirds.
<table><tr><th>figure<th>median<th>most<th>an hour{rows}</table>{figures}
"""


def capacity(forme, workers):
    """Events a second that a service of its own takes with all readable soon."""
    print("soak: looking for the highest rate", file=sys.stderr)
    with tempfile.TemporaryDirectory() as name:
        port = ports.port()
        service = Service(forme, pathlib.Path(name), workers, port)
        try:
            run = subprocess.run(
                [forme, "flood", "--data", service.data, "--find-capacity", "--p99", "200", "--duration", "10", "--json"],
                cwd=ROOT, capture_output=True, text=True)
        finally:
            service.end()
    found = re.search(r"capacity: (\d+) events", run.stderr)
    if not found:
        raise Failure(f"the flood found no capacity: {run.stderr[-400:]}")
    return int(found[1])


def arguments():
    parser = argparse.ArgumentParser(
        prog="deploy/soak", description="Floods a service while its processes are killed, and says whether anything grows that should not.")
    parser.add_argument("hours", type=float, help="for so long; 0.5 and more say something of slopes")
    parser.add_argument("--rate", type=int, help="events a second (default: 70 %% of what the machine can do, which is measured first)")
    parser.add_argument("--kill-every", type=float, default=120, metavar="S", help="one process in so many seconds (default: 120; 0 for none)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="decides which process is killed")
    parser.add_argument("--report", metavar="FILE", help="a page with pictures")
    parser.add_argument("--json", action="store_true", help="figures as JSON, instead of a table")
    return parser.parse_args()


def run(chosen, folder):
    forme = os.environ["FORME"]
    rate = chosen.rate or int(capacity(forme, chosen.workers) * 0.7)
    seconds, chance, port = chosen.hours * 3600, random.Random(chosen.seed), ports.port()
    service = Service(forme, folder, chosen.workers, port)
    sampler, samples, kills = Sampler(service, port), [], 0
    flood = subprocess.Popen(
        [forme, "flood", "--data", service.data, "--rate", str(rate), "--duration", str(int(seconds)), "--busy", "retry",
         "--settle", "120", "--json"],
        cwd=ROOT, stdout=open(folder / "flood.json", "wb"), stderr=subprocess.DEVNULL)
    print(f"soak: {rate} events a second for {seconds:.0f} s, at 127.0.0.1:{port}", file=sys.stderr)
    every, next_kill = max(2.0, seconds / 720), chosen.kill_every or float("inf")
    try:
        while flood.poll() is None:
            time.sleep(every)
            at = time.monotonic() - sampler.start
            found = sampler.sample() if at <= seconds else None
            if found:
                samples.append(found)
            if next_kill <= at < seconds - 30:
                kills += service.kill_one(chance) is not None
                next_kill += chosen.kill_every
            if sys.stderr.isatty():
                print(f"\r\033[Ksoak: {at:.0f} of {seconds:.0f} s, {kills} killed", end="", file=sys.stderr, flush=True)
    finally:
        if flood.poll() is None:
            flood.terminate()
            flood.wait()
        service.end()
    report = json.loads((folder / "flood.json").read_text() or "{}")
    lines, faults = judge(samples, seconds)
    if report.get("clean") is not True:
        faults.insert(0, f"the flood missed something, or found what should not be there; its report is {folder / 'flood.json'}")
    return rate, seconds, samples, lines, faults, kills


def main():
    chosen = arguments()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="forme-soak-"))
    try:
        rate, seconds, samples, lines, faults, kills = run(chosen, folder)
    except Failure as failure:
        sys.exit(f"soak: {failure}")
    verdict = "; ".join(faults) or "nothing was lost" + (", and nothing grows" if seconds >= SLOPES_FROM else "")
    if chosen.report:
        pathlib.Path(chosen.report).write_text(page(lines, samples, seconds, verdict, kills))
    if chosen.json:
        print(json.dumps({
            "rate": rate, "seconds": seconds, "kills": kills, "faults": faults,
            "figures": {name: {"median": median, "most": most, "percent_an_hour": steep} for name, median, most, steep in lines}}))
    else:
        for name, median, most, steep in lines:
            print(f"{name:28} {median:12.4g} {most:12.4g} {'' if steep is None else f'{steep:+8.2f} % an hour'}")
        print(f"{kills} processes were killed at {rate} events a second. {verdict[0].upper()}{verdict[1:]}.")
    if faults:
        sys.exit(1)
    subprocess.run(["rm", "-r", folder], check=True)


main()
