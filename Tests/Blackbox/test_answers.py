"""Always some answer: who dies is back soon, and what is stored is read whoever else is gone."""
import signal
import threading
import time

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, ports, send, until
from test_pages import fill
from windows import Words

SOON = 3.0  # seconds: one until it is started again, the rest until it has, on busy cores


@case("answers/who is killed is back soon", short=2)
def _(run):
    told = []
    with Service() as service:
        fill(service, "c", 50, lambda i: f"word {i}")
        number = 0

        def accepted():
            nonlocal number
            number += 1
            producer = ingest.Producer(service.events)
            reply = producer.post([{"conversation": "c", "message": f"n{number}", "sender": "ada", "time": 1, "order": 100 + number, "text": "x"}], 0.3)
            producer.close()
            return reply is not None and reply["answers"][0]["answer"] in ("accepted", "duplicate")

        def answered():
            client = windows.Client(service.fetch)
            answer = client.ask(Words.open(1, "c", rows=5), 0.3)
            client.close()
            return answer is not None and answer["word"] == "window"

        def over_http():
            try:
                return web.Line(service.port).get("/v1/conversations/c/window", None, 0.3, target="390@3").status == 200
            except OSError:
                return False

        for role, there in (("gateway", answered), ("coordinator", accepted)):
            before = service.pids(role)
            began = time.monotonic()
            service.signal(signal.SIGKILL, role)
            until(lambda: service.pids(role) not in ([], before) and there() and over_http(), 40, f"answers after kill -9 of the {role}")
            took = time.monotonic() - began
            told.append(f"{role} {took:.1f} s")
            if took > SOON:
                raise Trouble(f"answers {took:.1f} s after kill -9 of the {role}, which was killed for the first time")
    return f"killed for the first time, answers after: {', '.join(told)}"


@case("answers/without a coordinator", short=3, takes=14)
def _(run):
    """A gateway serves what is stored while the coordinator is stopped; posts are answered, and /readyz says so."""
    with Service() as service:
        fill(service, "c", 50, lambda i: f"word {i}")
        line = web.Line(service.port)
        ready = lambda: line.get("/readyz", None, 5.0, **{"for": "posts"})
        until(lambda: ready().status == 200, 5, lambda: f"/readyz?for=posts is {ready().body}")
        stopped = service.signal(signal.SIGSTOP, "coordinator")
        try:
            slowest, asked = 0.0, 0
            began = time.monotonic()
            said, post = None, Posted(service.port)
            while time.monotonic() - began < max(4.0, run.seconds):
                for ask in (lambda: windows.walk(windows.Client(service.fetch), "c", 20, seconds=3),
                            lambda: windows.walk_http(line, "c", 20, seconds=3)):
                    at = time.monotonic()
                    try:
                        rows, _ = ask()
                    except windows.Busy as error:
                        raise Trouble(f"what is stored is not read while the coordinator is stopped: {error}") from None
                    if rows is None or len(rows) != 50 or not all(row["body"] for row in rows):
                        raise Trouble(f"{rows and len(rows)} rows of 50 while the coordinator is stopped")
                    slowest, asked = max(slowest, time.monotonic() - at), asked + 1
                if said is None and ready().status != 200:
                    said = time.monotonic() - began
                    post.start()  # the answer takes long, and others go on reading meanwhile
            status, posted = post.answer()
            if status != 503:
                raise Trouble(f"a post while the coordinator is stopped is answered {status}")
            if said is None:
                raise Trouble(f"/readyz?for=posts is {ready().body} while no event can be posted")
        finally:
            for pid in stopped:
                send(pid, signal.SIGCONT)
    return f"{asked} conversations read, the slowest in {slowest * 1000:.0f} ms; a post answered 503 after {posted:.1f} s; /readyz after {said:.1f} s"


