"""More than the service can take: clients that do not read, and three times what the workers can do."""
import json
import signal
import socket
import threading
import time
from pathlib import Path

import zmq

import ingest
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import Service, Trouble, send
from test_pages import fill
from windows import Words

MOST = 512  # MB: what one process may take


class Watch:
    """Memory by role, and how long an ordinary reader and an ordinary producer wait meanwhile."""

    def __init__(self, service, conversation):
        self.service, self.conversation = service, conversation
        self.ended, self.most, self.waits, self.silent = threading.Event(), {}, {"window": [], "event": []}, []
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.look, self.read, self.write)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, kind, error, trace):
        self.ended.set()
        for thread in self.threads:
            thread.join(20)

    def look(self):
        while not self.ended.wait(0.1):
            for role, (now, _) in self.service.memory().items():
                self.most[role] = max(self.most.get(role, 0), now)

    def read(self):
        client = windows.Client(self.service.fetch)
        while not self.ended.wait(0.05):
            began = time.monotonic()
            answer = client.ask(Words.open(3, self.conversation, rows=20), 10)
            client.told.clear()
            self.waits["window"].append(time.monotonic() - began)
            if answer is None:
                self.silent.append("a window")

    def write(self):
        producer, count = ingest.Producer(self.service.events), 0
        while not self.ended.wait(0.05):
            began, count = time.monotonic(), count + 1
            answer = producer.post([{"conversation": "watched", "message": f"w{count}", "sender": "bo", "time": count, "order": count,
                                     "text": "still here"}], 10)
            self.waits["event"].append(time.monotonic() - began)
            if answer is None:
                self.silent.append("an event")

    def verdict(self, slowest):
        told = ", ".join(f"{role} {most:.0f} MB" for role, most in sorted(self.most.items()))
        for what, waits in self.waits.items():
            waits.sort()
            if not waits:
                raise Trouble(f"no {what} was asked for")
            late = waits[int(len(waits) * 0.99)]
            told += f", {what} p50 {waits[len(waits) // 2] * 1000:.0f} p99 {late * 1000:.0f} ms"
            if late > slowest:
                raise Trouble(f"an ordinary {what} waits {late:.1f} s at the 99th percentile ({told})")
        if self.silent:
            raise Trouble(f"{len(self.silent)} times no answer to {self.silent[0]} ({told})")
        for role, most in self.most.items():
            if most > MOST:
                raise Trouble(f"a {role} takes {most:.0f} MB ({told})")
        return told


def deaf(context, address, waiting):
    """A socket that says much, and hears nothing: so many words wait in it at most."""
    each = context.socket(zmq.DEALER)
    for option, value in ((zmq.RCVHWM, 1), (zmq.SNDHWM, waiting), (zmq.LINGER, 0)):
        each.setsockopt(option, value)
    each.connect(address)
    return each


@case("pressure/producers that do not read", short=4, long=60)
def _(run):
    with Service() as service:
        fill(service, "c", 50, lambda i: f"word {i}")
        before, posted = service.family(), 0
        context = zmq.Context()
        request = json.dumps({"events": [{"conversation": "flood", "message": f"m{i}", "sender": "ada", "time": i, "order": i,
                                          "text": "the same again"} for i in range(200)]}).encode()
        with Watch(service, "c") as watch:
            sockets = [deaf(context, service.events, 10) for _ in range(8)]
            going = run.clock()
            while going():
                for each in sockets:
                    try:
                        each.send_multipart([bytes(8), request], zmq.NOBLOCK)
                        posted += 1
                    except zmq.Again:
                        pass
                time.sleep(0.002)
        context.destroy(linger=0)
        told = watch.verdict(5.0)
        if service.family() != before:
            raise Trouble(f"processes ended: {before} -> {service.family()}")
    return f"{posted} requests of 200 events whose answers nobody read: {told}"


@case("pressure/readers that do not read", short=4, long=60)
def _(run):
    with Service() as service:
        fill(service, "wide", 200, lambda i: f"{i} " + "words in a long message " * 300, request=50)
        before, asked = service.family(), 0
        context = zmq.Context()
        with Watch(service, "wide") as watch:
            sockets = [deaf(context, service.fetch, 100) for _ in range(8)]
            going = run.clock()
            while going():
                for each in sockets:
                    try:
                        each.send(windows.frame(Words.open(1 + asked % 4, "wide", rows=256, messages=True), asked), zmq.NOBLOCK)
                        asked += 1
                    except zmq.Again:
                        pass
                time.sleep(0.002)
        context.destroy(linger=0)
        told = watch.verdict(5.0)
        if service.family() != before:
            raise Trouble(f"processes ended: {before} -> {service.family()}")
    return f"{asked} windows of 256 long rows that nobody read: {told}"


