"""Answers that no etcd gives. Each is called with a function that asks the node, and gives the pieces of an answer."""
import base64
import json
import os
import random
import time


def head(status, length, more=""):
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}\r\n".encode()


def whole(body, status="200 OK", more=""):
    return [head(status, len(body), more) + body]


def instead(answer):
    """Of what the node has done, and of what it was never asked."""
    def says(ask):
        if random.random() < 0.5:
            ask()
        yield from answer()
    return says


def altered(change):
    """What the node really said, with changes."""
    def says(ask):
        said = json.loads(ask())
        if "header" in said:
            change(said)
        yield from whole(json.dumps(said).encode())
    return says


def ranges(said):
    return [one["response_range"] for one in said.get("responses", []) if "response_range" in one]


def out_of_order(said):
    for one in ranges(said):
        if "kvs" in one:
            # The first record stands twice, and the last one first.
            one["kvs"] = [*reversed(one["kvs"]), one["kvs"][0]]
            one["count"] = str(int(one["count"]) + 3)


def too_large(said):
    said["header"]["revision"] = "9" * 30


def at_the_limit(said):
    said["header"]["revision"] = str((1 << 64) - 1)
    for one in ranges(said):
        one["count"] = str((1 << 64) - 1)


def far_ahead(said):
    """The log begins far behind what anybody has."""
    for one in ranges(said):
        for record in one.get("kvs", []):
            key = base64.b64decode(record["key"])
            record["key"] = base64.b64encode(key[:-16] + b"%016x" % ((1 << 63) + int(key[-16:], 16))).decode()


def other_cluster(said):
    said["header"]["cluster_id"] = "77"


def log_of_nothing(said):
    for one in ranges(said):
        one.pop("kvs", None)
        one["count"] = "0"


def endless(size, pause):
    def answer():
        yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
        while True:
            yield b" " * size
            time.sleep(pause)
    return answer


SHAPES = [b"[]", b"{}", b"null", b'"etcd"', b'{"header":[]}', b'{"header":{"cluster_id":{}}}', b'{"responses":{}}']
UNREADABLE, CUT_OFF, OTHER, GAPS = "answered what etcd does not say", "did not answer to the end", "is of another cluster", "with gaps"
# By name: what is answered, and words that the log of the host has then; none where nothing need be said.
KINDS = {
    "garbage": (instead(lambda: [os.urandom(300)]), CUT_OFF),
    "half an answer": (instead(lambda: [head("200 OK", 1000) + b'{"header":{"clust']), CUT_OFF),
    "500": (instead(lambda: whole(b"something went wrong", "500 Internal Server Error")), "answered 500"),
    "a redirect": (instead(lambda: whole(b"", "302 Found", "Location: http://127.0.0.1:9/\r\n")), "answered 302"),
    "nothing": (instead(lambda: whole(b"")), UNREADABLE),
    "JSON of another shape": (instead(lambda: whole(random.choice(SHAPES))), UNREADABLE),
    "JSON in JSON": (instead(lambda: whole(b"[" * 1_000_000)), UNREADABLE),
    "places out of order": (altered(out_of_order), GAPS),
    "a log that begins later": (altered(far_ahead), GAPS),
    "a log without records": (altered(log_of_nothing), ""),
    "numbers that are too large": (altered(too_large), UNREADABLE),
    "the largest numbers": (altered(at_the_limit), GAPS),
    "20 MB": (instead(lambda: whole(b'["' + b"x" * 20_000_000 + b'"]')), UNREADABLE),
    "an endless answer, slowly": (instead(endless(1000, 0.05)), CUT_OFF),
    "an endless answer, fast": (instead(endless(1 << 16, 0.001)), CUT_OFF),
    "a head without a cluster": (instead(lambda: whole(b'{"header":{"revision":"1"}}')), ""),
    "another cluster": (altered(other_cluster), OTHER),
}
