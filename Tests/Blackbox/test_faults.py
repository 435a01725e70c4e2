"""The ledger while everything happens: processes are killed and stopped, files of shards/ deleted."""
import signal
import threading
import time

import faults
import web
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import Service, Trouble, until
from test_pages import fill


def disturbed(run, durability, kinds, pause=(0.3, 2.0), workers=2, seconds=60.0):
    ledger = Ledger()
    with Service(settings={"durability": durability}, workers=workers) as service:
        mishaps = faults.Faults(service, run.random, kinds)
        writers = crew(service, ledger, run.seed, conversations=run.pick(4, 8), rate=100)
        try:
            with writers:
                writers.ended.wait(1)
                going = run.clock()
                while going() and not writers.errors:
                    mishaps.happen()
                    writers.ended.wait(run.random.uniform(*pause))
            compared = read_back(service, ledger, run.pick((70, 256), (50, 70, 100, 256)), seconds)
            service.restart()
            compared += read_back(service, ledger, (100,), seconds)
        except Trouble as trouble:
            raise Trouble(f"{trouble} -- after {mishaps}") from None
    counts = ", ".join(f"{count} {name}" for name, count in sorted(ledger.counts.items()))
    return f"{writers.posted} events ({counts}), {ledger.rows()} rows, {compared} compared, {len(mishaps.done)} mishaps"


for _durability in ("full", "process"):
    @case(f"faults/processes/{_durability}", short=5, takes=9, long=120, limit=300)
    def _(run, durability=_durability):
        return disturbed(run, durability, faults.PROCESSES)

    @case(f"faults/files/{_durability}", short=5, takes=8, long=120, limit=300)
    def _(run, durability=_durability):
        return disturbed(run, durability, faults.FILES)

    @case(f"faults/everything/{_durability}", short=0, long=300, limit=600)
    def _(run, durability=_durability):
        if run.short:
            return "only in long turns"
        return disturbed(run, durability, faults.EVERYTHING, workers=3)


@case("faults/each role in turn", short=2, long=60)
def _(run):
    """kill -9 of each role, and of all, while events of every sort are in the air: an answer of accepted is kept whatever died behind it."""
    ledger, killed = Ledger(), []
    with Service() as service:
        writers = crew(service, ledger, run.seed, conversations=3, rate=200)
        with writers:
            going = run.clock()
            while (going() or len(killed) < 5) and not writers.errors:
                for role in ("worker", "coordinator", "gateway", "serve", "all"):
                    writers.ended.wait(run.random.uniform(0.1, 0.4))
                    if role == "serve":
                        faults.Faults(service, run.random, ()).kill_serve()
                    elif role == "all":
                        service.restart(gently=False)
                    else:
                        before = service.pids(role)
                        service.signal(signal.SIGKILL, role)
                        until(lambda: len(service.pids(role)) == len(before) and not set(before) & set(service.pids(role)), 20, f"a {role} again")
                    killed.append(role)
        compared = read_back(service, ledger, (70, 256), 60)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(ledger.counts.items()))
    return f"{writers.posted} events ({counts}), {compared} rows compared after {len(killed)} times kill -9 of {', '.join(killed[:5])}"


@case("faults/any file below shards", short=4, takes=8, long=60, limit=200)
def _(run):
    return disturbed(run, "full", ("lose_any",))


@case("faults/nobody is told 404", short=4, long=60)
def _(run):
    """A conversation that everybody read a second ago: while files go and processes end, it may be busy, never unknown."""
    told = {}
    with Service() as service:
        fill(service, "calm", 60, lambda i: f"word {i}")
        mishaps = faults.Faults(service, run.random, ("lose_running", "lose_running", "kill"))
        ended, wrong = threading.Event(), []

        def look():
            line, client = web.Line(service.port), windows.Client(service.fetch)
            while not ended.is_set():
                for road, ask in (("http", lambda: windows.walk_http(line, "calm", 256, seconds=2)),
                                  ("zmq", lambda: windows.walk(client, "calm", 256, seconds=2))):
                    try:
                        rows, answer = ask()
                    except windows.Busy as busy:
                        told[str(busy)[:40]] = told.get(str(busy)[:40], 0) + 1
                        continue
                    told["answers"] = told.get("answers", 0) + 1
                    if rows is None:
                        wrong.append(f"{road}: unknown ({answer}), after {mishaps}")
                time.sleep(0.01)

        reader = threading.Thread(target=look, daemon=True)
        reader.start()
        going = run.clock()
        while going() and not wrong:
            mishaps.happen()
            time.sleep(run.random.uniform(0.2, 1.0))
        ended.set()
        reader.join(20)
        if wrong:
            raise Trouble(f"{len(wrong)} answers: {wrong[0]}")
    return f"{told['answers']} answers during {len(mishaps.done)} mishaps, {told}"
