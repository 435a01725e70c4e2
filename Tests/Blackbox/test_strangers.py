"""Workers that do not have the coordinator's folder, or only a copy of it, are turned away in words and change nothing."""
import json
import shutil
import subprocess
import time

from cases import case
from service import BINARY, ROOT, Service, Trouble
from test_pages import fill


def stranger(service, name, copied):
    """A worker that reaches the coordinator and has another folder; how it ends, and what it says."""
    data = service.home / name
    if copied:
        shutil.copytree(service.data, data, ignore=shutil.ignore_patterns("*.ipc"))
    else:
        data.mkdir()
    for socket in service.data.glob("*.ipc"):
        (data / socket.name).symlink_to(socket)
    config = service.home / f"{name}.json5"
    config.write_text(json.dumps({**service.settings, "data": str(data)}))
    try:
        done = subprocess.run(
            [str(BINARY), "worker", "--config", str(config)], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=30)
    except subprocess.TimeoutExpired as still:
        raise Trouble(f"a worker of a folder that is {name} goes on for 30 s: {(still.stdout or b'').decode()[-600:]}") from None
    return done.returncode, done.stdout.decode()


def processes(service):
    """The workers of a service, by their processes."""
    return sorted(worker["process"] for worker in service.status()["workers"])


@case("strangers/workers of another folder", short=4, takes=1.5, long=10)
def _(run):
    with Service() as service:
        fill(service, "calm", 20, lambda i: f"word {i}")
        # The second worker of a busy machine may be on its way still.
        deadline = time.monotonic() + 10
        while len(own := processes(service)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        began = time.monotonic()
        for name, copied in (("copied", True), ("empty", False)):
            code, said = stranger(service, name, copied)
            if code != 77 or "--data" not in said:
                raise Trouble(f"a worker of a folder that is {name} ended with {code}: {said[-800:]}")
        took = time.monotonic() - began
        fill(service, "after", 20, lambda i: f"word {i}")
        if service.status().get("troubles") or len(own) != 2 or processes(service) != own:
            raise Trouble(f"the service is not as it was: {service.status().get('troubles')}, {own} and {processes(service)}")
    return f"both ended with 77, after {took:.1f} s"
