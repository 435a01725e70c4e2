"""What machines do: disks fill up, clocks jump, handles run out, fsync fails. Nothing acknowledged is lost, and it goes on after."""
import ctypes
import json
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import faults
import ingest
import web
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import Service, Trouble, until
from test_pages import fill
from test_tokens import Gate

HERE = Path(__file__).resolve().parent


class Calm:
    """Events that are posted once and never again, so that an answer stands for itself: accepted, busy, or none."""

    def __init__(self, service, conversation="calm"):
        self.service, self.conversation, self.count = service, conversation, 0
        self.accepted, self.busy, self.maybe, self.answers = [], [], [], {}

    def post(self, seconds=1.0, size=2000):
        producer = ingest.Producer(self.service.events)
        self.count += 1
        name = f"p{self.count:05}"
        reply = producer.post([{"conversation": self.conversation, "message": name, "sender": "ada", "time": self.count,
                                "order": self.count, "text": "word " * (size // 5) + name}], seconds)
        producer.close()
        answer = "none" if reply is None else reply["answers"][0]["answer"] if "answers" in reply else "error"
        self.answers[answer] = self.answers.get(answer, 0) + 1
        if answer == "accepted":
            self.accepted.append(name)
        elif answer == "none":
            self.maybe.append(name)
        elif answer == "busy":
            self.busy.append(name)
        else:
            raise Trouble(f"answered {reply}")
        return answer

    def doubt(self):
        """The disk failed and the coordinator was killed: what was answered busy may have been kept, and is a duplicate then."""
        self.maybe += self.busy
        self.busy.clear()

    def check(self, seconds=30):
        """All that were accepted are there, and what was told to be busy is not."""
        client = windows.Client(self.service.fetch)
        found = []
        def there():
            nonlocal found
            # All rows are read when there are enough of them: reading takes both sides longer than laying them out.
            told = client.ask(windows.Words.open(8, self.conversation, rows=1, bodies=False), 5)
            client.say(windows.Words.close(8))
            client.told.clear()
            if told is None or told["word"] != "window" or told["rowsAbove"] + len(told["rows"]) < len(self.accepted):
                return False
            try:
                rows, _ = windows.walk(client, self.conversation, 50)
            except windows.Busy:
                return False
            found = [row["message"] for row in rows or [] if row["body"] and row["body"]["layout"]]
            return set(self.accepted) <= set(found)
        until(there, seconds, lambda: f"all accepted events: {sorted(set(self.accepted) - set(found))[:10]} are missing")
        extra = set(found) - set(self.accepted) - set(self.maybe)
        if extra:
            raise Trouble(f"shown, though they were answered busy: {sorted(extra)[:10]}")
        return len(found)


def small_disk(megabytes):
    """A tmpfs in a mount name space of this process's own, or None where none may be mounted."""
    libc = ctypes.CDLL(None, use_errno=True)
    NEWNS, NEWUSER, PRIVATE, RECURSIVE = 0x20000, 0x10000000, 1 << 18, 1 << 14
    user, group = os.getuid(), os.getgid()
    if libc.unshare(NEWNS if user == 0 else NEWNS | NEWUSER) != 0:
        return None
    if user != 0:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    folder = tempfile.mkdtemp(prefix="forme-blackbox-disk-")
    libc.mount(b"none", b"/", None, RECURSIVE | PRIVATE, None)
    if libc.mount(b"none", folder.encode(), b"tmpfs", 0, f"size={megabytes}m".encode()) != 0:
        os.rmdir(folder)
        return None
    return Path(folder)


def fill_up(folder, leave=0):
    """Takes all room that is left, but for so many bytes."""
    ballast = folder / "ballast"
    with open(ballast, "ab", buffering=0) as file:
        for size in (1 << 20, 4096):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
        if leave:
            file.truncate(max(0, file.tell() - leave))
    return ballast


@case("disasters/full disk", short=4, long=60, takes=20)
def _(run):
    disk = small_disk(256)
    if disk is None:
        return "skipped: no file system may be mounted here"
    rounds, read, ended = 0, 0, []
    try:
        with tempfile.TemporaryDirectory(prefix="forme-blackbox-log-") as logs, Service(place=disk, log=Path(logs)) as service:
            fill(service, "stored", 100, lambda i: f"word {i}")
            calm = Calm(service)
            ledger = Ledger()
            going = run.clock()
            while going() or rounds < 1:
                rounds += 1
                calm.post(5)
                ballast = fill_up(disk, run.random.choice((0, 0, 4096, 65536)))
                begun = time.monotonic()
                refused = posted = 0
                # What the log has room for is accepted; once that is used up, nobody is.
                while time.monotonic() - begun < run.pick(2, 4) or not refused and time.monotonic() - begun < 40:
                    is_filling = time.monotonic() - begun >= run.pick(2, 4)
                    refused += calm.post(2, 15000 if is_filling else run.random.choice((10, 2000, 15000))) == "busy"
                    posted += 1
                    # A thousand long events fill the log: then what is stored is read once for some of them.
                    if is_filling and not refused and posted % 8:
                        continue
                    try:
                        rows, answer = windows.walk(windows.Client(service.fetch), "stored", 50, seconds=2)
                    except windows.Busy as error:
                        raise Trouble(f"a full disk: what is stored is not read: {error}; {service.said()[-600:]}") from None
                    if rows is None or len(rows) != 100 or not all(row["body"] for row in rows):
                        raise Trouble(f"a full disk: {rows and len(rows)} of 100 stored rows are read ({answer})")
                    read += len(rows)
                if not refused:
                    raise Trouble(f"a full disk: nobody was told busy: {calm.answers}")
                if rounds % 2 == 0:
                    service.signal(9, "coordinator", "worker")
                    calm.doubt()
                ballast.unlink()
                until(lambda: calm.post(2) == "accepted", 20, lambda: f"accepted again, when there is room: {calm.answers}")
            # A log full of long messages has to be laid out.
            found = calm.check(90)
            if service.stop() != 0:
                raise Trouble("serve does not end in order after a full disk")
            service.start()
            calm.check()
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=False)
        os.rmdir(disk)
    return f"{rounds} times full, {calm.answers}, {found} rows found, {read} stored rows read meanwhile"


@case("disasters/clock jumps", short=3, long=60, takes=5)
def _(run):
    ledger = Ledger()
    with tempfile.TemporaryDirectory(prefix="forme-blackbox-clock-") as folder:
        clock = Path(folder) / "clock"
        clock.write_text("0")
        with Service(environment={"FORME_TEST_CLOCK": str(clock)}) as service:
            before = service.family()
            writers = crew(service, ledger, run.seed, conversations=3, rate=100)
            jumps = []
            with writers:
                going = run.clock()
                while going() and not writers.errors:
                    jumps.append(run.random.choice((86400, -86400, 400 * 86400, -400 * 86400, 3600, -3600, 5, -5, 0, 2**31)))
                    clock.write_text(str(jumps[-1]))
                    writers.ended.wait(run.random.uniform(0.3, 1.5))
            compared = read_back(service, ledger, (100,), 60)
            if service.family() != before:
                raise Trouble(f"processes ended: {before} -> {service.family()}, jumps {jumps}")
            service.restart()
            compared += read_back(service, ledger, (100,), 60)
    return f"{len(jumps)} jumps, {writers.posted} events, {compared} rows compared, the same processes all the time"


@case("disasters/clock jumps, persons and tokens", short=2, long=30)
def _(run):
    """While clocks jump, persons post with tokens, react, and hold streams: all that was accepted is shown, and streams tell it."""
    with tempfile.TemporaryDirectory(prefix="forme-blackbox-clock-") as folder:
        clock = Path(folder) / "clock"
        clock.write_text("0")
        gate = Gate()
        gate.service.environment["FORME_TEST_CLOCK"] = str(clock)
        with gate:
            service = gate.service
            fill(service, "c", 3, lambda i: f"word {i}")
            before, reader = service.family(), gate.line("--all", "--read")
            persons = {name: gate.line("--all", "--write", "--subject", name) for name in ("ada", "bo")}
            stream = gate.stream(gate.token("--all", "--read", "--for", "1h"), True)
            jumps, expected, going, count = [], {f"m{i:06}" for i in range(3)}, run.clock(), 0
            while going() or count < 40:
                if count % 4 == 0:
                    jumps.append(run.random.choice((86400, -86400, 400 * 86400, -400 * 86400, 3600, -3600, 5, -5, 0, 2**31)))
                    clock.write_text(str(jumps[-1]))
                count += 1
                name = run.random.choice(("ada", "bo"))
                event = {"message": f"p{count}", "sender": name, "time": 1, "text": f"{count}"}
                if count % 3 == 0:
                    event = {"message": "m000001", "revision": count, "react": {"emoji": [f"{count % 5}"]}}
                body = json.dumps({"events": [{"conversation": "c", **event}]}).encode()
                end = time.monotonic() + 10
                while True:
                    reply = persons[name].request("POST", "/v1/conversations/c/events", body, {"Content-Type": "application/json"}, 5)
                    answer = reply.json()["answers"][0]["answer"] if reply.status == 200 else reply.status
                    if answer in ("accepted", "duplicate"):
                        break
                    if answer not in (429, 503, "busy", 401) or time.monotonic() > end:  # by its own clock a token may be over, or not yet valid
                        raise Trouble(f"{event} of {name} is answered {reply.status} {reply.body[:200]!r} after jumps {jumps}")
                    if answer == 401:
                        clock.write_text("0")
                if "text" in event:
                    expected.add(event["message"])
                while stream.next(0) is not None:
                    pass
            clock.write_text("0")
            def same():
                rows, _ = windows.patiently(lambda: windows.walk_http(reader, "c", 256))
                return {row["message"] for row in rows or [] if row["body"] and row["body"]["layout"]} == expected
            until(same, 20, f"{len(expected)} messages shown")
            if service.family() != before:
                raise Trouble(f"processes ended: {before} -> {service.family()}, jumps {jumps}")
    return f"{len(jumps)} jumps, {count} events of persons, {len(expected)} rows, the same processes all the time"


@case("disasters/handles run out beside streams", short=2, long=30)
def _(run):
    """The gateway has no handles left while streams are open and files of shards/ go: streams that were there hear of every message."""
    with Service() as service:
        fill(service, "c", 20, lambda i: f"word {i}")
        producer, streams, posted, squeezed, going = ingest.Producer(service.events), [], 0, 0, run.clock()
        while going() or squeezed < 2:
            # Shards that were lost are being made again.
            streams = [windows.streaming(service.port, "c", bool(i % 2), target="390@3", count=20) for i in range(4)]
            mirrors = [windows.Mirror(windows.heard(stream.next())[1] if stream.frames else windows.heard_json(stream.next())) for stream in streams]
            pids = {pid: resource.prlimit(pid, resource.RLIMIT_NOFILE) for pid in service.pids("gateway", run.random.choice(("coordinator", "worker")))}
            for pid, normal in pids.items():
                resource.prlimit(pid, resource.RLIMIT_NOFILE, (len(os.listdir(f"/proc/{pid}/fd")), normal[1]))
            squeezed += 1
            lines = [web.Line(service.port) for _ in range(20)]
            for line in lines:
                try:
                    line.get("/v1/conversations/c/window", None, 0.05, target="390@3")
                except OSError:
                    pass
            if squeezed % 2:
                faults.Faults(service, run.random, ()).lose_running()
            for _ in range(5):
                posted += 1
                producer.post([{"conversation": "c", "message": f"n{posted:05}", "sender": "ada", "time": 1, "order": 100 + posted, "text": f"{posted}"}], 0.3)
            for pid, normal in pids.items():
                try:
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, normal)
                except (OSError, ProcessLookupError):
                    pass
            for line in lines:
                line.close()
            ingest.answers_until_kept(producer, [{"conversation": "c", "message": f"n{i:05}", "sender": "ada", "time": 1, "order": 100 + i, "text": f"{i}"}
                                                 for i in range(1, posted + 1)])
            wanted = f"n{posted:05}"
            for stream, mirror in zip(streams, mirrors):
                end = time.monotonic() + 20
                while wanted not in {row["message"] for row in mirror.rows}:
                    heard = stream.next(max(0.01, end - time.monotonic()))
                    word = heard and (windows.heard(heard)[1] if stream.frames else windows.heard_json(heard))
                    if word and word["word"] == "changes":
                        mirror.apply(word)
                    elif word and word["word"] == "window":
                        mirror.page(word)
                    elif stream.ended or word is None:
                        if not stream.ended:
                            raise Trouble(f"a stream of {'frames' if stream.frames else 'events'} hears nothing of {wanted} for 20 s")
                        break  # it may end: whoever comes back is told all (below)
                stream.close()
        client = windows.Client(service.fetch)
        until(lambda: [row["message"] for row in windows.patiently(lambda: windows.walk(client, "c", 256))[0] or []]
              == [f"m{i:06}" for i in range(20)] + [f"n{i:05}" for i in range(1, posted + 1)], 30, f"all {20 + posted} rows")
        if service.stop() != 0:
            raise Trouble("serve does not end in order")
    return f"{squeezed} times no handles were left beside 4 streams, {posted} messages, each of them told"


@case("disasters/handles run out", short=4, long=60, takes=6)
def _(run):
    ledger, squeezed = Ledger(), []
    with Service() as service:
        writers = crew(service, ledger, run.seed, conversations=3, rate=100)
        with writers:
            writers.ended.wait(0.5)
            going = run.clock()
            while going() and not writers.errors:
                pid = run.random.choice(service.pids())
                role = service.family().get(pid)
                try:
                    normal = resource.prlimit(pid, resource.RLIMIT_NOFILE)
                    count = len(os.listdir(f"/proc/{pid}/fd"))
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, (min(count + run.random.choice((0, 1, 4)), normal[0]), normal[1]))
                except (OSError, ProcessLookupError):
                    continue
                squeezed.append(role)
                # Those who come meanwhile: many connections, over all roads.
                crowd = [ingest.Producer(service.events) for _ in range(10)] + [windows.Client(service.fetch) for _ in range(10)]
                lines = []
                for _ in range(20):
                    line = web.Line(service.port)
                    lines.append(line)
                    try:
                        line.get("/v1/conversations/talk-0/window", None, 0.3, target="390@3")
                    except OSError:
                        pass
                time.sleep(run.random.uniform(0.3, 1.5))
                for each in crowd + lines:
                    each.close()
                try:
                    resource.prlimit(pid, resource.RLIMIT_NOFILE, normal)
                except (OSError, ProcessLookupError):
                    pass
        compared = read_back(service, ledger, (100, 256), 60)
        if service.stop() != 0:
            raise Trouble("serve does not end in order")
    return f"{len(squeezed)} times no handles were left ({', '.join(sorted(set(squeezed)))}), {writers.posted} events, {compared} rows compared"


@case("disasters/few handles from the start", short=3, long=3, takes=1.5)
def _(run):
    """With few handles a service says so and ends, or it serves."""
    told = []
    for limit in run.pick((32, 256), (16, 32, 64, 256)):
        service = Service(prefix=["prlimit", f"--nofile={limit}"])
        service.start(wait=0)
        end = time.monotonic() + 15
        while time.monotonic() < end and service.process.poll() is None and "message=ready" not in service.said():
            time.sleep(0.05)
        code = service.process.poll()
        if code is not None:
            said = service.said().strip().splitlines()
            if code == 0 or not said or "Fatal" in service.said():
                raise Trouble(f"with {limit} handles serve ends with {code}: {said[-3:]}")
            told.append(f"{limit}: ends with {code}")
        elif "message=ready" in service.said():
            calm = Calm(service)
            until(lambda: calm.post(5) == "accepted", 10, lambda: f"accepted with {limit} handles: {calm.answers} {service.said()[-500:]}")
            calm.check()
            told.append(f"{limit}: serves")
        else:
            service.kill()
            raise Trouble(f"with {limit} handles serve is neither ready nor ends: {service.said()[-500:]}")
        service.__exit__(None, None, None)
    return ", ".join(told)


def failing_sync():
    """A library of ours that fails fsync and fdatasync as a file says: every n-th of a process, none for 0."""
    folder = Path(tempfile.mkdtemp(prefix="forme-blackbox-sync-"))
    library = folder / "sync.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(library), str(HERE / "sync.c"), "-ldl", "-pthread"], check=True)
    said = folder / "every"
    said.write_text("0")
    return library, said


@case("disasters/fsync fails", short=4, long=60, takes=9)
def _(run):
    library, every = failing_sync()
    ledger, told = Ledger(), []
    with Service(environment={"LD_PRELOAD": str(library), "BLACKBOX_SYNC": str(every)}) as service:
        fill(service, "stored", 50, lambda i: f"word {i}")
        if not (every.parent / "counted").exists():
            raise Trouble("nothing was synced with the disk, though events were acknowledged")
        calm = Calm(service)
        going, rounds = run.clock(), 0
        while going() or rounds < 2:
            number = (1, run.random.choice((2, 3, 7)))[rounds % 2]
            rounds += 1
            calm.post(5)
            every.write_text(str(number))
            begun, refused = time.monotonic(), 0
            while time.monotonic() - begun < run.pick(1.0, 3.0):
                answer = calm.post(1.5)
                if number == 1 and answer == "accepted":
                    raise Trouble(f"accepted, though no fsync succeeds: {calm.answers}")
                refused += answer == "busy"
                time.sleep(0.02)
            if run.random.random() < 0.3:
                service.signal(9, "coordinator")
                calm.doubt()
            every.write_text("0")
            told.append(f"every {number}.: {refused} busy")
            until(lambda: calm.post(2) == "accepted", 30, lambda: f"accepted again, when fsync works: {calm.answers}; {service.said()[-800:]}")
        found = calm.check(60)
        rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "stored", 50))
        if len(rows) != 50:
            raise Trouble(f"{len(rows)} of 50 stored rows")
        service.kill()
        service.start()
        calm.check(60)
    return f"{rounds} times ({', '.join(told[:4])} …), {calm.answers}, {found} rows found, also after kill -9"
