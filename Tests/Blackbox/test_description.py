"""The description that the service gives of itself, held to by a client that is made of it alone."""
import json
import subprocess

import web
from cases import case
from service import ROOT, Service, Trouble, until
from test_pages import fill

VENV = ROOT / ".build/venv/bin"
GENERATOR = VENV / "openapi-python-client"
# Fonts come as what they are; a generator has to be told that these are bytes.
SETTINGS = {"post_hooks": [], "content_type_overrides": {"font/*": "application/octet-stream"}, "package_name_override": "client"}


@case("description/a generated client", short=1, takes=3.5, limit=120.0)
def _(run):
    """A client that openapi-python-client makes of the description, without one warning, calls every route that answers JSON."""
    if not GENERATOR.exists():
        return "SKIPPED, as openapi-python-client is not there: run deploy/prepare test, with PyPI in reach"
    with Service(workers=1) as service:
        fill(service, "c", 20, lambda i: f"word {i}")
        described = web.Line(service.port).get("/v1/openapi.json")
        (service.home / "openapi.json").write_bytes(described.body)
        (service.home / "settings.yml").write_text(json.dumps(SETTINGS))
        made = subprocess.run(
            [GENERATOR, "generate", "--fail-on-warning", "--path", service.home / "openapi.json", "--config", service.home / "settings.yml",
             "--output-path", service.home / "generated/client", "--meta", "none"],
            capture_output=True, text=True, timeout=120)
        if made.returncode:
            raise Trouble(f"no client can be made of the description: {made.stdout[-3000:]}{made.stderr[-1000:]}")
        stream = web.Stream(service.port, "c", target="375@2", count=5)
        if "window" not in (stream.next() or {}):
            raise Trouble("a stream does not begin with its window")
        called = subprocess.run(
            [VENV / "python", "-B", ROOT / "Tests/Blackbox/generated.py", service.home / "generated", f"http://127.0.0.1:{service.port}", "c",
             stream.name], capture_output=True, text=True, timeout=120)
        if called.returncode:
            raise Trouble(f"the client made of the description ended with {called.returncode}: {called.stdout}{called.stderr[-3000:]}")
        told = [next(iter(stream.next() or {"nothing": 0})) for _ in range(6)]
        # The posted message is told, too, and the cursor may be one that the stream never had.
        if sorted(told) not in (["changes", "changes", "done", "ranges", "window", "window"], ["changes", "done", "ranges", "refused", "window", "window"]):
            raise Trouble(f"the words of the client are answered {told}")
        stream.close()
    return called.stdout.strip()


@case("description/unknown conversations", short=1)
def _(run):
    """A conversation of which nothing was said is unknown to who looks once, and waited for by who stays; one that was emptied is empty."""
    with Service(workers=1) as service:
        line, query = web.Line(service.port), {"target": "375@2"}

        def look(name):
            return [line.get(f"/v1/conversations/{name}/{what}", **query, **more) for what, more in (
                ("window", {}), ("heights", {"from": 0, "to": 9}), ("place", {"around": "y:0"}))]
        for reply in look("new"):
            if reply.status != 404 or "nothing was ever posted" not in reply.json()["detail"]:
                raise Trouble(f"an unknown conversation is answered {reply.status} {reply.body}")
        # Whose shard has no file yet: the answer is to ask again.
        stream = web.Stream(service.port, "new", **query)
        if stream.status != 503 or not stream.headers.get("retry-after"):
            raise Trouble(f"a stream of a conversation before its first message is answered {stream.status} {stream.headers}")
        names = [f"c{i}" for i in range(40)]
        for name in names:
            fill(service, name, 1, lambda i: "word")
        if any(reply.status != 404 for reply in look("new")):
            raise Trouble("an unknown conversation is known, as its shard has a file")

        def open_():
            stream = web.Stream(service.port, "new", **query)
            return stream if stream.status == 200 else stream.close()
        stream = until(open_, 20, "a stream of a conversation before its first message")
        first = stream.next()
        if first is None or first["window"]["rows"]:
            raise Trouble(f"it begins with {first}")
        fill(service, "new", 1, lambda i: "word")
        told = stream.next(20)
        if told is None or told["changes"]["changes"][0].get("insert") != 0:
            raise Trouble(f"the first message is told as {told}")
        stream.close()
        deleted = {"conversation": "new", "message": "m000000", "revision": 9, "deleted": True}
        reply = line.request("POST", "/v1/conversations/new/events", json.dumps(deleted).encode(), {"Content-Type": "application/json"})
        if reply.json()["answers"] != [{"answer": "accepted"}]:
            raise Trouble(f"a deletion is answered {reply.body}")
        until(lambda: look("new")[0].status == 200 and look("new")[0].json()["window"]["rows"] == [], 20, "an empty window")
    return f"unknown until its first message, among {len(names)} others"
