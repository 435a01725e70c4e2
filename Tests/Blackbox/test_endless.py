"""Messages that never end: parts that each say that another follows, which libzmq keeps in memory until the last one comes."""
import socket
import time

import ingest
import windows
from cases import case
from service import Service, Trouble, alive
from test_pages import fill
from windows import Words

PART = b"\x01\x64" + b"x" * 100  # 100 bytes, and more to come


def dial(path):
    """A peer that speaks ZMTP 3.0 by hand, as libzmq itself would keep what is not whole."""
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(3)
    peer.connect(path)
    peer.sendall(b"\xff" + bytes(8) + b"\x7f\x03\x00NULL" + bytes(16) + b"\x00" + bytes(31))
    greeting = b""
    while len(greeting) < 64:
        greeting += peer.recv(64 - len(greeting))
    ready = b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER\x08Identity\x00\x00\x00\x00"
    peer.sendall(b"\x04" + bytes([len(ready)]) + ready)
    return peer


def answers(service):
    """Whether a window is shown, and an event kept, by whoever is there now."""
    window = windows.Client(service.fetch).ask(Words.open(3, "c", rows=5), 1)
    event = [{"conversation": "c", "message": "after", "sender": "bo", "time": 1, "order": 99, "text": "still here"}]
    reply = ingest.Producer(service.events).post(event, 1) if window is not None else None
    return reply is not None and reply.get("answers", [{}])[0].get("answer") in ("accepted", "duplicate", "superseded")


@case("endless/message without an end", short=8, takes=5, long=30)
def _(run):
    """It may end the process that it is sent to, and that one alone: another is there at once, with all that was kept."""
    told = []
    with Service(settings={"memory": 64}) as service:
        fill(service, "c", 20, lambda i: f"word {i}")
        for role, name in (("gateway", "fetch"), ("coordinator", "events")):
            (pid,), others = service.pids(role), set(service.family())
            peer, sent, began = dial(f"{service.data}/{name}.ipc"), 0, time.monotonic()
            while alive(pid) and time.monotonic() - began < 60:
                try:
                    peer.sendall(PART * 1000)
                    sent += len(PART) * 1000
                except OSError:
                    break
            while alive(pid) and time.monotonic() - began < 60:
                time.sleep(0.01)
            if alive(pid):
                raise Trouble(f"after {sent >> 20} MB of one message the {role} is there, with {service.memory()[role][0]:.0f} MB")
            ended = time.monotonic()
            while not answers(service):
                if time.monotonic() - ended > 20:
                    raise Trouble(f"no answers 20 s after the {role} ended: {service.said()[-1500:]}")
            back = time.monotonic() - ended
            if back > 2:
                raise Trouble(f"{back:.1f} s without answers after the {role} ended")
            if others - {pid} - set(service.family()):
                raise Trouble(f"others ended, too: {service.said()[-1500:]}")
            if "without an end" not in service.said():
                raise Trouble(f"the log does not say why: {service.said()[-1500:]}")
            told.append(f"{role} ended after {sent >> 20} MB, answers again after {back:.2f} s")
    return ", ".join(told)
