"""Every page of a long conversation is dressed: each row has a layout, a decoration and its message."""
import ingest
import web
import windows
from cases import case
from service import Service, Trouble, until


def fill(service, conversation, count, text, request=200, sender=lambda i: ("ada", "bo", "chi")[i // 3 % 3]):
    """Posts so many messages; ends when the last one is laid out."""
    producer = ingest.Producer(service.events)
    for start in range(0, count, request):
        events = [{"conversation": conversation, "message": f"m{i:06}", "sender": sender(i), "time": 1700000000000 + i * 30000,
                   "order": i, "text": text(i)} for i in range(start, min(start + request, count))]
        answers, _ = ingest.answers_until_kept(producer, events)
        if any(answer["answer"] not in ("accepted", "duplicate") for answer in answers):
            raise Trouble(f"answered {answers}")
    producer.close()
    client = windows.Client(service.fetch)
    def there():
        answer = client.ask(windows.Words.open(9, conversation, rows=1))
        return answer and answer["word"] == "window" and answer["rowsAbove"] + 1 == count
    until(there, 120, f"all of {count} messages laid out")
    client.close()


def undressed(rows, count):
    """What is wrong with rows m0 … of a conversation."""
    if [row["message"] for row in rows] != [f"m{i:06}" for i in range(count)]:
        return f"{len(rows)} rows instead of {count}, or in another order"
    bare = [row["message"] for row in rows if row["body"] is None or not row["body"]["layout"]]
    if bare:
        return f"{len(bare)} rows have no body, the first is {bare[0]}, the last {bare[-1]}"
    silent = [row["message"] for row in rows if row["body"]["said"] is None]
    if silent:
        return f"{len(silent)} rows have no message, the first is {silent[0]}"
    return None


@case("pages/every row is dressed", short=1)
def _(run):
    count, looked = run.pick(1300, 2500), 0
    with Service() as service:
        fill(service, "long", count, lambda i: f"Message number {i} of many, said on a {('sunny', 'rainy')[i % 2]} day")
        wrong = []
        line = web.Line(service.port)
        for size in run.pick((50, 256), (1, 7, 50, 64, 70, 100, 128, 200, 255, 256)):
            for road, ask in (
                ("zmq", lambda: windows.walk(windows.Client(service.fetch), "long", size, own="ada")),
                ("json", lambda: windows.walk_http(line, "long", size, own="bo")),
                ("frames", lambda: windows.walk_http(line, "long", size, own="chi", frames=True)),
            ):
                rows, _ = windows.patiently(ask)
                fault = undressed(rows, count)
                looked += len(rows)
                if fault:
                    wrong.append(f"{road}, pages of {size}: {fault}")
        # One window that grows: what a client has who scrolls all the way up, and down again from the middle.
        client = windows.Client(service.fetch)
        for size in run.pick((50, 100), (50, 70, 100, 256)):
            mirror = windows.Mirror(client.ask(windows.Words.open(
                1, "long", None, windows.reader("ada"), ("message", "m000650"), size, messages=True)))
            while mirror.above or mirror.below:
                for side, left in ((windows.OLDER, mirror.above), (windows.NEWER, mirror.below)):
                    if left:
                        answer = client.ask(windows.Words.page(1, side, size))
                        if answer is None or answer["word"] != "window":
                            raise Trouble(f"a page of {size} from the middle is answered {answer}")
                        mirror.page(answer)
            fault = undressed(mirror.rows, count)
            looked += len(mirror.rows)
            if fault:
                wrong.append(f"a window from the middle, pages of {size}: {fault}")
            if client.ask(windows.Words.close(1)) is None:
                raise Trouble("close is not answered")
        if wrong:
            raise Trouble("; ".join(wrong))
    return f"{looked} rows of a conversation of {count} looked at, all with layout, decoration and message"


@case("pages/long messages are dressed", short=1)
def _(run):
    """Messages of the most that is allowed: their pages are megabytes, and still have all that is in them."""
    count = run.pick(120, 1200)
    with Service() as service:
        words = " ".join(f"word{i}" for i in range(2000))
        fill(service, "wide", count, lambda i: words[:15000 - i % 1000].rstrip(), request=50)
        looked = 0
        line = web.Line(service.port)
        for size in (50, 256):
            for road, ask in (
                ("zmq", lambda: windows.walk(windows.Client(service.fetch), "wide", size)),
                ("json", lambda: windows.walk_http(line, "wide", size, seconds=20)),
            ):
                rows, _ = windows.patiently(ask)
                fault = undressed(rows, count)
                looked += len(rows)
                if fault:
                    raise Trouble(f"{road}, pages of {size}: {fault}")
    return f"{looked} rows of some 15,000 characters looked at"
