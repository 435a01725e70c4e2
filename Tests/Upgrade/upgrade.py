"""Holds a release against the one before: daemons of both beside each other, a folder that goes from one to the other under load, and folders that
are newer than a release. See deploy/upgrade."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
DAEMONS = ("coordinator", "worker", "gateway")
PATIENCE = 60
# A program that was refused says one of these.
WHAT_TO_DO = re.compile(r"install|start (?:it|the|forme)|use the|is its version the same|another --data")


class Failure(Exception):
    pass


class Release:
    """A program with its styles, as a package installs both."""

    def __init__(self, name, forme, home):
        self.name, self.forme, self.home = name, str(forme), home

    def __repr__(self):
        return self.name

    def start(self, log, *words, **environment):
        return subprocess.Popen(
            [self.forme, *map(str, words)], cwd=self.home, stdout=subprocess.DEVNULL, stderr=log, env={**os.environ, **environment})

    def run(self, *words, input=None, **environment):
        return subprocess.run(
            [self.forme, *map(str, words)], cwd=self.home, input=input, capture_output=True, text=True, timeout=120,
            env={**os.environ, **environment})


def releases():
    before = pathlib.Path(os.environ["FORME_BEFORE"])
    return Release("before", before / "forme", before), Release("now", pathlib.Path(os.environ["FORME"]).resolve(), ROOT)


def wait(what, is_so, patience=PATIENCE):
    end = time.monotonic() + patience
    while True:
        found = is_so()
        if found:
            return found
        if time.monotonic() > end:
            raise Failure(f"waited {patience} s: {what}")
        time.sleep(0.1)


class Place:
    """A folder, and the daemons that run in it."""

    def __init__(self, home, style):
        self.home, self.data, self.style = home, home / "data", style
        self.running, self.logs = {}, 0

    def log(self, name):
        self.logs += 1
        return self.home / f"{self.logs:02}-{name}.log"

    def start(self, daemon, release):
        words = [daemon, "--data", self.data] + ([] if daemon == "coordinator" else ["--style", self.style])
        path = self.log(f"{daemon}-{release}")
        with open(path, "wb") as log:
            self.running[daemon] = (release.start(log, *words), release, path)

    def stop(self, daemon):
        process, _, path = self.running.pop(daemon)
        process.send_signal(signal.SIGTERM)
        try:
            code = process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure(f"{daemon} did not end within {PATIENCE} s; its log is {path}")
        return code

    def end(self):
        for daemon in list(self.running):
            process = self.running.pop(daemon)[0]
            process.kill()
            process.wait()

    def roll_where_asked(self, release):
        """A worker whose engine has other rules lays out another edition, and says so: does what it says, as an operator would."""
        # More than once, as a coordinator of the release before says "done" before its folder says what is next.
        for _ in range(3):
            worker, _, path = self.running["worker"]
            try:
                worker.wait(timeout=2)
            except subprocess.TimeoutExpired:
                return
            said = path.read_text(errors="replace")
            if "forme pool roll" not in said:
                raise Failure(f"worker of {release} ended with {worker.returncode}, and said: {said}")
            rolled = release.run("pool", "roll", self.style, "--data", self.data)
            if rolled.returncode != 0:
                raise Failure(f"forme pool roll of {release}: {rolled.stdout}{rolled.stderr}")
            self.start("worker", release)

    def refusal(self):
        """What one of the daemons that ended said last, if it says what to do; None while all run.

        The gateway of the release before goes on where it cannot read the manifest, says so, and answers nothing.
        """
        for daemon, (process, release, path) in self.running.items():
            foreign = re.search(r"manifest\.json.*found: (\d+), expected: (\d+)\)", path.read_text(errors="replace"))
            if daemon == "gateway" and process.poll() is None and foreign:
                return f"gateway of {release} goes on without an answer: its manifest has format {foreign[1]}, and not {foreign[2]}"
            if process.poll() is not None:
                said = path.read_text(errors="replace").strip().split("\n")[-1]
                if process.returncode not in (2, 69, 74, 77) or not WHAT_TO_DO.search(said):
                    raise Failure(f"{daemon} of {release} ended with {process.returncode}, and said: {said}")
                return f"{daemon} of {release}: {said}"
        return None


def event(conversation, number, **more):
    return json.dumps({"conversation": conversation, "message": f"m{number}", "order": number, "sender": "ada",
                       "time": 1_700_000_000_000 + number, "text": f"message {number}", **more})


def shown(client, place, conversation):
    said = client.run("fetch", conversation, "--data", place.data, "--count", "200", "--target", "390@3", "--json")
    return re.findall(r'"message":\s*"(m\d+)"', said.stdout) if said.returncode == 0 else None


def post(client, place, lines):
    wait("nothing is taken", lambda: client.run("post", "--data", place.data, input="\n".join(lines) + "\n").returncode == 0)


def mixed(parts, style, home):
    """Runs one release's part beside those of the other; says that they work, or how one was refused."""
    place = Place(home, style)
    client = parts["client"]
    try:
        for daemon in DAEMONS:
            place.start(daemon, parts[daemon])
        post(client, place, [event("c", number) for number in range(1, 41)])
        wanted = [f"m{number}" for number in range(1, 41)]

        def outcome():
            if (said := place.refusal()):
                return f"refused: {said}"
            return "works" if sorted(set(shown(client, place, "c") or [])) == sorted(wanted) else None

        said = wait(f"neither rows nor a refusal with {parts}; logs are in {home}", outcome)
        if said != "works":
            return said
        post(client, place, [event("c", 7, revision=2, text="edited"), json.dumps(
            {"conversation": "c", "message": "m8", "deleted": True, "revision": 2})])
        wanted.remove("m8")
        wait(f"what was deleted is shown with {parts}", lambda: sorted(set(shown(client, place, "c") or [])) == sorted(wanted))
        for daemon in ("worker", "gateway", "coordinator"):
            if (code := place.stop(daemon)) != 0:
                raise Failure(f"{daemon} of {parts[daemon]} ended with {code}; logs are in {home}")
        return said
    finally:
        place.end()


