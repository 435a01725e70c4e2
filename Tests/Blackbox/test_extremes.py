"""Extreme numbers in every integer of every word: the answer is an answer or an error, and nobody dies of it."""
import itertools
import json

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, alive, until
from test_pages import fill
from windows import Words

I64 = (0, -1, 1, 2**63 - 1, -2**63, 2**62, -2**62, 2**53, 2**31, -2**31 - 1, 2**40)
I32 = (0, -1, 1, 2**31 - 1, -2**31, 65536, 1000)
U32 = (0, 1, 2**32 - 1, 2**31, 256, 257, 2**24)
U64 = (0, 1, 2**64 - 1, 2**63)


def words(random):
    """Every word with extreme numbers in one place, and then in all of them."""
    window = 1
    for rows, screen in itertools.product(U32, I32):
        yield Words.open(2, "c", rows=rows, screen=screen)
    for value in I64:
        for around in (("y", value), ("date", value)):
            yield Words.open(2, "c", around=around)
        yield Words.open(2, "c", None, windows.reader(unread=value), "unread")
        yield Words.locate(window, value)
        yield Words.rows(window, [value])
        yield Words.rows(window, list(I64))
        yield Words.read(window, value)
        yield Words.hold(window, [windows.anchor(value, edge, offset) for edge in (1, 2) for offset in I32])
        yield Words.hold(window, [windows.anchor(1, 1, 2**31 - 1)])
        yield Words.open(2, "c", None, windows.reader(zone_=windows.zone(0, [(value, 3600), (value, -3600)])))
        for end in I64:
            yield Words.heights(window, value, end)
        for start, end in itertools.product(U32[:4], U32[:4]):
            yield Words.lines(window, value, random.choice(U64), start, end)
    for value in I32:
        yield Words.open(2, "c", None, windows.reader(zone_=windows.zone(value, [(0, value)])))
        yield Words.resize(window, windows.target(), value)
        yield Words.resize(window, windows.target(), 2532, windows.anchor(1, 1, value))
        for width, scale, text in ((value, 3000, 100), (24960, value, 100), (24960, 3000, value), (value, value, value)):
            raw = windows.i32(width) + windows.i32(scale) + windows.i32(text) + b"\0"
            yield Words.open(2, "c", raw)
            yield Words.resize(window, raw, 2532)
            yield Words.prewarm("c", [raw])
    for value in U32:
        yield Words.page(window, windows.OLDER, value)
        yield Words.page(window, windows.NEWER, value)
        yield Words.open(value, "c")
        yield Words.close(value)
        yield Words.prewarm("c", [windows.target()] * min(value, 1000))
        for other in U32:
            yield Words.adjust(window, value, other)
    for epoch, stamp, turn in itertools.product(U64, U64, U32[:4]):
        yield Words.changes(window, (epoch, stamp, turn))
    for _ in range(300):
        pick = random.choice
        yield Words.open(2, "c", windows.i32(pick(I32)) + windows.i32(pick(I32)) + windows.i32(pick(I32)) + b"\1",
                         windows.reader("ada", pick(I64), windows.zone(pick(I32), [(pick(I64), pick(I32))])),
                         (pick(("y", "date")), pick(I64)), pick(U32), pick(I32))


def survive(service, before, where):
    # One that ended is another process once it is back.
    gone = {pid: role for pid, role in before.items() if not alive(pid)}
    if gone:
        raise Trouble(f"{where}: ended: {gone}: {crash(service)}")


def crash(service):
    lines = [line for line in service.said().splitlines() if "ended" in line or "Fatal" in line or "signal" in line]
    return " / ".join(lines[-3:])


@case("extremes/words over zmq", short=1)
def _(run):
    said = 0
    with Service() as service:
        fill(service, "c", 300, lambda i: f"number {i}")
        before = service.family()
        client = windows.Client(service.fetch)
        killers = []
        for word in words(run.random):
            sort = word[0]
            if said % 50 == 0 and client.ask(Words.open(1, "c", rows=50), 10) is None:
                raise Trouble("an ordinary open is not answered")
            answer = client.ask(word, 3)
            said += 1
            client.told.clear()
            if answer is None:
                if service.family() != before:
                    killers.append(f"word {sort} {word.hex()}: {crash(service)}")
                    break
                killers.append(f"word {sort} is not answered: {word.hex()}")
                if len(killers) == 5:
                    break
        if killers:
            raise Trouble(f"{len(killers)} of {said} words: " + "; ".join(killers))
        survive(service, before, "words over ZeroMQ")
        if client.ask(Words.open(1, "c", rows=50))["word"] != "window":
            raise Trouble("no window afterwards")
    return f"{said} words with extreme numbers, all answered, the same processes before and after"


