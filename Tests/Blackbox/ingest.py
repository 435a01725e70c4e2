"""Producers, as Ingest.md has them: events in, an answer for each. Over ZeroMQ, and over HTTP."""
import itertools
import json
import time

import zmq

import web


class Producer:
    """A DEALER. Requests are told apart by a number of their own that comes back before the answer."""

    def __init__(self, address):
        self.address = address
        self.socket = None
        self.numbers = itertools.count(1)
        self.connect()

    def connect(self):
        self.close()
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 50)
        self.socket.setsockopt(zmq.RECONNECT_IVL_MAX, 200)
        self.socket.connect(self.address)

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def send(self, request, raw=False):
        """Sends and does not wait; ends with the number of the request."""
        number = next(self.numbers)
        body = request if raw else json.dumps(request, ensure_ascii=False).encode()
        self.socket.send_multipart([number.to_bytes(8, "big"), body], copy=True)
        return number

    def receive(self, seconds):
        """(number, answer), or None when nothing came in time."""
        if not self.socket.poll(max(0, int(seconds * 1000))):
            return None
        parts = self.socket.recv_multipart()
        return int.from_bytes(parts[0], "big"), json.loads(parts[-1])

    def ask(self, request, seconds=5.0, raw=False):
        """The answer to one request, or None after so long; late answers to earlier ones are passed over."""
        number = self.send(request, raw)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            answer = self.receive(left)
            if answer and answer[0] == number:
                return answer[1]
        return None

    def post(self, events, seconds=5.0):
        """An answer for each event, or None; a request that could not be read is {"error": …}."""
        return self.ask({"events": events}, seconds)


class HTTPProducer:
    """The same over HTTP; a request has events of one conversation."""

    def __init__(self, port, token=None):
        self.line = web.Line(port, token=token)

    def post(self, events, seconds=5.0):
        names = {event["conversation"] for event in events}
        if len(names) != 1:
            raise ValueError("events of one conversation")
        body = json.dumps({"events": events}, ensure_ascii=False).encode()
        try:
            reply = self.line.request(
                "POST", f"/v1/conversations/{names.pop()}/events", body, {"Content-Type": "application/json"}, seconds, once=True)
        except OSError:
            return None
        if reply.status == 200:
            return reply.json()
        return None if reply.status == 503 else {"error": f"{reply.status} {reply.body[:300]!r}"}

    def close(self):
        self.line.close()


class Abandoned(Exception):
    """Whoever posted was told to stop before all was answered."""


def answers_until_kept(producer, events, seconds=60.0, patience=5.0, abandoned=lambda: False):
    """Posts until nothing is busy or unanswered: what every event was answered at last, and which were sent more than once."""
    done = [None] * len(events)
    waiting = list(range(len(events)))
    again = set()
    end = time.monotonic() + seconds
    while waiting:
        if abandoned():
            raise Abandoned
        if time.monotonic() > end:
            raise TimeoutError(f"{len(waiting)} events were not taken within {seconds} s")
        reply = producer.post([events[i] for i in waiting], patience)
        if reply is None:
            again.update(waiting)
            time.sleep(0.05)
            continue
        if "error" in reply:
            raise ValueError(f"refused: {reply['error']}")
        if len(reply["answers"]) != len(waiting):
            raise ValueError(f"{len(reply['answers'])} answers to {len(waiting)} events")
        busy, pause = [], 0
        for i, answer in zip(waiting, reply["answers"]):
            if answer["answer"] == "busy":
                busy.append(i)
                pause = max(pause, answer["retryAfter"])
            else:
                done[i] = answer
        waiting = busy
        if busy:
            time.sleep(min(pause / 1000, 2))
    return done, again
