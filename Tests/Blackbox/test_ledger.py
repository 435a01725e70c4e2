"""A ledger beside the service: what was accepted is there, once, in its place, with its body; and nothing else is."""
from cases import case
from ledger import Ledger, crew, read_back
from service import Service


def undisturbed(run, durability):
    ledger = Ledger()
    with Service(settings={"durability": durability}) as service:
        writers = crew(service, ledger, run.seed, rate=run.pick(250, 0))
        going = run.clock()
        with writers:
            while going():
                writers.ended.wait(0.1)
        compared = read_back(service, ledger, run.pick((70, 256), (50, 70, 100, 256)))
        if service.stop() != 0:
            raise AssertionError("serve did not end with 0 after SIGTERM")
        service.start()
        compared += read_back(service, ledger, run.pick((100,), (50, 256)))
    counts = ", ".join(f"{count} {name}" for name, count in sorted(ledger.counts.items()))
    return f"{writers.posted} events ({counts}), {ledger.rows()} rows, {compared} compared over three roads, also after a stop"


@case("ledger/undisturbed/full", short=3)
def _(run):
    return undisturbed(run, "full")


@case("ledger/undisturbed/process", short=3)
def _(run):
    return undisturbed(run, "process")
