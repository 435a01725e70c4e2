"""What is kept and not drawn as it was meant is answered with a warning, counted, and on the shelf where it cannot be shown."""
import json
import re
import shutil

import ingest
import web
import windows
from cases import case
from service import ROOT, Service, Trouble, forme, until
from test_styles import settled

PAGE = ROOT / "Sources/Wire/Wire.docc/Kinds.md"


def examples():
    """Every body that Kinds.md shows."""
    found = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", PAGE.read_text(), re.S | re.M)]
    if len(found) < 10:
        raise Trouble(f"{len(found)} examples in {PAGE.name}")
    return found


def body_of(service, message):
    rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 100))
    return next((row["body"] for row in rows or [] if row["message"] == message), None)


@case("warnings/what is said", short=1)
def _(run):
    with Service() as service:
        producer, http, number = ingest.Producer(service.events), ingest.HTTPProducer(service.port), 0

        def one(event, road=producer):
            return ingest.answers_until_kept(road, [event])[0][0]

        def post(road=producer, **fields):
            nonlocal number
            number += 1
            event = {"conversation": "c", "message": f"w{number}", "sender": "ada", "time": number, "order": number, **fields}
            return one({name: value for name, value in event.items() if value is not None}, road)

        for road in (producer, http):
            for body in examples():
                if (answer := post(road, body=body)) != {"answer": "accepted"}:
                    raise Trouble(f"an example of Kinds.md is answered {answer}: {body}")
            for status in ("sending", "sent", "delivered", "read", "failed"):
                if (answer := post(road, text="x", status=status)) != {"answer": "accepted"}:
                    raise Trouble(f"status {status!r} is answered {answer}")
        warned = 0
        if service.status()["since_start"]["warned"] != 0:
            raise Trouble(f"warned {service.status()['warned']} times of what the pages show")
        shown, shelved = [], []
        for what, fields, words, fate in (
            ("an unknown kind", {"body": {"kind": "phot", "text": "x"}}, ("kind", "phot"), shown),
            ("an unknown status", {"text": "x", "status": "sendt"}, ("status", "sendt"), shown),
            ("a status that is no text", {"text": "x", "status": 5}, ("status",), None),
            ("reactions that are no list", {"text": "x", "reactions": "👍"}, ("reactions",), shelved),
            ("reactions without an emoji", {"text": "x", "reactions": [{"count": 2}]}, ("reactions",), shelved),
            ("reactions with a field of another name", {"text": "x", "reactions": [{"emoji": "x", "counts": 2}]}, ("reactions",), shelved),
            ("a time in seconds", {"text": "x", "time": 1700000060}, ("time", "1970", "1000"), shown),
            ("no order", {"text": "x", "order": None}, ("order",), None),
        ):
            for road in (producer, http):
                answer = post(road, **fields)
                warned += 1
                if answer["answer"] != "accepted" or not all(word in answer.get("warning", "") for word in words):
                    raise Trouble(f"{what} is answered {answer}, not with a warning that names {' and '.join(words)}")
                if fate is not None:
                    fate.append(f"w{number}")
        # Said again it is no news; and a poll without its options is warned of, and the shelf has it.
        again = {"conversation": "c", "message": f"w{number}", "sender": "ada", "time": number, "text": "x"}
        if (answer := one(again)) != {"answer": "duplicate"}:
            raise Trouble(f"a repetition of what was warned of is answered {answer}")
        answer = post(body={"kind": "poll", "question": "x"})
        if answer["answer"] != "accepted" or "'options' is missing" not in answer.get("warning", ""):
            raise Trouble(f"a poll without its options is answered {answer}, not with a warning that names them")
        warned += 1
        shelved.append(f"w{number}")
        until(lambda: service.status()["since_start"]["warned"] == warned, 3, lambda: f"{warned} warnings counted: {service.status()['warned']}")
        for message in shown:
            until(lambda: (body_of(service, message) or {}).get("layout"), 10, f"{message} shown")
        on_shelf = lambda: forme("shelf", "list", "--config", service.config).stdout.decode()
        def is_shelved():
            told = on_shelf()
            return all(re.search(rf"\b{message}\b", told) for message in shelved)
        until(is_shelved, 10, lambda: f"{shelved} on the shelf: {on_shelf()}")
        # With an order it is shown, and the warning is gone.
        answer = one({"conversation": "c", "message": f"w{number - 1}", "revision": 2, "order": 1000})
        if answer != {"answer": "accepted"}:
            raise Trouble(f"an order that was missing is answered {answer}")
        until(lambda: (body_of(service, f"w{number - 1}") or {}).get("layout"), 10, "what had no order is shown with one")
        lines = [{"conversation": "d", "message": f"l{i}", "sender": "ada", "time": i, "order": i, "text": "x"} for i in range(5)]
        lines[2]["status"] = "sendt"
        done = forme("post", "--config", service.config, input="".join(json.dumps(line) + "\n" for line in lines).encode(), check=False)
        told = (done.stdout + done.stderr).decode()
        if done.returncode != 0 or not re.search(r"\b3\b.*status", told):
            raise Trouble(f"forme post of a third line with a warning ends with {done.returncode} and says {told!r}")
    return f"{2 * len(examples())} examples of the page without a warning, {warned + 1} warnings, {len(shelved)} on the shelf"


@case("warnings/a style that learns a kind", short=1)
def _(run):
    """A message of a kind that no style knows is shown as one that cannot be shown, and in full when the style has the kind."""
    with Service() as service:
        style = service.home / "styles"
        shutil.copytree(ROOT / "config/styles", style)
        event = lambda number: {"conversation": "c", "message": f"m{number}", "sender": "ada", "time": 1, "order": number,
                                "body": {"kind": "shout", "text": "one and two and three and four " * 20}}
        producer = ingest.Producer(service.events)
        first = ingest.answers_until_kept(producer, [event(1)])[0][0]
        if "shout" not in first.get("warning", ""):
            raise Trouble(f"an unknown kind is answered {first}")
        line = web.Line(service.port)
        height = lambda: {row["message"]: row["height"] for row in windows.patiently(lambda: windows.walk_http(line, "c", 10))[0] or []}.get("m1", 0)
        until(height, 10, "shown as what cannot be shown")
        before = height()
        text = (style / "kinds/text.json5").read_text()
        (style / "kinds/shout.json5").write_text(re.sub(r'kind: "text"', 'kind: "shout"', text))
        service.stop()
        service.write(style=str(style / "bubble.json5"))
        service.start()
        until(lambda: settled(service), 40, "the style with the kind served")
        second = ingest.answers_until_kept(producer, [event(2)])[0][0]
        if second != {"answer": "accepted"}:
            raise Trouble(f"a kind that the style knows now is answered {second}")
        until(lambda: height() > 3 * before, 20, lambda: f"twenty lines drawn: {height()} high, {before} before")
        return f"{before} px high as what cannot be shown, {height()} in full"
