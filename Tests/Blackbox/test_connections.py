"""Connections that say nothing, or too little: each has its time, an address its share, and others are answered as ever."""
import http.client
import select
import socket
import ssl
import subprocess
import threading
import time

import web
from cases import case
from service import Service, Trouble, memory, until
from test_pages import fill

PATIENCE = 1  # seconds, as these services are told


def silent(port, source="127.0.0.1", said=b"", seconds=5.0):
    line = socket.socket()
    line.bind((source, 0))
    line.settimeout(seconds)
    line.connect(("127.0.0.1", port))
    if said:
        line.sendall(said)
    return line


def ended(lines, wait=0.0):
    """Those that the other side has closed."""
    poll, found = select.poll(), []
    by = {line.fileno(): line for line in lines}
    for line in lines:
        poll.register(line, select.POLLIN | select.POLLHUP | select.POLLERR)
    for handle, _ in poll.poll(wait * 1000):
        try:
            # What TLS says of itself comes before the end.
            while word := socket.socket.recv(by[handle], 4096, socket.MSG_DONTWAIT):
                pass
            gone = word == b""
        except BlockingIOError:
            gone = False
        except OSError:
            gone = True
        if gone:
            found.append(by[handle])
    return found


class Elsewhere(web.Line):
    """A client of another address."""

    def __init__(self, port, source="127.0.0.2"):
        super().__init__(port)
        self.source = source

    def request(self, *words, **more):
        if self.connection is None:
            self.connection = web.http.client.HTTPConnection(self.host, self.port, timeout=10, source_address=(self.source, 0))
        return super().request(*words, **more)


def window(line):
    """How long a window takes, in seconds."""
    began = time.monotonic()
    status = line.get("/v1/conversations/c/window", None, 5.0, target="390@3", count=20).status
    if status != 200:
        raise Trouble(f"a window is answered {status}")
    return time.monotonic() - began


def certificate(service):
    """Settings of HTTP with a certificate that signs itself."""
    file, key = service.home / "http.pem", service.home / "http.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
                    "/CN=127.0.0.1", "-keyout", str(key), "-out", str(file)], check=True, stderr=subprocess.DEVNULL)
    return {"certificate": str(file), "certificateKey": str(key)}


