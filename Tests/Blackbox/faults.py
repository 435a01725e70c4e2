"""What can happen to a service: its processes end, stop and come back, its files go."""
import signal
import time

from service import send, until


class Faults:
    """Mishaps for one service, by chance; each is noted in `done`, in the order in which they happened."""

    def __init__(self, service, random, kinds):
        self.service, self.random = service, random
        self.kinds = [getattr(self, kind) for kind in kinds]
        self.done = []

    def happen(self):
        kind = self.random.choice(self.kinds)
        self.done.append(kind.__name__)
        detail = kind()
        if detail:
            self.done[-1] += f" {detail}"

    def __str__(self):
        return f"{len(self.done)} mishaps: " + ", ".join(self.done)

    def one(self, *roles):
        pids = self.service.pids(*roles)
        return self.random.choice(pids) if pids else None

    def send(self, number, *roles):
        pid = self.one(*roles)
        if pid is None:
            return "nobody"
        role = self.service.family().get(pid)
        send(pid, number)
        return role

    # Processes

    def kill(self):
        """kill -9 of one process that serve runs."""
        return self.send(signal.SIGKILL, "coordinator", "worker", "gateway")

    def kill_gateway(self):
        return self.send(signal.SIGKILL, "gateway")

    def term(self):
        """SIGTERM of one, which ends in order, and is started again."""
        return self.send(signal.SIGTERM, "coordinator", "worker", "gateway")

    def halt(self):
        """SIGSTOP for longer than a lease, and then on."""
        pid = self.one("coordinator", "worker", "gateway")
        if pid is None:
            return "nobody"
        role, pause = self.service.family().get(pid), self.random.choice((0.5, 2.0, 4.0))
        send(pid, signal.SIGSTOP)
        time.sleep(pause)
        send(pid, signal.SIGCONT)
        return f"{role} for {pause} s"

    def kill_serve(self):
        """The supervisor alone; its children notice, and end."""
        self.service.process.kill()
        self.service.process.wait()
        until(lambda: not self.service.family(), 20, lambda: f"children that end with serve: {self.service.family()}")
        self.service.start()

    def kill_all(self):
        self.service.kill()
        self.service.start()

    def restart(self):
        self.service.stop()
        self.service.start()

    # Files

    def lose(self, suffixes):
        """Deletes files of one shard, or of two."""
        databases = [file for file in self.service.files("shards/*/*.db")]
        gone = []
        for database in self.random.sample(databases, min(len(databases), self.random.choice((1, 1, 2)))):
            for suffix in suffixes:
                file = database.with_name(database.name + suffix)
                if file.exists():
                    file.unlink(missing_ok=True)
                    gone.append(file.name)
        return " and ".join(gone)

    def suffixes(self):
        return self.random.choice((("",), ("-wal",), ("-shm",), ("", "-wal"), ("", "-shm"), ("-wal", "-shm"), ("", "-wal", "-shm")))

    def lose_running(self):
        return self.lose(self.suffixes())

    def lose_stopped(self):
        """After an orderly end."""
        self.service.stop()
        gone = self.lose(self.suffixes())
        self.service.start()
        return gone

    def lose_killed(self):
        """After kill -9 of everything."""
        self.service.kill()
        gone = self.lose(self.suffixes())
        self.service.start()
        return gone

    def lose_any(self):
        """Any file below shards/, while it is in use."""
        files = [file for file in self.service.files("shards/**/*") if file.is_file()]
        if not files:
            return "nothing"
        file = self.random.choice(files)
        file.unlink(missing_ok=True)
        return file.name


PROCESSES = ("kill", "kill", "kill", "term", "halt", "kill_serve", "kill_all", "restart")
FILES_RUNNING = ("lose_running",)
FILES = ("lose_running", "lose_running", "lose_stopped", "lose_killed")
EVERYTHING = PROCESSES + FILES