def beside_each_other(is_short, home):
    """The worker, the gateway and the client of one release beside the coordinator of the other, and the other way round."""
    before, now = releases()
    style = before.home / "config/styles/bubble.json5"
    for one, other in ((before, now), (now, before)):
        for part in ("worker", "gateway", "client") if not is_short else ("worker", "gateway"):
            folder = home / f"{part}-{one}"
            folder.mkdir()
            parts = {name: other for name in (*DAEMONS, "client")}
            parts[part] = one
            if is_short and part == "gateway":
                parts["client"] = one
            print(f"upgrade:   {part} of {one}, the others of {other}: {mixed(parts, style, folder)}", file=sys.stderr)


def kill_flood(flood):
    if flood.poll() is None:
        flood.terminate()
        flood.wait()


def flooded(place, client, seconds, steps):
    """Floods a folder while steps are taken at even times, and holds the folder to what was acknowledged."""
    report = open(place.log("flood"), "w+b")
    flood = client.start(report, "flood", "--data", place.data, "--rate", "600", "--duration", seconds, "--busy", "retry",
                         "--settle", "60", "--reads", "20")
    try:
        rest = seconds / (len(steps) + 1)
        for step in steps:
            time.sleep(rest)
            if flood.poll() is not None:
                break
            step()
        code = flood.wait(timeout=seconds + 180)
    finally:
        kill_flood(flood)
    if code != 0:
        report.seek(0)
        raise Failure(f"the flood ended with {code}: {report.read().decode()[-600:]}; logs are in {place.home}")


def sound(release, place):
    said = release.run("check", place.data)
    if said.returncode != 0:
        raise Failure(f"forme check of {release}: {said.stdout[-600:]}{said.stderr}; the folder is {place.data}")


def daemon_by_daemon(is_short, home):
    """Under a flood, one daemon after the other is replaced by that of the other release."""
    before, now = releases()
    style = before.home / "config/styles/bubble.json5"
    orders = [("coordinator", "worker", "gateway")] + ([] if is_short else [("gateway", "worker", "coordinator")])
    for one, other in ((before, now), (now, before)):
        for order in orders:
            folder = home / f"{one}-{order[0]}"
            folder.mkdir()
            place = Place(folder, style)
            try:
                # A folder of the release before, which may have it back until it is committed.
                place.start("coordinator", before)
                post(now, place, [event("c", 1)])
                place.stop("coordinator")
                for daemon in DAEMONS:
                    place.start(daemon, one)

                def replace(daemon):
                    def step():
                        if (code := place.stop(daemon)) != 0:
                            raise Failure(f"{daemon} of {one} ended with {code}; logs are in {folder}")
                        place.start(daemon, other)
                        if daemon == "worker":
                            place.roll_where_asked(other)
                    return step

                flooded(place, now, 12 if is_short else 24, [replace(daemon) for daemon in order])
                if (said := place.refusal()):
                    raise Failure(said)
                for daemon in ("worker", "gateway", "coordinator"):
                    place.stop(daemon)
            finally:
                place.end()
            sound(now, place)
            print(f"upgrade:   from {one} to {other}, {', '.join(order)}: nothing lost", file=sys.stderr)


