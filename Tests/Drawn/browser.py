"""A headless Chromium, driven over a pipe: the DevTools protocol, each message ended by a zero byte."""
import json
import os
import shutil
import subprocess
import tempfile

BROWSER = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "chromium"
FLAGS = ("--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--hide-scrollbars",
         # Advances as fonts say them, at every scale.
         "--font-render-hinting=none", "--enable-font-subpixel-positioning", "--lang=en-US")


class Browser:
    def __init__(self, scale, *flags, font=None):
        """
        - font: the only one that it finds on this machine; all that there are without it.
        """
        self.heard = lambda method, params: None  # what happens by itself
        self.folder = tempfile.mkdtemp(prefix="forme-drawn-")
        environment = dict(os.environ)
        if font:
            config = os.path.join(self.folder, "fonts.conf")
            with open(config, "w") as file:
                file.write(f'<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>{self.folder}/fonts</dir><cachedir>{self.folder}/cache</cachedir></fontconfig>')
            os.mkdir(os.path.join(self.folder, "fonts"))
            os.symlink(font, os.path.join(self.folder, "fonts", os.path.basename(font)))
            environment["FONTCONFIG_FILE"] = config
        asked, self.out = os.pipe()
        self.inp, told = os.pipe()

        def child():  # it reads file 3 and writes 4
            a, b = os.dup(asked), os.dup(told)
            os.dup2(a, 3)
            os.dup2(b, 4)

        # Chromium does not run as root inside of its sandbox; it opens nothing here but pages of this machine.
        rooted = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.process = subprocess.Popen(
            [BROWSER, *FLAGS, *flags, *rooted, f"--force-device-scale-factor={scale:g}", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}/profile", "about:blank"],
            preexec_fn=child, close_fds=False, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(asked)
        os.close(told)
        self.buffer, self.count, self.session = b"", 0, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
        os.close(self.out)
        os.close(self.inp)
        shutil.rmtree(self.folder, ignore_errors=True)

    def say(self, method, **params):
        """Without waiting for the answer, which has this number."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        return self.count

    def call(self, method, **params):
        number = self.say(method, **params)
        while True:
            answer, end, rest = self.buffer.partition(b"\0")
            if not end:
                more = os.read(self.inp, 1 << 20)
                if not more:
                    raise RuntimeError("the browser ended")
                self.buffer += more
                continue
            self.buffer = rest
            answer = json.loads(answer)
            if "method" in answer:
                self.heard(answer["method"], answer.get("params", {}))
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def evaluate(self, expression):
        """The value of an expression, once it is there if it is a promise."""
        reply = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in reply:
            raise RuntimeError(json.dumps(reply["exceptionDetails"])[:2000])
        return reply["result"].get("value")
