"""A service of one's own: `forme serve` in a temporary folder, started, watched, hurt and stopped from outside.

Nothing here knows more of Forme than its pages, `--help` and what /proc says of any process.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Ports"))

import ports  # noqa: E402

BINARY = Path(os.environ.get("FORME", ROOT / ".build/release/forme"))
ROLES = ("coordinator", "gateway", "worker")


class Trouble(AssertionError):
    """What a test found, in one sentence, with everything that is needed to look at it."""


def forme(*words, check=True, **options):
    """A command of the binary, run to its end."""
    options.setdefault("timeout", 60)
    done = subprocess.run(
        [str(BINARY), *map(str, words)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if check and done.returncode != 0:
        raise Trouble(f"forme {' '.join(map(str, words))} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return done


def alive(pid):
    """Whether the process runs; one that ended and was not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as line:
            return line.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False


def until(condition, seconds, what):
    """What `condition` gives once that is true; asked often, for so many seconds at most."""
    end = time.monotonic() + seconds
    while True:
        asked = time.monotonic()
        found = condition()
        if found:
            return found
        now = time.monotonic()
        if now > end:
            raise Trouble(f"after {seconds} s still not: {what() if callable(what) else what}")
        # What starts a command or reads all rows would take a processor from those who are waited for.
        time.sleep(min(0.1, max(0.02, now - asked)))


class Service:
    """A folder, its configuration, and the processes that `forme serve` runs for it.

    - starts: whether `with` starts it; where it is false, nothing is in its folder yet, and its configuration may be written anew before.
    """

    def __init__(self, *, workers=2, http=True, settings=None, style=None, environment=None, place=None, prefix=(), log=None, starts=True):
        self.home = Path(tempfile.mkdtemp(prefix="forme-blackbox-", dir=place))
        self.data = self.home / "data"
        self.logfile = (log or self.home) / "log"
        self.config = self.home / "forme.json5"
        self.port = ports.port() if http else None
        self.style = style or ROOT / "config/styles/bubble.json5"
        self.settings = {
            "data": str(self.data), "workers": workers, "style": str(self.style), "fonts": str(ROOT / "config/fonts.json5"),
            **({"http": {"listen": f"127.0.0.1:{self.port}"}} if http else {}), **(settings or {}),
        }
        self.environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})}
        self.prefix, self.starts = list(prefix), starts
        self.process = None
        self.marked = 0
        self.resting = []
        self.write()

    def __enter__(self):
        try:
            return self.start() if self.starts else self
        except BaseException:
            self.__exit__(*sys.exc_info())  # no `with` does
            raise

    def __exit__(self, kind, error, trace):
        self.kill()
        if kind is None or issubclass(kind, KeyboardInterrupt):
            shutil.rmtree(self.home, ignore_errors=True)
        else:
            print(f"  (folder and log are kept in {self.home})", flush=True)

    def write(self, **changed):
        """The configuration, as JSON, which is JSON5, too."""
        self.settings.update(changed)
        self.config.write_text(json.dumps(self.settings, indent=1))

    # Starting and stopping

    def start(self, wait=60):
        self.process = self.spawn("serve")
        if wait:
            self.ready(wait)
        return self

    def spawn(self, role, *words):
        """One process of the service, or a stranger of the same folder."""
        self.marked = self.logfile.stat().st_size if self.logfile.exists() else 0
        with open(self.logfile, "ab") as log:
            return subprocess.Popen(
                [*self.prefix, str(BINARY), role, "--config", str(self.config), *map(str, words)], cwd=ROOT,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, start_new_session=True)

    def ready(self, seconds=60):
        """Until the supervisor says that all of its processes are."""
        def said():
            if not alive(self.process.pid):
                raise Trouble(f"serve ended with {self.process.wait()}: {self.said()[-1500:]}")
            return "component=serve message=ready" in self.said()
        until(said, seconds, lambda: f"ready: {self.said()[-1500:]}")

    def said(self, everything=False):
        """The log since the last start."""
        with open(self.logfile, "rb") as log:
            log.seek(0 if everything else self.marked)
            return log.read().decode(errors="replace")

    def stop(self, seconds=30):
        """In order; ends with what serve ended with."""
        self.process.send_signal(signal.SIGTERM)
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Trouble(f"serve did not end {seconds} s after SIGTERM: {self.said()[-1500:]}") from None
        until(lambda: not self.family(), 10, lambda: f"children gone after serve: {self.family()}")
        return code

    def kill(self):
        """Everything at once, with kill -9, also who was stopped."""
        if self.process is None:
            return
        family = [*self.family(), *self.resting]
        for pid in [self.process.pid, *family]:
            send(pid, signal.SIGKILL)
        self.process.wait()
        until(lambda: not any(alive(pid) for pid in family), 10, "killed")

    def restart(self, gently=True):
        if gently:
            self.stop()
        else:
            self.kill()
        return self.start()

    # Looking

    def family(self, roles=ROLES):
        """The processes of this folder beside serve itself: {pid: role}, found by their command line."""
        found, own, config = {}, os.fsencode(BINARY), os.fsencode(self.config)
        for name in os.listdir("/proc"):  # asked very often
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/cmdline", "rb", buffering=0) as line:
                    words = line.read().split(b"\0")
            except OSError:
                continue
            if len(words) > 2 and words[0] == own and config in words and alive(name):
                role = words[1].decode(errors="replace")
                if role in roles:
                    found[int(name)] = role
        return found

    def rest(self):
        """Stops what makes fonts for browsers, which takes a core for many minutes, once for a folder: what is measured is measured without it."""
        for pid in self.family(("webfonts",)):
            self.resting.append(pid)
            send(pid, signal.SIGSTOP)

    def pids(self, *roles):
        return sorted(pid for pid, role in self.family().items() if not roles or role in roles)

    def signal(self, number, *roles):
        """Sends a signal to all processes of these roles; `serve` is one of them."""
        pids = self.pids(*[role for role in roles if role != "serve"]) if set(roles) != {"serve"} else []
        if "serve" in roles:
            pids.append(self.process.pid)
        for pid in pids:
            send(pid, number)
        return pids

    def memory(self):
        """Resident and highest memory in MB, by role: the most of any process of it."""
        found = {}
        for pid, role in self.family().items():
            numbers = memory(pid)
            if numbers:
                found[role] = tuple(map(max, zip(numbers, found.get(role, (0, 0)))))
        return found

    def status(self):
        done = forme("status", "--json", "--config", self.config, check=False, timeout=15)
        return json.loads(done.stdout)["status"] if done.returncode == 0 else None

    def files(self, pattern="shards/*/*"):
        return sorted(self.data.glob(pattern))

    @property
    def events(self):
        return f"ipc://{self.data}/events.ipc"

    @property
    def fetch(self):
        return f"ipc://{self.data}/fetch.ipc"


def memory(pid):
    """Resident and highest memory of a process, in MB."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    numbers = dict(line.split(":", 1) for line in lines if ":" in line)
    if "VmRSS" not in numbers:
        return None
    return tuple(int(numbers[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def send(pid, number):
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass
