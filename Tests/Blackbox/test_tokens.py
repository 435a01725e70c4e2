"""Tokens: what they open, for how long, and what a person's token may not do to others."""
import calendar
import json
import sys
import time

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, forme, until
from test_pages import fill


ENDS = 1.5  # seconds: one that is promised, and what busy cores take


class Gate:
    """A service whose HTTP asks for tokens, and those who make them."""

    def __init__(self):
        self.service, self.lives = Service(), 0
        self.keys = self.service.home / "tokens"
        forme("token", "keys", "make", "--keys", self.keys)
        self.service.write(http={"listen": f"127.0.0.1:{self.service.port}", "tokens": str(self.keys)})

    def __enter__(self):
        self.service.__enter__()
        try:
            # Until then posts are answered 503.
            line = web.Line(self.service.port)
            until(lambda: line.get("/readyz", None, 5, **{"for": "posts"}).status == 200, 10, "/readyz?for=posts of a service with tokens is not 200")
            line.close()
        except BaseException:
            self.service.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(self, *error):
        self.service.__exit__(*error)

    def token(self, *words):
        """A token that no other is equal to, although all may be made in one second."""
        self.lives += 1
        if "--for" not in words:
            words += ("--for", f"{3600 + self.lives}s")
        return forme("token", "make", *words, "--keys", self.keys).stdout.decode().strip()

    def end_of(self, token):
        """When it is over, by the clock of `time.monotonic`."""
        over = json.loads(forme("token", "show", "--keys", self.keys, input=token.encode()).stdout)["expires"]
        return time.monotonic() + calendar.timegm(time.strptime(over, "%Y-%m-%dT%H:%M:%SZ")) - time.time()

    def line(self, *words):
        return web.Line(self.service.port, token=self.token(*words))

    def stream(self, token, frames):
        stream = web.Stream(self.service.port, "c", frames, token=token, target="390@3", count=5)
        if stream.status != 200 or stream.next() is None:
            raise Trouble(f"a stream with a good token is answered {stream.status}")
        return stream

    def ends(self, streams, seconds, why):
        """Until all of them ended: how long that took."""
        began = time.monotonic()
        while True:
            for stream in streams:
                stream.next(0.01)
            if all(stream.ended for stream in streams):
                return time.monotonic() - began
            if time.monotonic() - began > seconds:
                left = [("frames" if stream.frames else "events") for stream in streams if not stream.ended]
                raise Trouble(f"streams ({', '.join(left)}) still run {seconds:.1f} s after {why}")


@case("tokens/streams end with them", short=4, takes=7)
def _(run):
    told = []
    with Gate() as gate:
        fill(gate.service, "c", 20, lambda i: f"word {i}")
        everyday = gate.token("--all", "--read", "--for", "1h")
        stays = gate.stream(everyday, False)
        brief = gate.token("--conversation", "c", "--read", "--for", "5s")
        over = gate.end_of(brief)
        streams = [gate.stream(brief, False), gate.stream(brief, True)]
        time.sleep(max(0, over - 0.5 - time.monotonic()))
        if any(stream.next(0.01) is None and stream.ended for stream in streams) and time.monotonic() < over:
            raise Trouble("a stream ended before its token")
        gate.ends(streams, over + ENDS - time.monotonic(), "the making of a token for 5 s")
        told.append(f"expired {time.monotonic() - over:.1f} s")
        status = web.Line(gate.service.port, token=brief).get("/v1/conversations/c/window", target="390@3").status
        if status != 401:
            raise Trouble(f"an expired token is answered {status}")
        single = gate.token("--conversation", "c", "--read", "--for", "1h")
        streams = [gate.stream(single, False), gate.stream(single, True)]
        forme("token", "revoke", "--keys", gate.keys, input=single.encode())
        told.append(f"revoked {gate.ends(streams, 2.5, 'the token was revoked'):.1f} s")
        if stays.next(0.1) is None and stays.ended:
            raise Trouble("the stream of another token ended, too")
        # All of a key.
        listed = forme("token", "keys", "list", "--keys", gate.keys).stdout.decode()
        forme("token", "keys", "rotate", "--keys", gate.keys)
        # What holds is named by a file ID.public.
        old = [file.stem for file in gate.keys.glob("*.public") if file.stem in listed]
        if len(old) != 1:
            raise Trouble(f"which key was the first: {listed!r}, {sorted(file.name for file in gate.keys.iterdir())}")
        time.sleep(1.2)
        forme("token", "keys", "revoke", "--key", old[0], "--keys", gate.keys)
        told.append(f"key revoked {gate.ends([stays], 2.5, 'the key was revoked'):.1f} s")
        until(lambda: gate.line("--all", "--read").get("/v1/conversations/c/window", target="390@3").status == 200, 3,
              "a token of the new key holds")
    return "streams of events and frames ended after: " + ", ".join(told)


