"""Content that is kept only until it is laid out: what is lost with a file of shards/ is told, counted, and nothing else."""
import urllib.parse

import web
from cases import case
from ingest import Producer, answers_until_kept
from service import Service, Trouble, forme, until
from windows import Busy, Client, Mirror, Words, heard, heard_json, patiently, walk

FORGETFUL = {"retention": {"content": "none after layout"}, "shards": 4, "durability": "full"}


def event(conversation, number, revision=1, **said):
    return {"conversation": conversation, "message": f"{conversation}-{number}", "order": number, "sender": "ada",
            "time": 1700000000000 + number, "revision": revision, "text": f"message {number} of {conversation}", **said}


def content(service):
    return (service.status() or {}).get("content")


def position(client, conversation, message, unavailable=True):
    """What a client at the socket is answered about one message."""
    opened = client.ask(Words.open(1, conversation, rows=10, unavailable=unavailable), 5)
    if opened is None or opened["word"] != "window":
        raise Busy("silence" if opened is None else opened.get("why", opened["word"]))
    return client.ask(Words.position(1, message), 5)


def place(line, conversation, message, frames=False, **query):
    """The same over HTTP."""
    reply = line.get(f"/v1/conversations/{urllib.parse.quote(conversation)}/place", {"Accept": "application/vnd.forme"} if frames else {},
                     target="390@3", around=f"message:{message}", **query)
    if reply.status != 200:
        raise Busy(f"{reply.status}")
    return heard(reply.body)[1] if frames else heard_json(reply.json())


@case("unavailable/files lost", short=1, takes=4.5, limit=240)
def _(run):
    """Files of shards/ deleted behind kill -9 and while the service runs: unavailable on every road, pending to who does not know the word."""
    names = [f"c{number}" for number in range(run.pick(6, 24))]
    size = run.pick(12, 60)
    with Service(settings=FORGETFUL) as service:
        producer, client, line = Producer(service.events), Client(service.fetch), web.Line(service.port)
        for name in names:
            answers_until_kept(producer, [event(name, number) for number in range(1, size + 1)])
        total = size * len(names)
        until(lambda: (content(service) or {}).get("forgotten") == total, 60, lambda: f"all content forgotten: {content(service)}")
        before = content(service)
        if not 0 < before["most_in_one_file"] <= total or before["unavailable"]:
            raise Trouble(f"before a loss {before}")
        said = forme("status", "--config", service.config).stdout.decode()
        if f"{total} messages are kept as layouts alone" not in said or str(before["most_in_one_file"]) not in said:
            raise Trouble(f"status does not say what a loss would cost: {said}")
        service.kill()
        number = run.random.randrange(4)
        for file in service.files(f"shards/*/{number:02d}.*"):
            file.unlink()
        service.start()
        # Whoever asks has the file looked at.
        def rows():
            found = {}
            for name in names:
                try:
                    found[name] = len(walk(client, name, 50)[0] or [])
                except Busy:
                    return None
            return found
        def settled():
            answers_until_kept(producer, [event(name, 1000, settled.turn) for name in names])
            settled.turn += 1
            left, now = rows(), content(service)
            return left and now and now["unavailable"] and sum(left.values()) + now["unavailable"] == total + len(names) and (left, now)
        settled.turn = 1
        left, now = until(settled, 60, lambda: f"rows and unavailable ones together all: {rows()} {content(service)}")
        lost = [name for name in names if left[name] == 1]
        if now["unavailable"] != size * len(lost) or now["unavailable"] > before["most_in_one_file"]:
            raise Trouble(f"{now} after {before}, with {lost} lost")
        name, message = lost[0], f"{lost[0]}-{size}"
        roads = {
            "socket": lambda: position(client, name, message),
            "HTTP, JSON": lambda: place(line, name, message),
            "HTTP, frames": lambda: place(line, name, message, True, unavailable="yes"),
        }
        for road, ask in roads.items():
            found = until(lambda: (told := patiently(ask))["word"] == "unavailable" and told, 20, lambda: f"unavailable over {road}: {patiently(ask)}")
            if (found["message"], found["order"]) != (message, size):
                raise Trouble(f"{road} says {found}")
        for road, ask in {"socket": lambda: position(client, name, message, False), "frames": lambda: place(line, name, message, True)}.items():
            if (found := patiently(ask))["word"] != "pending":
                raise Trouble(f"who does not know the word is told {found} over {road}")
        if (found := patiently(lambda: position(client, name, "nobody")))["word"] != "refused":
            raise Trouble(f"a message that never was: {found}")

        # A mirror holds the window around it, and sees it come back; a deletion takes another away for good.
        opened = client.ask(Words.open(2, name, around=("message", message), rows=50, unavailable=True), 10)
        mirror, told = Mirror(opened), client.ask(Words.position(2, message), 10)
        if told["word"] != "unavailable":
            raise Trouble(f"behind an opening: {told}")
        answers_until_kept(producer, [event(name, size, 7), {"conversation": name, "message": f"{name}-1", "revision": 9, "deleted": True}])
        def come():
            word = client.listen(0.1)
            if word and word["word"] == "changes" and word["window"] == 2:
                mirror.apply(word)
            return any(row["message"] == message for row in mirror.rows)
        until(come, 20, "what is said anew comes with the changes")
        until(lambda: content(service)["unavailable"] == now["unavailable"] - 2, 20, lambda: f"two fewer: {content(service)}")
        if (found := patiently(lambda: position(client, name, f"{name}-1")))["word"] != "refused":
            raise Trouble(f"a deleted one: {found}")

        # A style rolled: rows without content stay what they were, none is blank, and the count is the same after restarts.
        held = {row["message"]: row for row in walk(client, next(n for n in names if n not in lost), 256)[0]}
        forme("pool", "roll", "config/styles/flat.json5", "--config", service.config)
        def rolled():
            return any(each["state"] == "served" and "flat" in each["name"] for each in (service.status() or {}).get("editions", []))
        until(rolled, 90, "the other style is served")
        service.restart()
        again = {row["message"]: row for row in patiently(lambda: walk(client, next(n for n in names if n not in lost), 256), 30)[0]}
        if held.keys() != again.keys() or any(not row["body"] or row["height"] <= 0 for row in again.values()):
            raise Trouble(f"{len(held)} rows before a roll, {len(again)} after it")
        until(lambda: (content(service) or {}).get("unavailable") == now["unavailable"] - 2, 20, lambda: f"the same after a roll: {content(service)}")
    return f"{total} messages, {now['unavailable']} lost with one file of {before['most_in_one_file']} at most"
