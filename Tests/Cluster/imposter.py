"""Imposter of a node of etcd: an HTTP server that says what the node says, until it is told to say something else."""
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Imposter:
    """Between a host and one node of its engine; `says` gives the pieces of an answer, and may ask the node, or is None."""

    def __init__(self, target):
        self.target, self.says = target, None
        self.lies, self.truths = 0, 0
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.imposter = self
        self.server.daemon_threads = True
        self.address = "{}:{}".format(*self.server.server_address)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    """A connection of the host, and one to the node."""
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    node = None

    def do_POST(self):
        question = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        imposter = self.server.imposter
        says = imposter.says
        try:
            if says:
                self.lie(imposter, says, lambda: self.ask(question)[1])
            else:
                self.tell(*self.ask(question))
                imposter.truths += 1
        except (OSError, http.client.HTTPException):
            self.close_connection = True

    def lie(self, imposter, says, ask):
        self.close_connection = True
        imposter.lies += 1
        for piece in says(ask):
            if imposter.says is not says:
                return
            self.wfile.write(piece)

    def tell(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def ask(self, question):
        """What the node says; asked again where a connection that was kept had ended."""
        if not self.node:
            self.node = http.client.HTTPConnection(*self.server.imposter.target, timeout=5)
        self.node.request("POST", self.path, question, {"Content-Type": "application/json"})
        answer = self.node.getresponse()
        return answer.status, answer.read()

    def finish(self):
        if self.node:
            self.node.close()
        super().finish()

    def log_message(self, *_):
        pass