@case("tokens/within a second", short=1, takes=7.5)
def _(run):
    """Expired, revoked, its key revoked, the list edited in place, also beside a damaged key: streams end, and doors close, within a second."""
    took = {}
    with Gate() as gate:
        service = gate.service
        fill(service, "c", 5, lambda i: f"word {i}")
        stays = gate.token("--all", "--read", "--for", "1h")

        def closes(name, token, act):
            """Streams and requests of a token, until they are over after `act`."""
            streams, line = [gate.stream(token, False), gate.stream(token, True)], web.Line(service.port, token=token)
            window = lambda of: of.get("/v1/conversations/c/window", None, 5, target="390@3").status
            if window(line) != 200:
                raise Trouble(f"{name}: a good token is answered {window(line)}")
            from_then = act()
            last = [None, None]
            while not all(stream.ended for stream in streams) or window(line) == 200:
                for i, stream in enumerate(streams):
                    last[i] = stream.next(0.01) or last[i]
                if time.monotonic() - from_then > 5:
                    raise Trouble(f"{name}: streams ended: {[stream.ended for stream in streams]}, a window is answered {window(line)}, 5 s later")
            took[name] = time.monotonic() - from_then
            if window(line) != 401:
                raise Trouble(f"{name}: answered {window(line)}")
            if last[0] != {"refused": {"window": 1, "because": "unauthorized"}}:
                raise Trouble(f"{name}: the last event of a stream is {last[0]}")
            if last[1] is None or windows.heard(last[1])[1]["word"] != "refused" or windows.heard(last[1])[1]["why"] != "unauthorized":
                raise Trouble(f"{name}: the last frame of a stream is {last[1]}")

        brief = gate.token("--conversation", "c", "--read", "--for", "5s")
        over = gate.end_of(brief)
        closes("expired", brief, lambda: over)

        def revoke(token):
            def act():
                forme("token", "revoke", "--keys", gate.keys, input=token.encode())
                return time.monotonic()
            return act
        token = gate.token("--conversation", "c", "--read")
        closes("revoked", token, revoke(token))
        # A key that nobody can read does not keep the list from being heard, nor other tokens from holding.
        damaged = gate.keys / "damaged.public"
        damaged.write_bytes(b"no key at all")
        token = gate.token("--conversation", "c", "--read")
        closes("revoked beside a damaged key", token, revoke(token))
        # The list, edited in place as an editor does that keeps the file: what was in it, and one line more.
        token, revoked = gate.token("--conversation", "c", "--read"), gate.keys / "revoked"
        def edit():
            known = revoked.read_bytes()
            forme("token", "revoke", "--keys", gate.keys, input=token.encode())
            longer = revoked.read_bytes()
            with open(revoked, "r+b") as file:  # the same file from here on
                file.truncate(0)
                file.write(known)
            time.sleep(0.7)
            with open(revoked, "r+b") as file:
                file.write(longer)
            return time.monotonic()
        closes("the list edited in place", token, edit) if revoked.is_file() else None
        damaged.unlink()
        if web.Line(service.port, token=stays).get("/v1/conversations/c/window", None, 5, target="390@3").status != 200:
            raise Trouble("a token that nobody revoked holds no longer")
        old = [file.stem for file in gate.keys.glob("*.public")]
        forme("token", "keys", "rotate", "--keys", gate.keys)
        def key():
            forme("token", "keys", "revoke", "--key", old[0], "--keys", gate.keys)
            return time.monotonic()
        closes("its key revoked", stays, key)
        until(lambda: gate.line("--all", "--read").get("/v1/conversations/c/window", target="390@3").status == 200, 3,
              "a token of the new key holds")
    late = {name: seconds for name, seconds in took.items() if not -0.1 < seconds < ENDS}
    told = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in took.items())
    if late:
        raise Trouble(f"streams and doors that are open for longer than a second, or less than they should: {told}")
    return told