@case("pressure/streams that do not read", short=4, long=60)
def _(run):
    with Service() as service:
        fill(service, "wide", 200, lambda i: f"{i} " + "words in a long message " * 200, request=50)
        before, pipelined = service.family(), 0
        idle = []
        with Watch(service, "wide") as watch:
            for i in range(run.pick(60, 200)):
                each = socket.socket()
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                try:
                    each.connect(("127.0.0.1", service.port))
                    each.sendall(b"GET /v1/conversations/wide/changes?target=390@3&count=256&with=body HTTP/1.1\r\nHost: a\r\n\r\n")
                except OSError:
                    pass  # so many of one address may be refused
                each.setblocking(False)
                idle.append(each)
            for i in range(run.pick(30, 100)):
                each = socket.socket()
                each.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                try:
                    each.connect(("127.0.0.1", service.port))
                except OSError:
                    pass
                each.setblocking(False)
                idle.append(each)
            producer, count = ingest.Producer(service.events), 0
            going = run.clock()
            while going():
                for each in idle[run.pick(60, 200):]:
                    try:
                        each.send(b"GET /v1/conversations/wide/window?target=390@3&count=256&with=body HTTP/1.1\r\nHost: a\r\n\r\n" * 4)
                        pipelined += 4
                    except OSError:
                        pass
                count += 1
                producer.post([{"conversation": "wide", "message": f"m{count % 200:06}", "sender": "ada", "time": count, "revision": count + 1,
                                "text": f"{count} " + "an edit that all hear of " * 200}], 5)
                time.sleep(0.02)
        for each in idle:
            each.close()
        told = watch.verdict(5.0)
        if service.family() != before:
            raise Trouble(f"processes ended: {before} -> {service.family()}")
    return f"{len(idle)} connections that read nothing, {count} edits, {pipelined} requests behind each other: {told}"


def niceness(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[16])


@case("pressure/workers give way", short=1, long=1)
def _(run):
    with Service() as service:
        usual = niceness(service.process.pid)
        for pid, role in service.family().items():
            wanted = min(usual + (3 if role == "worker" else 0), 19)
            if niceness(pid) != wanted:
                raise Trouble(f"a {role} has the niceness {niceness(pid)}, not {wanted}")


@case("pressure/three times capacity", short=6, takes=10.5, long=60, limit=300)
def _(run):
    """One worker that runs a fifth of the time, and producers that never rest: busy is an answer, and nothing is lost."""
    ledger = Ledger()
    busy = [0]
    with Service(workers=1) as service:
        writers = crew(service, ledger, run.seed, conversations=6, zmq_producers=4, http_producers=2, batch=60)
        for scribe in writers.scribes:
            post = scribe.producer.post
            def counted(events, seconds=5.0, post=post):
                reply = post(events, seconds)
                if reply is None:
                    return reply
                busy[0] += sum(answer["answer"] == "busy" for answer in reply.get("answers", []))
                return reply
            scribe.producer.post = counted
        most = {}
        with writers:
            going = run.clock()
            while going() and not writers.errors:
                for number, pause in ((signal.SIGSTOP, 0.4), (signal.SIGCONT, 0.1)):
                    for pid in service.pids("worker"):
                        send(pid, number)
                    time.sleep(pause)
                for role, (now, _) in service.memory().items():
                    most[role] = max(most.get(role, 0), now)
        for pid in service.pids("worker"):
            send(pid, signal.SIGCONT)
        compared = read_back(service, ledger, (100, 256), 120)
        told = ", ".join(f"{role} {each:.0f} MB" for role, each in sorted(most.items()))
        if not busy[0]:
            raise Trouble(f"{writers.posted} events were accepted, and none was told to wait ({told})")
        if max(most.values()) > MOST:
            raise Trouble(told)
    return f"{writers.posted} events accepted, {busy[0]} times busy, {compared} rows compared, {told}"
