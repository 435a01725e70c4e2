"""HTTP as a client of Gateway.md and of the OpenAPI description speaks it."""
import http.client
import json
import socket
import struct
import time
import urllib.parse


class Reply:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)


class Line:
    """A connection that is kept, and made again when it broke."""

    def __init__(self, port, token=None, host="127.0.0.1"):
        self.host, self.port, self.token = host, port, token
        self.connection = None

    def request(self, method, path, body=None, headers=None, seconds=10.0, once=False):
        """One answer; a connection that was closed while nobody spoke is made anew once. With `once` that is an error: what was
        asked may have been heard."""
        fields = dict(headers or {})
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        for fresh in (False, True):
            if self.connection is None:
                self.connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds)
                fresh = True
            try:
                if self.connection.sock:
                    self.connection.sock.settimeout(seconds)
                self.connection.request(method, path, body, fields)
                reply = self.connection.getresponse()
                return Reply(reply.status, reply.headers, reply.read())
            except (http.client.HTTPException, OSError) as error:
                self.close()
                if fresh or once or isinstance(error, TimeoutError):
                    raise OSError(str(error) or type(error).__name__) from error
        raise AssertionError("not reached")

    def get(self, path, headers=None, seconds=10.0, **query):
        return self.request("GET", path + ("?" + urllib.parse.urlencode(query) if query else ""), None, headers, seconds)

    def close(self):
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def status_of(port, path, body, seconds=5.0, kind=None):
    """What a body is answered, also where the answer comes before all of it was sent; or why there is none."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as line:
        said = f"Content-Type: {kind}\r\n" if kind else ""
        line.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{said}Content-Length: {len(body)}\r\n\r\n".encode())
        line.settimeout(0.02)
        sent, heard, end, broken = 0, b"", time.monotonic() + seconds, None
        while b"\r\n" not in heard and time.monotonic() < end:
            try:
                if sent < len(body) and broken is None:
                    sent += line.send(body[sent:sent + 65536])
            except TimeoutError:
                pass
            except OSError as error:
                broken = str(error)
            try:
                some = line.recv(65536) if sent == len(body) or broken or sent % (1 << 18) == 0 else None
                if some == b"":
                    break
                heard += some or b""
            except TimeoutError:
                pass
            except OSError as error:
                return broken or str(error)
    return int(heard.split()[1]) if heard.startswith(b"HTTP/1.1 ") else broken or "nothing"


class Stream:
    """A window as a stream: Server-Sent Events, or frames behind their length. One socket, read as it comes."""

    def __init__(self, port, conversation, frames=False, last=None, token=None, receive=None, seconds=10.0, path=None, **query):
        self.frames, self.last = frames, last
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        self.socket.settimeout(seconds)
        self.socket.connect(("127.0.0.1", port))
        head = [
            f"GET {path or f'/v1/conversations/{conversation}/changes?{urllib.parse.urlencode(query)}'} HTTP/1.1", "Host: 127.0.0.1",
            "Accept: " + ("application/vnd.forme" if frames else "text/event-stream"),
        ]
        if token:
            head.append(f"Authorization: Bearer {token}")
        if last:
            head.append(f"Last-Event-ID: {last}")
        self.socket.sendall(("\r\n".join(head) + "\r\n\r\n").encode())
        self.raw, self.content, self.ended = b"", b"", False
        end = time.monotonic() + seconds
        while b"\r\n\r\n" not in self.raw:
            if time.monotonic() > end or not self.fill(end - time.monotonic(), chunks=False):
                raise OSError("no head")
        head, _, self.raw = self.raw.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        self.name = self.headers.get("forme-stream")
        self.chunked = self.headers.get("transfer-encoding") == "chunked"

    def fill(self, seconds, chunks=True):
        """Reads what is there; false when the connection ended or nothing came in time."""
        self.socket.settimeout(max(seconds, 0.001))
        try:
            some = self.socket.recv(65536)
        except (TimeoutError, BlockingIOError):
            return False
        except OSError:
            some = b""
        if not some:
            self.ended = True
            return False
        self.raw += some
        return True

    def unchunk(self):
        if not self.chunked:
            self.content, self.raw = self.content + self.raw, b""
            return
        while True:
            size, found, rest = self.raw.partition(b"\r\n")
            if not found:
                return
            length = int(size.split(b";")[0], 16)
            if length == 0:
                self.ended = True
                return
            if len(rest) < length + 2:
                return
            self.content += rest[:length]
            self.raw = rest[length + 2:]

    def next(self, seconds=5.0):
        """The next event as JSON, or the next frame as bytes; None when nothing came in time or the stream ended.
        Signs of life are passed over."""
        end = time.monotonic() + seconds
        while True:
            self.unchunk()
            found = self.cut()
            if found is not None:
                return found
            if self.ended or time.monotonic() >= end or not self.fill(end - time.monotonic()):
                self.unchunk()
                found = self.cut()
                if found is not None or self.ended or time.monotonic() >= end:
                    return found

    def cut(self):
        if self.frames:
            while len(self.content) >= 4:
                (length,) = struct.unpack(">I", self.content[:4])
                if len(self.content) < 4 + length:
                    return None
                frame, self.content = self.content[4:4 + length], self.content[4 + length:]
                if frame:
                    return frame
            return None
        while b"\n\n" in self.content:
            event, _, self.content = self.content.partition(b"\n\n")
            fields = {}
            for line in event.decode().split("\n"):
                name, found, value = line.partition(":")
                if found and name:
                    fields[name] = fields.get(name, "") + value.removeprefix(" ")
            if "id" in fields:
                self.last = fields["id"]
            if "data" in fields:
                return json.loads(fields["data"])
        return None

    def close(self):
        self.socket.close()