@case("tokens/doors", short=2)
def _(run):
    asked = 0
    with Gate() as gate:
        fill(gate.service, "c", 3, lambda i: f"word {i}")
        fill(gate.service, "d", 3, lambda i: f"word {i}")
        window = lambda conversation: ("GET", f"/v1/conversations/{conversation}/window?target=390@3", None)
        post = lambda conversation: ("POST", f"/v1/conversations/{conversation}/events", (
            '{"events": [{"conversation": "%s", "message": "x", "text": "x", "sender": "ada", "time": 1}]}' % conversation).encode())
        changes = lambda conversation: ("GET", f"/v1/conversations/{conversation}/changes?target=390@3", None)
        reader, writer = gate.token("--conversation", "c", "--read"), gate.token("--conversation", "c", "--write", "--subject", "ada")
        prefixed = gate.token("--prefix", "c", "--read")
        flipped = reader[:-6] + ("A" if reader[-6] != "A" else "B") + reader[-5:]
        for token, request, allowed in (
            (None, window("c"), (401,)), (None, post("c"), (401,)), (None, changes("c"), (401,)),
            (None, ("GET", "/metrics", None), (404,)), (None, ("GET", "/livez", None), (200,)),
            ("", window("c"), (401,)), ("x" * 4000, window("c"), (401, 400, 431)), (flipped, window("c"), (401,)),
            (reader, window("c"), (200,)), (reader, window("d"), (403, 404)), (reader, window("nothing"), (403, 404)),
            (reader, post("c"), (403,)), (reader, ("GET", "/metrics", None), (404,)),
            (writer, window("c"), (403,)), (writer, changes("c"), (403,)), (writer, post("d"), (403, 404)), (writer, post("c"), (200,)),
            (prefixed, window("c"), (200,)), (prefixed, window("d"), (403, 404)),
        ):
            method, path, body = request
            fields = {} if token is None else {"Authorization": f"Bearer {token}"}
            line = web.Line(gate.service.port)
            try:
                status = line.request(method, path, body, fields, 5).status
            except OSError as error:
                status = str(error)
            asked += 1
            line.close()
            if status not in allowed:
                raise Trouble(f"{method} {path} with {'no token' if token is None else token[:12]} is answered {status}, not {allowed}")
        # An event of another conversation than that of the path.
        reply = web.Line(gate.service.port, token=writer).request("POST", post("c")[1], post("d")[2])
        if reply.status == 200 and reply.json().get("answers", [{}])[0].get("answer") == "accepted":
            raise Trouble("an event of another conversation is accepted")
    return f"{asked + 1} requests answered as their tokens allow"