@case("connections/patience", short=1, takes=6)
def _(run):
    """Silence, half a head, and one byte after the other have firstHeadSeconds; so has a handshake that does not go on."""
    told = {}
    with Service(starts=False) as service:
        certified = certificate(service)
        for tls in (False, True):
            with_tls = certified if tls else {}
            service.write(http={"listen": f"127.0.0.1:{service.port}", "firstHeadSeconds": PATIENCE, **with_tls})
            service.start()
            fill(service, "c", 3, lambda i: "x") if not tls else None
            hello = ssl.MemoryBIO()
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            try:
                context.wrap_bio(ssl.MemoryBIO(), hello).do_handshake()
            except ssl.SSLWantReadError:
                pass
            greeting = hello.read()
            lines = {"nothing": silent(service.port), "a byte every 50 ms": silent(service.port)}
            drip = greeting if tls else b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"y" * 4000
            if tls:
                lines["half a greeting"] = silent(service.port, said=greeting[:len(greeting) // 2])
                lines["a greeting and no more"] = silent(service.port, said=greeting)
            else:
                lines["half a head"] = silent(service.port, said=drip[:30])
            began, at, left = time.monotonic(), 0, dict(lines)
            while left and time.monotonic() - began < PATIENCE + 6:
                if "a byte every 50 ms" in left and at < len(drip) - 2:
                    try:
                        left["a byte every 50 ms"].send(drip[at:at + 1])
                    except OSError:
                        pass
                    at += 1
                gone = ended(list(left.values()), 0.05)
                for name in [name for name, line in left.items() if line in gone]:
                    told[("TLS: " if tls else "") + name] = time.monotonic() - began
                    del left[name]
            if left:
                raise Trouble(f"{'with TLS ' if tls else ''}connections that sent {', '.join(left)} are open after {PATIENCE + 6} s")
            for line in lines.values():
                line.close()
            service.stop()
    early = {name: took for name, took in told.items() if took < PATIENCE - 0.6}
    late = {name: took for name, took in told.items() if took > PATIENCE + 3}
    if early or late:
        raise Trouble(f"with {PATIENCE} s of patience, ended after: {early or late}")
    return f"ended after {PATIENCE} s of patience: " + ", ".join(f"{name} {took:.1f} s" for name, took in told.items())


@case("connections/of one address", short=1, calm=True)
def _(run):
    """An address has its share and no more; who has others is answered, and so is this one when it lets go."""
    share = 20
    with Service(starts=False) as service:
        service.write(http={"listen": f"127.0.0.1:{service.port}", "connectionsPerAddress": share})
        service.start()
        fill(service, "c", 20, lambda i: f"word {i}")
        first = Elsewhere(service.port, "127.0.0.3")
        window(first)
        lines = [silent(service.port) for _ in range(share * 3)]
        time.sleep(0.3)
        held = len(lines) - len(ended(lines))
        if held > share:
            raise Trouble(f"one address has {held} connections, though {share} are its share")
        if held < share // 2:
            raise Trouble(f"one address has only {held} connections of its {share}")
        for source in ("127.0.0.2", "127.0.0.3", "127.0.0.4"):
            took = window(Elsewhere(service.port, source))
            if took > 0.5:
                raise Trouble(f"{source} is answered after {took:.2f} s beside an address that has all of its connections")
        took = window(first)
        for line in lines:
            line.close()
        def again():
            try:
                return window(web.Line(service.port)) < 5
            except OSError:
                return False
        until(again, 5, "the address is answered when it has let go")
    return f"{held} of {share * 3} connections of one address held, others answered"


@case("connections/silent ones", short=1, takes=4.5, calm=True)
def _(run):
    """Thousands that say nothing, of one address, as it is shipped and where an address may have all: others wait at most 100 ms."""
    count, told = run.pick(1500, 10000), []
    with Service() as service:
        fill(service, "c", 50, lambda i: f"word {i}")
        for settings in ({}, {"connectionsPerAddress": 10000, "firstHeadSeconds": 30}):
            if settings:
                service.stop()
                service.write(http={"listen": f"127.0.0.1:{service.port}", **settings})
                service.start()
            calm = Elsewhere(service.port)
            (gateway,) = service.pids("gateway")
            before, waits, lines, stopped = memory(gateway)[0], [], [], threading.Event()
            errors = []

            def ask():
                fresh = 0
                while not stopped.is_set():
                    fresh += 1
                    line = calm if fresh % 2 else Elsewhere(service.port)  # also who comes anew
                    try:
                        waits.append(window(line))
                    except OSError as error:
                        errors.append(f"{type(error).__name__}: {error}")
                    if line is not calm:
                        line.close()
                    stopped.wait(0.005)

            thread = threading.Thread(target=ask, daemon=True)
            thread.start()
            try:
                for _ in range(count):
                    try:
                        lines.append(silent(service.port, seconds=2.0))
                    except OSError as error:
                        if len(lines) < 200:
                            raise Trouble(f"connection {len(lines)} of an address is refused: {error}") from None
                stopped.wait(1)
                held = len(lines) - len(ended(lines))
                grown = memory(gateway)[0] - before
            finally:
                stopped.set()
                thread.join(10)
                for line in lines:
                    line.close()
            waits.sort()
            if errors or not waits:
                raise Trouble(f"{len(errors)} of {len(waits)} requests beside {len(lines)} silent connections are not answered: {errors[:1]}")
            late = waits[int(len(waits) * 0.99)]
            told.append(f"{held} of {len(lines)} held ({grown:.0f} MB), {len(waits)} windows p50 {waits[len(waits) // 2] * 1000:.0f} p99 {late * 1000:.0f} "
                        f"at most {waits[-1] * 1000:.0f} ms")
            if late > 0.1:
                raise Trouble(f"others wait {late * 1000:.0f} ms at the 99th percentile: {told[-1]}")
            if grown * 1024 > 24 * max(held, 256) + 8192:
                raise Trouble(f"the gateway grows by more than 24 KB a connection: {told[-1]}")
            if not settings and held > 256:
                raise Trouble(f"one address has {held} connections, though 256 are its share")
    return "; ".join(told)


@case("connections/silent ones with TLS", short=1, takes=5, calm=True)
def _(run):
    """Who has shaken hands and says nothing costs 64 KB at most, and others are answered."""
    count, waits = run.pick(400, 1500), []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with Service(starts=False) as service:
        service.write(http={"listen": f"127.0.0.1:{service.port}", "connectionsPerAddress": 10000, "firstHeadSeconds": 30,
                            **certificate(service)})
        service.start()
        (gateway,) = service.pids("gateway")

        def ask():
            began = time.monotonic()
            line = http.client.HTTPSConnection("127.0.0.1", service.port, timeout=5, source_address=("127.0.0.2", 0), context=context)
            line.request("GET", "/livez")
            if line.getresponse().status != 200:
                raise Trouble("/livez is not answered 200")
            line.close()
            waits.append(time.monotonic() - began)

        for _ in range(20):
            ask()
        before, lines = memory(gateway)[0], []
        try:
            for i in range(count):
                lines.append(context.wrap_socket(silent(service.port)))
                if i % 20 == 0:
                    ask()
            ask()
            held, grown = len(lines) - len(ended(lines)), memory(gateway)[0] - before
        finally:
            for line in lines:
                line.close()
    waits.sort()
    told = f"{held} of {count} held ({grown:.0f} MB, {1024 * grown / max(1, held):.0f} KB each), others answered within {waits[-1] * 1000:.0f} ms"
    if held < count:
        raise Trouble(f"connections within their share are ended: {told}")
    if grown * 1024 > 64 * held:
        raise Trouble(f"the gateway grows by more than 64 KB a connection: {told}")
    if waits[int(len(waits) * 0.95)] > 0.1:
        raise Trouble(f"others wait longer than 100 ms: {told}")
    return told
