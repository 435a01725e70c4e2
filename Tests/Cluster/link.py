"""Link of a network: a listener with one end behind it, and a rule for the bytes between them, which can be changed at any time."""
import selectors
import socket
import struct
from collections import deque
from dataclasses import dataclass

PIECE = 1 << 16
# Bytes that wait in one direction; then nothing more is read, as a network holds no more.
ROOM = 1 << 18
# Seconds until somebody who does not listen is called again.
AGAIN = 0.1


@dataclass(frozen=True)
class Rule:
    """What becomes of bytes: forth is from the caller to the called. Bytes that do not pass are held, as TCP sends them again once it can."""
    forth: bool = True
    back: bool = True
    delay: float = 0  # seconds
    rate: int = 0  # bytes a second; 0 is any
    resets: bool = False


OPEN = Rule()
CUT = Rule(forth=False, back=False)
ONLY_FORTH = Rule(back=False)
ONLY_BACK = Rule(forth=False)
SLOW = Rule(delay=0.2, rate=1 << 16)
RESET = Rule(resets=True)


def end_at_once(end):
    """With a reset."""
    end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    end.close()


class Way:
    """One direction of a connection."""

    def __init__(self, source, sink, link, is_forth):
        self.source, self.sink, self.link, self.is_forth = source, sink, link, is_forth
        self.waiting = deque()  # of the moment from which it may go on, and bytes; none where the source has ended
        self.size, self.last, self.is_read, self.is_told = 0, 0.0, False, False

    @property
    def passes(self):
        return self.link.rule.forth if self.is_forth else self.link.rule.back

    @property
    def reads(self):
        return self.passes and not self.is_read and self.size < ROOM

    def writes(self, now):
        return self.passes and bool(self.waiting) and self.waiting[0][0] <= now

    def read(self, now):
        piece = self.source.recv(PIECE)
        rule = self.link.rule
        self.last = max(self.last, now + rule.delay) + (len(piece) / rule.rate if rule.rate else 0)
        self.waiting.append((self.last if rule.delay else now, piece))
        self.size += len(piece)
        self.is_read = not piece

    def write(self, now):
        while self.writes(now):
            due, piece = self.waiting[0]
            if not piece:
                self.sink.shutdown(socket.SHUT_WR)
                self.waiting.popleft()
                self.is_told = True
                return
            sent = self.sink.send(piece)
            self.size -= sent
            if sent < len(piece):
                self.waiting[0] = (due, piece[sent:])
                return
            self.waiting.popleft()


class Connection:
    """Two ends, the caller and the called, with a way in each direction."""

    def __init__(self, link, caller):
        self.link, self.caller = link, caller
        caller.setblocking(False)
        caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.dial()

    def dial(self):
        self.called = socket.socket()
        self.called.setblocking(False)
        self.called.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.is_calling = self.is_connected = self.is_refused = False
        self.next_call = 0
        forth, back = Way(self.caller, self.called, self.link, True), Way(self.called, self.caller, self.link, False)
        self.ways = {self.caller: (forth, back), self.called: (back, forth)}  # of each end: what is read there, and written

    def call(self):
        """A network that is cut connects nobody."""
        if not self.is_calling and self.link.rule.forth:
            self.is_calling = True
            self.called.connect_ex(self.link.target)

    def wants(self, end, now):
        """Events to wait for at an end of it."""
        if not self.is_connected:
            return selectors.EVENT_WRITE if end is self.called and self.is_calling else 0
        reading, writing = self.ways[end]
        return (reading.reads and selectors.EVENT_READ) | (writing.writes(now) and selectors.EVENT_WRITE)

    def serve(self, end, events, now):
        if not self.is_connected:
            # The caller is connected already, so that it cannot be refused: it waits until somebody listens.
            self.is_refused = self.called.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0
            self.is_connected = not self.is_refused
            self.next_call = now + AGAIN
            return
        reading, writing = self.ways[end]
        if events & selectors.EVENT_READ:
            reading.read(now)
            reading.write(now)
        if events & selectors.EVENT_WRITE:
            writing.write(now)

    def is_late(self, now):
        """Something waits for its time."""
        return self.is_refused or any(way.waiting and way.waiting[0][0] > now for way, _ in self.ways.values())

    @property
    def is_over(self):
        return all(way.is_told for way, _ in self.ways.values())


class Link:
    """One direction of a network: calls at its address are calls to the target, under a rule."""

    def __init__(self, target):
        self.target, self.rule, self.told = target, OPEN, OPEN
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.listener.setblocking(False)
        self.address = "{}:{}".format(*self.listener.getsockname())
        self.connections = set()