class Posted(threading.Thread):
    """A post over HTTP that somebody waits for while others go on."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.status, self.took = port, None, 0.0

    def run(self):
        began = time.monotonic()
        try:
            self.status = web.Line(self.port).request(
                "POST", "/v1/conversations/c/events",
                b'{"events": [{"conversation": "c", "message": "x", "sender": "ada", "time": 1, "order": 1, "text": "x"}]}',
                {"Content-Type": "application/json"}, 20).status
        except OSError as error:
            self.status = str(error)
        self.took = time.monotonic() - began

    def answer(self):
        """The status, or why there is none, and after how long."""
        if self.ident is None:
            self.start()
        self.join()
        return self.status, self.took


@case("answers/a gateway by itself", short=1)
def _(run):
    """A gateway that never meets a coordinator: all that is stored is read, posts are told to wait, and its streams go on when one comes."""
    operators_port = ports.port()
    with Service(settings={"metrics": f"127.0.0.1:{operators_port}"}) as service:
        fill(service, "c", 50, lambda i: f"word {i}")
        service.stop()
        gateway = service.spawn("gateway")
        try:
            line, path = web.Line(service.port), "/v1/conversations/c"

            def there():
                try:
                    return line.get(f"{path}/window", None, 1, target="390@3").status == 200
                except OSError:
                    return False
            until(there, 10, lambda: f"a gateway without a coordinator answers: {service.said()[-500:]}")
            for what, query in ((f"{path}/window", {"target": "390@3", "with": "body"}), (f"{path}/window", {"target": "397@2.5"}),
                                (f"{path}/heights", {"target": "390@3", "from": -1000, "to": 1000}), (f"{path}/place", {"target": "390@3", "around": "message:m000007"}),
                                ("/v1/fonts", {}), ("/v1/openapi.json", {}), ("/livez", {})):
                status = line.get(what, None, 5, **query).status
                if status != 200:
                    raise Trouble(f"{what} of a gateway without a coordinator is answered {status}")
            if (status := line.get("/v1/conversations/nothing/window", None, 5, target="390@3").status) not in (404, 503):
                raise Trouble(f"an unknown conversation is answered {status}")
            for frames in (False, True):
                rows, _ = windows.walk_http(line, "c", 20, frames=frames)
                if [row["message"] for row in rows] != [f"m{i:06}" for i in range(50)] or not all(row["body"]["said"] for row in rows):
                    raise Trouble(f"{len(rows)} of 50 rows, or rows without what was said")
            body = b'{"events": [{"conversation": "c", "message": "new", "sender": "ada", "time": 1, "order": 100, "text": "x"}]}'
            began = time.monotonic()
            reply = line.request("POST", f"{path}/events", body, {"Content-Type": "application/json"}, 20)
            posted = time.monotonic() - began
            if reply.status != 503 or not reply.headers.get("Retry-After"):
                raise Trouble(f"a post is answered {reply.status} with Retry-After {reply.headers.get('Retry-After')}")
            ready = line.get("/readyz", None, 5, **{"for": "posts"})
            if ready.status != 503 or ready.json() != {"status": "waiting"}:
                raise Trouble(f"/readyz?for=posts is {ready.status} {ready.body}")
            if (told := line.get("/metrics", None, 5)).status != 404 or "forme_" in str(told.body):
                raise Trouble(f"/metrics at the port of clients is {told.status} {told.body}")
            operators = web.Line(operators_port)
            ready = operators.get("/readyz", None, 5, **{"for": "posts"})
            if ready.status != 503 or ready.json()["checks"]["posts"] or "coordinator" not in ready.json()["reasons"]["posts"]:
                raise Trouble(f"/readyz?for=posts at the port for operators is {ready.status} {ready.body}")
            if (status := operators.get("/metrics", None, 5).status) != 200:
                raise Trouble(f"/metrics of a gateway without a coordinator is answered {status}")
            stream = web.Stream(service.port, "c", target="390@3", count=20)
            if "window" not in (stream.next() or {}):
                raise Trouble("a stream does not begin with its window")
            said = line.request("POST", f"{path}/streams/{stream.name}", b'{"page": {"window": 1, "side": "older", "count": 10}}',
                                {"Content-Type": "application/json"}).status
            if said != 202 or "window" not in (stream.next() or {}):
                raise Trouble(f"a page in a stream is answered {said}")
            others = [service.spawn(role) for role in ("coordinator", "worker")]
            try:
                until(lambda: line.request("POST", f"{path}/events", body, {"Content-Type": "application/json"}, 5).status == 200, 20,
                      lambda: f"accepted when a coordinator is there: {service.said()[-500:]}")
                told = stream.next(10)
                if stream.ended or told is None or "changes" not in told:
                    raise Trouble(f"the stream hears {told} of what a coordinator took that came later")
            finally:
                for process in others:
                    process.terminate()
                for process in others:
                    process.wait(20)
            stream.close()
        finally:
            gateway.terminate()
            if gateway.wait(20) != 0:
                raise Trouble(f"the gateway ends with {gateway.returncode}")
    return f"all that is stored was read, a post answered 503 after {posted:.1f} s, and a stream went on with a coordinator"