@case("tokens/others' messages", short=2)
def _(run):
    """A person's token writes as that person: it changes and deletes nobody else's messages, and posts nothing in their name."""
    with Gate() as gate:
        service = gate.service
        fill(service, "c", 4, lambda i: f"word {i}", sender=lambda i: ("bo", "ada")[i % 2])  # m000001, m000003 are ada's
        line = gate.line("--conversation", "c", "--write", "--subject", "ada")

        def post(**event):
            reply = line.request("POST", "/v1/conversations/c/events", windows.json.dumps({"events": [{"conversation": "c", **event}]}).encode())
            return reply.json()["answers"][0]["answer"] if reply.status == 200 else reply.status

        mine = post(message="m000001", sender="ada", time=1, text="mine, mended", revision=2)
        if mine != "accepted":
            raise Trouble(f"ada's edit of her own message is answered {mine}")
        kept = {}
        for name, event in {
            "an edit in the other's name": dict(message="m000000", sender="bo", time=1, text="not bo's words", revision=2),
            "an edit in her own name": dict(message="m000002", sender="ada", time=1, text="not bo's words", revision=3),
            "a delete": dict(message="m000000", deleted=True, revision=4),
            "a move": dict(message="m000002", order=99, revision=5),
            "a new one in the other's name": dict(message="new", sender="bo", time=1, order=50, text="not bo's words"),
            "a status": dict(message="m000000", status="failed", revision=7),
            "all reactions": dict(message="m000000", reactions=[{"emoji": "x"}], revision=8),
            "a revision out of reach": dict(message="m000003", sender="ada", time=1, text="for ever", revision=2**62),
        }.items():
            kept[name] = post(**event)
        taken = [name for name, answer in kept.items() if answer == "accepted"]
        if taken:
            raise Trouble(f"accepted from ada, who may not: {', '.join(taken)}")
        rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 50))
        texts = [row["body"]["said"]["body"]["text"] for row in rows]
        if [row["message"] for row in rows] != [f"m00000{i}" for i in range(4)] or texts[0] != "word 0" or texts[2] != "word 2":
            raise Trouble(f"the others' messages are {texts}")
    return f"{len(kept)} attempts on others' messages refused: {kept}"


@case("tokens/oversized", short=2)
def _(run):
    """Requests that are too large, or are no requests: each is answered, and those after it are served."""
    told = {}
    with Service() as service:
        before = service.family()
        def event(size):
            return {"conversation": "c", "message": "m", "sender": "ada", "time": 1, "order": 1, "text": "x" * size}
        silent = []
        for size in (2**20 - 300, 2**20, 2**20 + 1, 2**21, 2**22 - 1000):
            producer = ingest.Producer(service.events)
            answer = producer.ask({"events": [event(size)]}, 3)
            if answer is None:
                silent.append(f"a request of {size} bytes over ZeroMQ")
            told[size] = "error" if answer and "error" in answer else answer and answer["answers"][0]["answer"]
            if told[size] == "accepted":
                raise Trouble(f"a message of {size} bytes is accepted")
            producer.close()
        producer = ingest.Producer(service.events)
        for raw in (b"null", b"[]", b"1", b"", b"{}", b'""', b"{", b'{"events": null}', b'{"events": {}}', b'{"events": [1]}',
                    b'{"events": [null]}', b'{"events": [[]]}', b'\xff\xfe', b'{"events": []}', b"[" * 100000, b'{"a":' * 50000):
            answer = producer.ask(raw, 3, raw=True)
            if answer is None:
                silent.append(f"{raw[:20]!r} over ZeroMQ")
            elif raw != b'{"events": []}' and "error" not in answer and answer.get("answers", [{}])[0].get("answer") != "invalid":
                raise Trouble(f"{raw[:20]!r} is answered {answer}")
        for raw in (b"null", b"[]", b"1"):
            answer = producer.ask(raw, 3, raw=True)
            if answer is not None and "error" not in answer:
                silent.append(f"{raw!r} is answered {answer}, which is no error")
        for size in (2**20 - 300, 2**20 + 1, 2**22 - 1000, 2**23):
            told[f"http {size}"] = web.status_of(
                service.port, "/v1/conversations/c/events", windows.json.dumps({"events": [event(size)]}).encode())
            if not isinstance(told[f"http {size}"], int):
                silent.append(f"a request of {size} bytes over HTTP: {told[f'http {size}']}")
        for field, size in (("X", 70000), ("Cookie", 9000)):
            try:
                told[f"http {field}"] = web.Line(service.port).get("/livez", {field: "y" * size}, 5).status
            except OSError as error:
                told[f"http {field}"] = str(error)
        if producer.ask({"events": [event(3)]}, 5)["answers"][0]["answer"] != "accepted":
            raise Trouble("an ordinary event is not accepted afterwards")
        if service.family() != before:
            raise Trouble(f"processes ended: {before} -> {service.family()}")
        if silent:
            raise Trouble(f"{len(silent)} without an answer: {'; '.join(silent)}")
    return f"answered: {told}"