@case("extremes/requests over http", short=1)
def _(run):
    asked, codes = 0, {}
    numbers = sorted({*I64, *I32, *U32, *U64, 2**40 + 1, -2**40, -2**40 - 1, 10**15 - 1, -10**15 + 1, 2**64, -2**63 - 1, 10**30})
    with Service() as service:
        fill(service, "c", 300, lambda i: f"number {i}")
        before = service.family()
        line = web.Line(service.port)

        def get(path, **query):
            nonlocal asked
            asked += 1
            try:
                reply = line.get(path, None, 5.0, **{"target": "390@3", **query})
            except OSError as error:
                survive(service, before, f"{path} {query}")
                raise Trouble(f"{path} {query}: {error}") from error
            codes[reply.status] = codes.get(reply.status, 0) + 1
            if reply.status not in (200, 304, 400, 404, 429, 503):
                raise Trouble(f"{path} {query}: {reply.status}")
            return reply

        for number in numbers:
            for sort in ("y", "date"):
                get("/v1/conversations/c/window", around=f"{sort}:{number}")
                get("/v1/conversations/c/place", around=f"{sort}:{number}")
            for field in ("count", "screen", "unreadFrom"):
                get("/v1/conversations/c/window", **{field: number, "around": "unread"})
            for other in numbers[::run.pick(4, 1)]:
                get("/v1/conversations/c/heights", **{"from": number, "to": other})
            for side in ("older", "newer"):
                get("/v1/conversations/c/window", beside=f"{side}:{number}")
            for lines in (f"{number}:0000000000000000:0:1", f"1:0000000000000000:{number}:{number}"):
                get("/v1/conversations/c/window", lines=lines)
            for zone in ({"offset": number}, {"offset": 0, "changes": [[number, 3600]]}, {"offset": 0, "changes": [[0, number]]}):
                get("/v1/conversations/c/window", reader=json.dumps({"zone": zone, "clock": "24"}))
            for target in (f"{number}@3", f"390@{number}", f"390@3,{number}"):
                get("/v1/conversations/c/window", target=target)
        # The words of a stream, as JSON and as frames.
        for word in (*({"page": {"window": 1, "side": "older", "count": number}} for number in numbers),
                     *({"heights": {"window": 1, "from": number, "to": other}} for number in numbers for other in numbers[::run.pick(8, 4)]),
                     *({"locate": {"window": 1, "y": number}} for number in numbers),
                     *({"rows": {"window": 1, "rows": [number]}} for number in numbers),
                     *({"adjust": {"window": 1, "most": number, "focus": number}} for number in numbers)):
            asked += said(service, json.dumps(word).encode(), before)
        for word in list(words(run.random))[::run.pick(3, 1)]:
            if word[0] not in (1, 13) and word[1:5] == windows.u32(1):
                asked += said(service, windows.frame(word, 5), before)
        survive(service, before, "requests over HTTP")
        if get("/v1/conversations/c/window").status != 200:
            raise Trouble("no window afterwards")
        STREAMS.pop(service.port, None)
    return f"{asked} requests and words of streams with extreme numbers, answered {codes}, the same processes before and after"


STREAMS = {}


def said(service, body, before):
    """Posts a word to a stream that is open, or opened anew where the word before ended it."""
    stream, line = STREAMS.get(service.port, (None, None))
    kind = "application/vnd.forme" if body[:4] == windows.MAGIC else "application/json"
    for _ in range(3):
        if stream is None:
            stream = web.Stream(service.port, "c", frames=True, target="390@3", count=20)
            line = line or web.Line(service.port)
            stream.next()
        STREAMS[service.port] = (stream, line)
        try:
            reply = line.request("POST", f"/v1/conversations/c/streams/{stream.name}", body, {"Content-Type": kind}, 5)
        except OSError as error:
            survive(service, before, f"word {body[:200]!r} of a stream")
            raise Trouble(f"a stream's word {body[:200]!r}: {error}") from error
        while stream.next(0) is not None:
            pass
        if reply.status in (202, 400):
            if stream.ended:
                stream.close()
                STREAMS.pop(service.port)
            survive(service, before, f"word {body[:200]!r} of a stream")
            return 1
        if reply.status not in (404, 409, 503):
            raise Trouble(f"a stream's word {body[:200]!r} is answered {reply.status} {reply.body[:200]!r}")
        stream.close()
        stream = None
    raise Trouble(f"a stream's word {body[:200]!r} finds no stream: {reply.status}")


@case("extremes/events", short=1)
def _(run):
    """Extreme revisions, orders and times: accepted or invalid, and whoever is accepted is shown in the right order."""
    with Service() as service:
        producer = ingest.Producer(service.events)
        numbers = sorted({*I64, 2**64, -2**63 - 1, 10**30, -10**30})
        accepted = {}
        counts = {}
        for field in ("order", "time", "revision"):
            for i, number in enumerate(numbers):
                event = {"conversation": "e", "message": f"{field}{i:03}", "sender": "ada", "time": 1, "order": i, "text": "x", field: number}
                reply = producer.ask(event)
                if reply is None:
                    raise Trouble(f"{event} is not answered")
                answer = reply["answers"][0]["answer"] if "answers" in reply else "error"
                counts[answer] = counts.get(answer, 0) + 1
                if answer == "accepted":
                    accepted[event["message"]] = event
        for odd in (1.5, 1e300, "1", None, [], {}, True, -0.0):
            for field in ("order", "time", "revision"):
                event = {"conversation": "e", "message": "odd", "sender": "ada", "time": 1, "order": 1, "text": "x", field: odd}
                reply = producer.ask(event)
                if reply is None:
                    raise Trouble(f"{event} is not answered")
                answer = reply["answers"][0]["answer"] if "answers" in reply else "error"
                counts[answer] = counts.get(answer, 0) + 1
                if answer == "accepted":
                    accepted[event["message"]] = event
        before = service.family()
        expected = [name for name, event in sorted(accepted.items(), key=lambda pair: (pair[1]["order"], pair[0].encode()))]
        client = windows.Client(service.fetch)
        found = []
        def same():
            nonlocal found
            rows, _ = windows.patiently(lambda: windows.walk(client, "e", 10))
            found = [row["message"] for row in rows or []]
            return found == expected
        until(same, 20, lambda: f"rows {expected}, found {found}")
        survive(service, before, "events")
    return f"{sum(counts.values())} events with extreme numbers: {counts}; {len(expected)} rows in their order"
