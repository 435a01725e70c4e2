"""Counts instructions: what one message and one row cost a worker and a gateway, where times are noise. See deploy/count."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Ports"))

import ports  # noqa: E402

RECORDED = pathlib.Path(__file__).with_name("figures.json")
# A build has the vectors of its machine (Package.swift), and figures of its own for them.
VECTORS = 256 if " avx2 " in pathlib.Path("/proc/cpuinfo").read_text() else 128
# More than this above what is recorded is a finding.
TOLERANCE = 0.03
# Sets of Swift are in the same order every time.
ENVIRONMENT = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
# The function that makes a row of an event, by the end of its name, as defaults of its arguments have functions as well.
ROW = "*RowLayouterV3row*MessageState*KF"
# Messages, and twice as many. A fifth of these, or as many plain texts, warms caches, a fifth is laid out in one go, and
# once more step by step.
KINDS = {"plain": 500, "plain, 13 targets": 500, "text": 2500, "link": 500, "rich": 500, "album": 500, "poll": 500}
ROWS, PAGE = 1000, 50
# Conversations with fewer rows than a block has: nobody ever seals them.
UNSEALED, UNSEALED_ROWS = 9, 200
# Of a row of a page, what is read, cut or laid out, and kept; of that, what it takes to cut a record that is open.
DRAWN, CUT = "*13ContentCutterV8contents*", "*6Record0A6CutterV3cut*"
# What opens a conversation. A gateway that has just started does other work beside it, such as looking at its fonts, of which
# there is more where a machine is slow.
OPENED = "*15TimelineOpeningC7proceed*"


class Failure(Exception):
    pass


def callgrind(out, *options):
    return ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options]


def total(path):
    """All instructions of a profile."""
    found = re.search(r"^(?:summary|totals): (\d+)", pathlib.Path(path).read_text(errors="replace"), re.M)
    if not found:
        raise Failure(f"{path} has no sum: is valgrind whole?")
    return int(found[1])


def calls(path, function):
    """How often functions of a name were called."""
    names, count, called = {}, 0, None
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        name = re.match(r"c?fn=\((\d+)\)(?: (.*))?", line)
        if name:
            if name[2]:
                names[name[1]] = name[2]
            called = names.get(name[1], "") if line.startswith("c") else None
        elif called and line.startswith("calls=") and re.fullmatch(function.replace("*", ".*"), called):
            count += int(line.split()[0][len("calls="):])
    return count


def within(path, function):
    """Instructions of all calls of functions of a name, with what these call."""
    names, count, calling, called, wanted = {}, 0, None, None, False
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        name = re.match(r"(c?)fn=\((\d+)\)(?: (.*))?", line)
        if name:
            if name[3]:
                names[name[2]] = name[3]
            if name[1]:
                called = names.get(name[2], "")
            else:
                calling = names.get(name[2], "")
        elif line.startswith("calls="):
            meant = function.replace("*", ".*")
            wanted = bool(re.fullmatch(meant, called or "")) and not re.fullmatch(meant, calling or "")
        elif wanted:
            count += int(line.split()[1])
            wanted = False
    if not count:
        raise Failure(f"nothing was called that is named like {function}")
    return count


def rows_of_kind(bench, kind, messages, folder):
    """Instructions of so many rows, and how many they are."""
    out = folder / f"{kind.replace(', ', '-').replace(' ', '-')}-{messages}.out"
    # "13 targets" are the screens that goals are about.
    kind, _, targets = kind.partition(", ")
    run = subprocess.run(
        ["nice", "-n", "19", *callgrind(out, f"--toggle-collect={ROW}"), bench, "layout", "--kind", kind, "--messages", str(messages),
         "--rounds", "1", *(["--targets", targets.split()[0]] if targets else [])],
        cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True)
    if run.returncode:
        raise Failure(f"forme-bench layout ended with {run.returncode}: {run.stderr[-400:]}")
    rows = calls(out, ROW)
    if not rows:
        raise Failure(f"nothing was called that is named like {ROW}")
    return total(out), rows


def rows_of_workers(bench, folder, begin):
    """Begins all runs, and gives what waits for a figure of each kind: of a row that comes after others, as what is made once for a style is in all
    runs, and in no difference."""
    sizes = sorted(((times * messages, kind) for kind, messages in KINDS.items() for times in (1, 2)), reverse=True)
    runs = {(kind, messages): begin(rows_of_kind, bench, kind, messages, folder) for messages, kind in sizes}

    def figures():
        for kind, messages in KINDS.items():
            some, more = (runs[kind, count].result() for count in (messages, 2 * messages))
            yield f"a worker: {kind}", (more[0] - some[0]) / (more[1] - some[1])
    return figures


def rows_of_gateways(forme, folder):
    """Its figures. One gateway after the other, as they have one folder."""
    found, pages = {}, Pages(forme, folder)
    for name, target in (("prepared", "375@2"), ("unforeseen", "347@2.5")):
        rows, profile = pages.pages(target)
        found[f"a gateway: a row of a page, {name}"] = total(profile) / rows
        found[f"a gateway: what is drawn in it, {name}"] = within(profile, DRAWN) / rows
        if name == "prepared":
            found["a gateway: a row cut out of its record"] = within(profile, CUT) / rows
    rows, profile = pages.openings()
    found["a gateway: an unsealed row of an opening"] = within(profile, OPENED) / rows
    return found


class Pages:
    """Pages of a conversation from a gateway whose instructions are counted, without anybody who writes."""

    def __init__(self, forme, folder):
        self.forme, self.folder, self.data = forme, folder, folder / "data"
        self.port = ports.port()
        self.write()

    def write(self):
        """Has a service lay out the messages, and seal their rows."""
        texts = pathlib.Path(__file__).with_name("texts.txt").read_text().splitlines()
        conversations = [("texts", ROWS), *((f"unsealed-{i}", UNSEALED_ROWS) for i in range(UNSEALED))]
        events = "".join(json.dumps({
            "conversation": conversation, "message": f"m{number}", "revision": 1, "sender": f"u{number // 3 % 8}", "order": number,
            "time": 1_700_000_000_000 + number * 40_000, "body": {"kind": "text", "text": texts[number % len(texts)]}}) + "\n"
            for conversation, rows in conversations for number in range(rows))
        serve = subprocess.Popen(
            [self.forme, "serve", "--data", self.data, "--workers", "1", "--http", f"127.0.0.1:{self.port}"],
            cwd=ROOT, stderr=subprocess.DEVNULL)
        try:
            self.until(lambda: subprocess.run(
                [self.forme, "post", "--data", self.data], cwd=ROOT, input=events, text=True, capture_output=True).returncode == 0)
            for conversation, rows in conversations:
                self.until(lambda: self.answers() and f"m{rows - 1}".encode() in self.ask("375@2", f"m{rows - 1}", conversation))
            time.sleep(6)  # rows are sealed in idle moments
        finally:
            serve.terminate()
            serve.wait()

    @staticmethod
    def until(condition, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"not so within {seconds} seconds")
            time.sleep(0.1)

    def ask(self, target, message, conversation="texts", count=PAGE):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/v1/conversations/{conversation}/window?target={target}&count={count}"
            f"&with=body&around=message:{message}", headers={"Accept": "application/vnd.forme"})
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.read()
        except urllib.error.HTTPError:
            return b""

    def pages(self, target):
        """Asks for all pages, each once, after one that warms what all of them need: rows, and the profile."""
        middles = range(PAGE + PAGE // 2, ROWS, PAGE)
        out = self.profile(
            lambda: self.ask(target, f"m{PAGE // 2}"), lambda: [self.ask(target, f"m{middle}") for middle in middles])
        return len(middles) * PAGE, out

    def openings(self):
        """Opens conversations of which nothing is sealed, with one row of each, after one that warms: rows, and the profile."""
        def opened(number):
            if not self.ask("375@2", "m0", f"unsealed-{number}", count=1):
                raise Failure("a conversation is not answered")
        out = self.profile(lambda: opened(0), lambda: [opened(number) for number in range(1, UNSEALED)])
        return (UNSEALED - 1) * UNSEALED_ROWS, out

    def profile(self, warm, measured):
        """A gateway's instructions for what is asked of it."""
        out = self.folder / "gateway.out"
        gateway = subprocess.Popen(
            [*callgrind(out), self.forme, "gateway", "--data", self.data, "--http", f"127.0.0.1:{self.port}"],
            cwd=ROOT, env=ENVIRONMENT, stderr=subprocess.DEVNULL)
        try:
            self.until(self.answers)
            warm()
            subprocess.run(["callgrind_control", "-z", str(gateway.pid)], check=True, capture_output=True)
            measured()
            subprocess.run(["callgrind_control", "-d", str(gateway.pid)], check=True, capture_output=True)
            return f"{out}.1"
        finally:
            gateway.terminate()
            gateway.wait()

    def answers(self):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{self.port}/livez").close()
            return True
        except OSError:
            return False


