"""What browsers and streams rely on: tags that differ by reader, a window before what changes in it, rows that a status does not move."""
import threading

import ingest
import web
import windows
from cases import case
from service import ROOT, Service, Trouble, until
from test_pages import fill
from test_tokens import Gate


@case("webs/tags differ by reader", short=1)
def _(run):
    """A tag of one reader, question or screen gets nobody else 304, and its own nothing once something has happened."""
    with Gate() as gate:
        service, path = gate.service, "/v1/conversations/c/window"
        fill(service, "c", 10, lambda i: f"word {i}", sender=lambda i: "ada")
        lines = {"ada": gate.line("--all", "--read", "--subject", "ada"), "bo": gate.line("--all", "--read", "--subject", "bo"),
                 "nobody": gate.line("--all", "--read")}
        asked = {}
        for name, line in lines.items():
            for accept in ("application/json", "application/vnd.forme"):
                for query in ({}, {"count": 3}, {"as": "chi"} if name == "nobody" else {"count": 4}, {"with": "body"}):
                    query = {"target": "390@3", **query}
                    reply = line.get(path, {"Accept": accept}, **query)
                    if reply.status != 200 or not reply.headers.get("ETag"):
                        raise Trouble(f"{name}'s {query} is answered {reply.status} with the tag {reply.headers.get('ETag')}")
                    if "authorization" not in (reply.headers.get("Vary") or "").lower():
                        raise Trouble(f"Vary of a window is {reply.headers.get('Vary')!r}")
                    asked[name, accept, tuple(query.items())] = reply
        # Those who look as others see other bytes (own messages stand elsewhere), so their tags must not be equal.
        for key, reply in asked.items():
            name, accept, query = key
            same = lines[name].get(path, {"Accept": accept, "If-None-Match": reply.headers["ETag"]}, **dict(query))
            if same.status != 304 or same.body:
                raise Trouble(f"the same question of {name} with its own tag is answered {same.status}")
            for other, (other_name, other_accept, other_query) in zip(asked.values(), asked):
                if other.body != reply.body and other.headers["ETag"] == reply.headers["ETag"]:
                    raise Trouble(f"{key} and {(other_name, other_accept, other_query)} differ and have one tag")
        query = {"target": "390@3"}
        for name, other in (("ada", "bo"), ("bo", "ada"), ("nobody", "ada")):
            tag = asked[name, "application/json", tuple(query.items())].headers["ETag"]
            status = lines[other].get(path, {"Accept": "application/json", "If-None-Match": tag}, **query).status
            if status != 200:
                raise Trouble(f"{other} with the tag of {name} is answered {status}")
        ingest.answers_until_kept(ingest.Producer(service.events), [
            {"conversation": "c", "message": "m000009", "revision": 2, "sender": "ada", "time": 1, "text": "mended"}])
        tag = asked["ada", "application/json", tuple(query.items())].headers["ETag"]
        until(lambda: lines["ada"].get(path, {"Accept": "application/json", "If-None-Match": tag}, **query).status == 200, 5,
              "another answer than 304 after an edit")
    return f"{len(asked)} questions of three readers, each 304 for its own tag alone"


@case("webs/a status moves nothing", short=1)
def _(run):
    """Each row of a conversation, through every status, in both styles, for its sender and another: as high, and all else where it was."""
    told = []
    for style in ("bubble", "flat"):
        with Service(style=ROOT / f"config/styles/{style}.json5", workers=1) as service:
            kinds = [{"kind": "text", "text": "short"}, {"kind": "text", "text": "a message of some lines " * 9},
                     {"kind": "photo", "photo": {"width": 800, "height": 600}}, {"kind": "sticker", "sticker": {"width": 512, "height": 512}}]
            events = [{"conversation": "c", "message": f"m{i}", "sender": ("ada", "bo")[i // len(kinds) % 2], "time": 1700000000000 + i, "order": i,
                       "body": body} for i, body in enumerate(kinds * 4)]
            producer, line = ingest.Producer(service.events), web.Line(service.port)
            ingest.answers_until_kept(producer, events)

            def seen(wanted, why):
                found = {}
                def there():
                    for own in ("ada", "bo"):
                        rows, _ = windows.patiently(lambda: windows.walk_http(line, "c", 50, own=own))
                        if [row["body"] and row["body"]["said"] and row["body"]["said"].get("status") for row in rows or []] != [wanted] * len(events):
                            return False
                        found[own] = rows
                    return True
                until(there, 20, f"{why} told of all rows, {style}")
                return found

            before, compared = seen(None, "no status"), 0
            for revision, status in enumerate(("sending", "sent", "delivered", "read", "failed", "sent"), 2):
                ingest.answers_until_kept(producer, [{"conversation": "c", "message": event["message"], "revision": revision, "status": status}
                                                     for event in events])
                for own, rows in seen(status, status).items():
                    for row, was in zip(rows, before[own]):
                        for part in ("height", "lead", "strip"):
                            if row[part] != was[part]:
                                raise Trouble(f"{style}, as {own}: {status} changes the {part} of {row['message']} from {was[part]} to {row[part]}")
                        if row["body"]["decoration"]["content"] != was["body"]["decoration"]["content"]:
                            raise Trouble(f"{style}, as {own}: {status} moves {row['message']} from {was['body']['decoration']['content']} "
                                          f"to {row['body']['decoration']['content']}")
                        compared += 1
            told.append(f"{style}: {compared} rows")
    return f"no row moved, through six statuses ({', '.join(told)})"


@case("webs/a stream begins with its window", short=2, long=20)
def _(run):
    """Hundreds of streams opened while people write: the first that is told is a window, and each change set follows what was told before."""
    opened, followed = 0, 0
    with Service() as service:
        fill(service, "c", 60, lambda i: f"word {i}")
        ended, errors = threading.Event(), []

        def write():
            producer, count = ingest.Producer(service.events), 0
            while not ended.is_set():
                count += 1
                producer.post([{"conversation": "c", "message": f"m{run.random.randrange(60):06}", "sender": "ada", "time": 1, "revision": count + 1,
                                "text": f"mended {count}"}], 2)
        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        try:
            going = run.clock()
            while going() or opened < 60:
                frames = bool(opened % 2)
                streams = [web.Stream(service.port, "c", frames, target="390@3", count=20, **{"with": "body"}) for _ in range(4)]
                for stream in streams:
                    cursor = None
                    for _ in range(3):
                        heard = stream.next(3)
                        if heard is None:
                            raise Trouble(f"a stream tells nothing for 3 s ({stream.status})")
                        word = windows.heard(heard)[1] if frames else windows.heard_json(heard)
                        if cursor is None and (word["word"] != "window" or word["part"] != "whole"):
                            raise Trouble(f"the first that a stream tells is a {word['word']}")
                        if cursor is not None and word["word"] == "changes":
                            if word["since"] != cursor:
                                raise Trouble(f"changes since {word['since']} are told where {cursor} is held")
                            followed += 1
                        cursor = word["cursor"]
                    opened += 1
                    stream.close()
        finally:
            ended.set()
            writer.join(10)
    return f"{opened} streams began with their windows, {followed} change sets followed"
