"""The ledger while files of shards/ are lost, or swapped for older copies and for those of other shards: one, or two at once."""
import shutil

import faults
import windows
from cases import case
from ledger import Ledger, crew, read_back
from ingest import Producer
from service import Service, Trouble, until

SUFFIXES = (".db", ".db-wal", ".db-shm", ".lock", ".mark")


class Files(faults.Faults):
    """Files of one shard, of any kind: the log, its index, and what stands beside them for the service's own use, too."""

    def __init__(self, service, random, kinds):
        self.older = service.home / "older"
        super().__init__(service, random, kinds)

    def shard(self):
        shards = [file.with_suffix("") for file in self.service.files("shards/*/*.db")]
        return self.random.choice(shards) if shards else None

    def keep(self):
        """Copies of all of them, to come back later."""
        shutil.rmtree(self.older, ignore_errors=True)
        if self.service.data.joinpath("shards").exists():
            shutil.copytree(self.service.data / "shards", self.older, ignore=lambda folder, names: [
                name for name in names if not name.endswith(SUFFIXES)], copy_function=self.copy)

    def copy(self, source, target):
        """What is gone by now is not copied."""
        try:
            shutil.copyfile(source, target)
        except FileNotFoundError:
            pass
        return target

    def strike(self, copies=True):
        shard, done = self.shard(), []
        if shard is None:
            return "nothing"
        for suffix in self.random.sample(SUFFIXES, self.random.choice((1, 1, 2))):
            file = shard.with_name(shard.name + suffix)
            kind = self.random.choice(("gone", "older", "other") if copies else ("gone",))
            old = self.older / shard.parent.name / file.name
            others = [other for other in shard.parent.glob("*" + suffix) if other.name != file.name and ".lost-" not in other.name]
            new = file.with_name(file.name + ".swap")
            if kind == "older" and old.exists():
                shutil.copyfile(old, new)
            elif kind == "other" and others:
                self.copy(self.random.choice(others), new)
            if new.exists():
                new.replace(file)
            else:
                kind = "gone"
                file.unlink(missing_ok=True)
            done.append(f"{file.name} {kind}")
        return " and ".join(done)

    def swap_running(self):
        return self.strike()

    def lose_any_running(self):
        return self.strike(copies=False)

    def swap_stopped(self):
        self.service.stop()
        done = self.strike()
        self.service.start()
        return done

    def swap_killed(self):
        self.service.kill()
        done = self.strike()
        self.service.start()
        return done


KINDS = ("keep", "swap_running", "swap_running", "lose_any_running", "lose_any_running", "swap_stopped", "swap_killed", "kill")


def swapped(run, durability):
    ledger = Ledger()
    with Service(settings={"durability": durability}) as service:
        mishaps = Files(service, run.random, KINDS)
        writers = crew(service, ledger, run.seed, conversations=run.pick(4, 8), rate=100)
        try:
            with writers:
                writers.ended.wait(1)
                going = run.clock()
                while going() and not writers.errors:
                    mishaps.happen()
                    writers.ended.wait(run.random.uniform(0.3, 1.5))
            compared = read_back(service, ledger, run.pick((70, 256), (50, 256)), 60)
            service.restart()
            compared += read_back(service, ledger, (100,), 60)
        except Trouble as trouble:
            raise Trouble(f"{trouble} -- after {mishaps}") from None
    return f"{writers.posted} events, {ledger.rows()} rows, {compared} compared, {len(mishaps.done)} mishaps"


for _durability in ("full", "process"):
    @case(f"shards/lost and swapped/{_durability}", short=4, takes=9, long=120, limit=300)
    def _(run, durability=_durability):
        return swapped(run, durability)


@case("shards/every log gone", short=1, takes=3)
def _(run):
    """All logs of all shards deleted behind kill -9, either durability: what was acknowledged is laid out again, what was deleted stays so."""
    told = []
    for durability in ("process", "full"):
        with Service(settings={"durability": durability}) as service:
            ledger = Ledger()
            scribe = crew(service, ledger, run.seed, conversations=5, zmq_producers=1, http_producers=0).scribes[0]
            scribe.round(run.pick(150, 1000))
            read_back(service, ledger, (256,), 30)
            scribe.round(50)
            service.kill()
            logs = [file for file in service.files("shards/*/*.db-wal") if file.stat().st_size]
            for file in logs:
                file.unlink()
            service.start()
            compared = read_back(service, ledger, (256,), 20)
            told.append(f"{durability}: {len(logs)} logs, {compared} rows")
    return "; ".join(told)


@case("shards/nothing lost", short=1, takes=10)
def _(run):
    """Logs empty, as they are when something was deleted, and whoever writes is killed: no file is put aside, none becomes another."""
    with Service(workers=1) as service:
        producer = Producer(service.events)
        messages = [{"conversation": f"c{i}", "message": f"m{i}", "sender": "ada", "time": i, "order": i, "text": f"word {i}"} for i in range(64)]

        def logs():
            return [file.name for file in service.files("shards/*/*.db-wal") if file.stat().st_size]

        def shown(client, message):
            """Whether there is a row of a message."""
            try:
                rows, _ = windows.walk(client, message["conversation"], 10, messages=False, bodies=False)
            except windows.Busy:
                return False
            return message["message"] in {row["message"] for row in rows or []}

        for turn in range(run.pick(2, 10)):
            posted = [{**message, "message": f"{message['message']}-{turn}"} for message in messages]
            gone = [{"conversation": each["conversation"], "message": each["message"], "deleted": True, "revision": 2} for each in posted]
            for events in (posted, gone):
                answers = producer.post(events)
                if not answers or any(each["answer"] != "accepted" for each in answers["answers"]):
                    raise Trouble(f"not accepted: {answers}")
                if events is posted:
                    # Only a row that is there can leave something behind.
                    client = windows.Client(service.fetch)
                    for each in posted:
                        until(lambda: shown(client, each), 20, f"a row of {each['message']}")
                    client.close()
            until(lambda: service.files("shards/*/*.db-wal") and not logs(), 40, lambda: f"logs empty after a deletion: {logs()} are not")
            service.restart(gently=False)
        # Whoever writes has opened the shards by then.
        posted = [{**message, "message": "last"} for message in messages]
        until(lambda: producer.post(posted), 20, "an answer after the last start")
        until(logs, 20, "something written")
        aside = [file.name for file in service.files("shards/*/*.lost-*")]
        if aside:
            raise Trouble(f"nothing was lost, and put aside are {', '.join(aside)}")
        producer.close()
    return f"{run.pick(2, 10)} times killed with empty logs"