def main():
    options = argparse.ArgumentParser(
        prog="deploy/count", description="Counts the instructions that a message costs a worker, and a row a gateway. Two runs differ by less "
        "than a hundredth, on a busy machine, too. Ends with 1 where one has grown by more than 3 % over what is recorded.")
    options.add_argument("--record", action="store_true", help="write down what is counted, for those who come later")
    options.add_argument("--json", action="store_true", help="one JSON object, instead of a table")
    options.add_argument("--vectors", type=int, choices=(128, 256), default=VECTORS, metavar="BITS",
                         help="those of the build, where it is not for this machine (FORME_CPU=x86-64-v2 has 128 bits)")
    run = options.parse_args()
    every = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    width = f"vectors of {run.vectors} bits"
    recorded = every.get(width, {})
    folder = pathlib.Path(tempfile.mkdtemp(prefix="forme-count-"))
    found = {}
    try:
        # Valgrind takes long to read what debuggers want.
        built = pathlib.Path(os.environ["FORME"])
        forme, bench = folder / "forme", folder / "forme-bench"
        for program in (forme, bench):
            if not built.with_name(program.name).exists():
                raise Failure(f"{program.name} is not beside the others in {built.parent}; build it: swift build -c release --product {program.name}")
            subprocess.run(["strip", "-g", "-o", program, built.with_name(program.name)], check=True)
        # Instructions are the same whoever else has a processor. The gateway's runs follow each other, and so begin first, and go before the
        # others (nice), as rows are sealed in idle moments; then the longest.
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            gateways = pool.submit(rows_of_gateways, forme, folder)
            workers = rows_of_workers(bench, folder, pool.submit)
            found = dict(workers()) | gateways.result()
    except Failure as failure:
        sys.exit(f"count: {failure}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = {name: round(value) for name, value in found.items()}
    grown = [name for name in found if name in recorded and found[name] > recorded[name] * (1 + TOLERANCE)]
    # A machine with other vectors records its own when it can; what nobody has recorded says nothing at all.
    unknown = [name for name in found if not any(name in figures for figures in every.values())]
    if run.record:
        RECORDED.write_text(json.dumps(every | {width: found}, indent=2) + "\n")
    if run.json:
        print(json.dumps({"counted": found, "recorded": recorded, "grown": grown, "unknown": unknown}))
    else:
        print(f"{'instructions':44} {'counted':>9} {'recorded':>9}")
        for name, value in found.items():
            before = recorded.get(name)
            print(f"{name:44} {value:9,} {before or 0:9,}" + (f" {value / before - 1:+7.1%}" if before else ""))
    if unknown and not run.record:
        sys.exit(f"count: nothing is recorded for {width} of {', '.join(unknown)}: run deploy/count --record on a build that is as it should be, and "
                 "commit Tests/Counts/figures.json")
    if grown and not run.record:
        sys.exit(f"count: more than recorded: {', '.join(grown)}. Mend it, or say in the commit why it must be, and run deploy/count --record")


main()