class Service:
    """`forme serve`, with the style that its release brings."""

    def __init__(self, release, place, **environment):
        self.release, self.place = release, place
        self.path = place.log(f"serve-{release}")
        with open(self.path, "wb") as log:
            self.process = release.start(log, "serve", "--data", place.data, "--workers", "1", **environment)

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise Failure(f"serve of {self.release} did not end; its log is {self.path}")
        if code != 0:
            raise Failure(f"serve of {self.release} ended with {code}; its log is {self.path}")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def whole_service(is_short, home):
    """Under a flood, a service of the release before gives its folder to this one, gets it back, and gives it again; each has its own style."""
    before, now = releases()
    place = Place(home, None)
    service = [Service(before, place)]
    try:
        post(now, place, [event("c", number) for number in range(1, 31)])

        def give(release):
            def step():
                service[0].stop()
                service[0] = Service(release, place)
            return step

        steps = [give(now)] if is_short else [give(now), give(before), give(now)]
        flooded(place, now, 14 if is_short else 40, steps)
        wait("what was said to the release before is not shown by this one", lambda: len(set(shown(now, place, "c") or [])) == 30)
        formats = json.loads((place.data / "formats.json").read_text())
        print(f"upgrade:   {len(steps)} times to another release; written now: {formats['written']}", file=sys.stderr)
        service[0].stop()
    finally:
        service[0].kill()
    sound(now, place)
    said = now.run("upgrade", place.data, "--commit")
    if said.returncode != 0:
        raise Failure(f"forme upgrade --commit: {said.stderr}")


def contents(folder):
    """Of every file its checksum; readers of SQLite write how far they read into its index, which is not of the content."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith("-shm")}


def newer_folder(is_short, home):
    """A folder that a release after this one was committed to is refused by all of this one, and stays as it is."""
    before, now = releases()
    place = Place(home, None)
    service = Service(now, place, FORME_TEST_FORMAT="segments")
    try:
        post(now, place, [event("c", number) for number in range(1, 31)])
        wait("nothing is shown", lambda: len(set(shown(now, place, "c") or [])) == 30)
        service.stop()
    finally:
        service.kill()
    kept = contents(place.data)
    for words in (["serve"], ["coordinator"], ["worker"], ["gateway"]):
        said = now.run(*words, "--data", place.data)
        if said.returncode != 74 or "a newer release has this folder" not in said.stderr or "install that release" not in said.stderr:
            raise Failure(f"{words[0]} took a newer folder: {said.returncode} {said.stderr[-400:]}")
        changed = {name for name, sum in contents(place.data).items() if kept.get(name) != sum} | (kept.keys() - contents(place.data).keys())
        if changed:
            raise Failure(f"{words[0]} changed a newer folder: {sorted(changed)}")
    said = before.run("coordinator", "--data", place.data)
    if said.returncode == 0 or not said.stderr.strip():
        raise Failure(f"the release before took a newer folder: {said.stderr[-400:]}")
    print(f"upgrade:   refused by this one; by the one before: {said.stderr.strip().splitlines()[-1][:160]}", file=sys.stderr)
    # And the newer one has all of it.
    service = Service(now, place, FORME_TEST_FORMAT="segments")
    try:
        wait("a newer folder has lost something", lambda: len(set(shown(now, place, "c") or [])) == 30)
        service.stop()
    finally:
        service.kill()


TURNS = {"beside": beside_each_other, "daemons": daemon_by_daemon, "service": whole_service, "newer": newer_folder}


def main():
    parser = argparse.ArgumentParser(prog="deploy/upgrade", description="Holds this release against the one before.")
    parser.add_argument("--short", action="store_true", help="less of each, in some one minute")
    parser.add_argument("--only", choices=TURNS, help="one of them alone")
    parser.add_argument("--list", action="store_true", help="which there are")
    chosen = parser.parse_args()
    if chosen.list:
        for name, turn in TURNS.items():
            print(f"{name:8} {' '.join(turn.__doc__.split())}")
        return
    for name, turn in TURNS.items():
        if chosen.only in (None, name):
            print(f"upgrade: {name}", file=sys.stderr)
            home = pathlib.Path(tempfile.mkdtemp(prefix=f"forme-upgrade-{name}-"))
            begin = time.monotonic()
            try:
                turn(chosen.short, home)
            except Failure as failure:
                sys.exit(f"upgrade: {name}: {failure}")
            shutil.rmtree(home)
            print(f"upgrade: {name}: well, {time.monotonic() - begin:.0f} s", file=sys.stderr)


main()
