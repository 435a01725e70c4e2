"""forme demo as somebody sees it at a terminal: eleven conversations soon, a long one behind them, and nothing left of it."""
import json
import os
import pty
import re
import select
import signal
import time
import urllib.request

import ports
from service import BINARY, ROOT

WITHIN = {"eleven": 20, "million": 180}


class Terminal:
    def __init__(self, *words):
        self.pid, self.line = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.execv(str(BINARY), [str(BINARY), *words])
        self.text = ""

    def wait(self, pattern, seconds):
        """What is printed, as soon as it is; nothing where it is not in time."""
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)) and time.monotonic() < end:
            if select.select([self.line], [], [], 0.2)[0]:
                try:
                    self.text += os.read(self.line, 65536).decode(errors="replace")
                except OSError:
                    return None
        return found

    def end(self):
        os.kill(self.pid, signal.SIGINT)
        self.wait("$^", 5)
        return os.waitpid(self.pid, 0)[1]


def run(out, messages):
    start = time.monotonic()
    terminal = Terminal("demo", "--messages", str(messages), "--http", f"127.0.0.1:{ports.port()}")
    try:
        address = terminal.wait(r"http://127\.0\.0\.1:\d+/", 60)
        terminal.wait(r"Eleven conversations are in it", 60)
        listed = []
        while len(listed) < 11 and time.monotonic() < start + WITHIN["eleven"]:
            with urllib.request.urlopen(f"{address[0]}v1/conversations?count=100&as=ada", timeout=10) as answer:
                listed = [one for one in json.load(answer)["conversations"] if one.get("last")]
            time.sleep(0.05)
        took = time.monotonic() - start
        out.expect("the demo, from its start: seconds until eleven conversations are there, and how many say something", [round(took, 1), len(listed)], lambda found: found[0] <= WITHIN["eleven"] and found[1] >= 11)
        told = terminal.wait(rf"All {messages} are there after ([\d.]+) s; the folder has (\d+) MB", WITHIN["million"] + 60)
        out.expect(f"{messages} messages behind them: seconds, and MB on disk", told and [float(told[1]), int(told[2])], lambda found: found is not None and found[0] <= WITHIN["million"])
    finally:
        status = terminal.end()
    folder = f"{os.environ.get('TMPDIR', '/tmp')}/forme-demo-{terminal.pid}"
    out.expect("when it is interrupted: its status, and what is left", [status, os.path.exists(folder)], [0, False])
