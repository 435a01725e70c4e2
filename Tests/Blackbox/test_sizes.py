"""Requests of every size: what Ingest.md promises for each, and that nothing is marked as done that was not."""
import json
import signal
import subprocess
import time

import ingest
import web
import windows
from cases import case
from service import BINARY, ROOT, Service, Trouble, forme, until

MOST, FRAME = 1 << 20, 1 << 22  # bytes of a request; of a frame, above which the connection ends


def request(size, count=1, message="m"):
    """A request of exactly so many bytes: events that are valid, and spaces."""
    events = [{"conversation": "c", "message": f"{message}{i}", "sender": "ada", "time": 1, "order": i, "text": "x"} for i in range(count)]
    body = json.dumps({"events": events}).encode()
    return body[:-1] + b" " * (size - len(body)) + b"}"


@case("sizes/of a request", short=1)
def _(run):
    with Service() as service:
        producer = ingest.Producer(service.events)
        limits = {"events": 256, "bytes": MOST}
        if (answer := producer.ask({"events": []})) != {"answers": [], "limits": limits}:
            raise Trouble(f"no events are answered {answer}")
        before = service.family()
        told = []
        for size in (MOST - 1, MOST, MOST + 1, 2 * MOST, FRAME - 1000, FRAME):
            answer = producer.ask(request(size, message=f"s{size}-"), 5, raw=True)
            if answer is None:
                raise Trouble(f"a request of {size} bytes is not answered")
            good = answer.get("answers") == [{"answer": "accepted"}] if size <= MOST else "error" in answer and answer.get("limits") == limits
            if not good:
                raise Trouble(f"a request of {size} bytes is answered {answer}")
            if size > MOST and (str(MOST) not in answer["error"] or str(size) not in answer["error"]):
                raise Trouble(f"a request of {size} bytes is told {answer['error']!r}, without both numbers")
        # So many events, and one more.
        for count in (256, 257):
            answer = producer.ask(request(100_000, count, f"n{count}-"), 5, raw=True)
            if answer is None or (("error" in answer and answer["limits"] == limits) if count > 256 else len(answer.get("answers", ())) == 256) is False:
                raise Trouble(f"{count} events are answered {answer}")
        # Longer ends the connection; the log has it with the limit, and another is served meanwhile and the same afterwards.
        other = ingest.Producer(service.events)
        for size in (FRAME + 1, 3 * FRAME):
            number = producer.send(request(size, message="long"), raw=True)
            began = time.monotonic()
            if other.ask(request(200, message=f"meanwhile{size}-"), 2, raw=True) is None:
                raise Trouble(f"somebody else is not answered beside a request of {size} bytes")
            told.append(time.monotonic() - began)
            until(lambda: "ended a connection that sent a frame longer than one may be" in service.said(), 5,
                  lambda: f"a frame of {size} bytes in the log: {service.said()[-500:]}")
            producer.close()
            producer.connect()
            if producer.ask(request(200, message=f"again{size}-"), 5, raw=True) is None:
                raise Trouble(f"no answer on the next connection, after a request of {size} bytes")
        # The frames before a request.
        for size, good in ((1024 - 8, True), (1025, False)):
            producer.socket.send_multipart([bytes(8), bytes(size), request(200, message=f"f{size}-")])
            if not producer.socket.poll(3000):
                raise Trouble(f"a request behind {size + 8} bytes of frames is not answered")
            parts = producer.socket.recv_multipart()
            if ("answers" in json.loads(parts[-1])) != good or (parts[:-1] == [bytes(8), bytes(size)]) != good:
                raise Trouble(f"a request behind {size + 8} bytes of frames is answered {[part[:200] for part in parts]}")
        # HTTP: as much, and no more.
        for size, wanted in ((MOST - 1, 200), (MOST, 200), (MOST + 1, 413), (FRAME, 413), (16 * MOST, 413)):
            status = web.status_of(service.port, "/v1/conversations/c/events", request(size, message=f"h{size}-"), kind="application/json")
            if status != wanted:
                raise Trouble(f"a request of {size} bytes over HTTP is answered {status}, not {wanted}")
        # Nothing may be laid out yet, and the conversation not known.
        rows = until(lambda: windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 200, bodies=False, messages=False))[0],
                     20, "a row of what was accepted")
        if any(row["message"].startswith("long") for row in rows):
            raise Trouble("an event of a frame that is too long is shown")
        if service.family() != before:
            raise Trouble(f"processes ended: {before} -> {service.family()}")
    return f"sizes up to {3 * FRAME} bytes answered as the page says, others within {max(told) * 1000:.0f} ms meanwhile"


