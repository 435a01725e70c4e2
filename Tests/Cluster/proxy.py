"""Network of links that can be cut: one thread stands between all ends."""
import selectors
import socket
import threading
import time

from link import PIECE, Connection, Link, end_at_once


class Network:
    """All links, on a thread of their own until the network is left."""

    def __init__(self):
        self.links, self.late = [], set()
        self.selector = selectors.DefaultSelector()
        self.bell, self.ear = socket.socketpair()
        self.selector.register(self.ear, selectors.EVENT_READ)
        self.is_ending = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def link(self, target):
        link = Link(target)
        self.links.append(link)
        self.bell.send(b"!")
        return link

    def tell(self, links, rule):
        for link in links:
            link.rule = rule
        self.bell.send(b"!")

    def end(self):
        self.is_ending = True
        self.bell.send(b"!")
        self.thread.join()

    def run(self):
        while not self.is_ending:
            for key, events in self.selector.select(0.02 if self.late else None):
                if key.fileobj is self.ear:
                    self.ear.recv(PIECE)
                    self.hear()
                elif isinstance(key.data, Link):
                    self.accept(key.data)
                elif key.fileobj.fileno() >= 0:
                    self.attend(key.data, key.fileobj, events)
            for connection in list(self.late):
                self.attend(connection)

    def hear(self):
        """Takes links that are new, and rules that are."""
        for link in list(self.links):
            if link.listener not in self.selector.get_map():
                self.selector.register(link.listener, selectors.EVENT_READ, link)
            if link.told is not link.rule:
                link.told = link.rule
                for connection in list(link.connections):
                    self.end_connection(connection) if link.rule.resets else self.attend(connection)

    def accept(self, link):
        try:
            caller, _ = link.listener.accept()
        except OSError:
            return
        if link.rule.resets:
            return end_at_once(caller)
        connection = Connection(link, caller)
        link.connections.add(connection)
        self.attend(connection)

    def attend(self, connection, end=None, events=0):
        """Moves what can be moved, and waits for what may be next."""
        now = time.monotonic()
        try:
            if connection.is_refused and now >= connection.next_call:
                connection.called.close()
                connection.dial()
            connection.call()
            if end:
                connection.serve(end, events, now)
        except BlockingIOError:
            pass
        except OSError:
            return self.end_connection(connection)
        if connection.is_over:
            return self.end_connection(connection)
        (self.late.add if connection.is_late(now) else self.late.discard)(connection)
        for one in connection.ways:
            self.wait(one, 0 if connection.is_refused else connection.wants(one, now), connection)

    def wait(self, end, events, connection):
        key = self.selector.get_map().get(end)
        if not key and events:
            self.selector.register(end, events, connection)
        elif key and not events:
            self.selector.unregister(end)
        elif key and key.events != events:
            self.selector.modify(end, events, connection)

    def end_connection(self, connection):
        connection.link.connections.discard(connection)
        self.late.discard(connection)
        for end in connection.ways:
            self.wait(end, 0, connection)
            end.close() if connection.is_over else end_at_once(end)