def lines(count, size=10, conversation="i"):
    return [json.dumps({"conversation": conversation, "message": f"m{i:05}", "sender": "ada", "time": i, "order": i, "text": ("word " * size)[:size]})
            for i in range(count)]


def found(service, conversation="i"):
    rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), conversation, 256, bodies=False, messages=False))
    return {row["message"] for row in rows or []}


@case("sizes/post and import lose no line", short=2, long=10)
def _(run):
    """Lines that together are more than a request takes, and limits that become smaller while an import goes on."""
    with Service(workers=1) as service:
        # 100 lines of 15 KB are two requests by their bytes.
        big = lines(100, 15000, "big")
        file = service.home / "big.jsonl"
        file.write_text("\n".join(big) + "\n")
        for command, words, into in (("post", (), file.read_bytes()), ("import", (file,), None)):
            done = forme(command, "--config", service.config, *words, check=False, **({"input": into} if into else {}))
            if done.returncode != 0:
                raise Trouble(f"forme {command} of 1.5 MB ends with {done.returncode}: {(done.stdout + done.stderr).decode()[-500:]}")
        until(lambda: len(found(service, "big")) == 100, 20, lambda: f"100 long lines: {len(found(service, 'big'))}")
        # Limits go down to a tenth while lines are on their way, and the import learns it from an error.
        count = run.pick(8000, 100000)
        file = service.home / "many.jsonl"
        file.write_text("\n".join(lines(count)) + "\n")
        log = open(service.home / "import", "wb")
        process = subprocess.Popen([str(BINARY), "import", "--config", str(service.config), str(file)], cwd=ROOT, stdout=log, stderr=log)
        changed = 0
        try:
            while process.poll() is None and changed < 20:
                changed += 1
                service.write(limits={"eventsPerRequest": (200, 7, 120, 3)[changed % 4]})
                service.process.send_signal(signal.SIGHUP)
                time.sleep(0.1)
            service.write(limits={"eventsPerRequest": 256})
            service.process.send_signal(signal.SIGHUP)
            code = process.wait(60)
        finally:
            process.kill()
        said = (service.home / "import").read_text()
        # Nothing is to be marked as done that was not kept: another run has all that the first one listed.
        if code not in (0, 1):
            raise Trouble(f"forme import ends with {code}: {said[-500:]}")
        again = forme("import", "--config", service.config, file, check=False)
        names = {f"m{i:05}" for i in range(count)}
        until(lambda: pending(service, count) == 0, run.pick(20, 60), lambda: f"all {count} lines kept: {pending(service, count)} are not; {said[-500:]} {again.stdout[-300:]}")
        if code != 0:
            raise Trouble(f"forme import ends with {code}, though every line can be kept: {said[-500:]}")
    return f"1.5 MB in 100 lines and {count} lines under limits that changed {changed} times: all kept"


def pending(service, count):
    """How many of the first `count` messages are not there: a window at the newest row says how many are above it."""
    client = windows.Client(service.fetch)
    answer = client.ask(windows.Words.open(1, "i", rows=1, bodies=False))
    client.close()
    return count - (answer["rowsAbove"] + len(answer["rows"]) if answer and answer["word"] == "window" else 0)
