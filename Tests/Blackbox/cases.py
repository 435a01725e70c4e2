"""What a test is: a function with a name, and what it may know of the run."""
import random
import time

CASES = {}


def case(name, short=4.0, long=60.0, limit=180.0):
    """Names a test. It does what it does for about `short` or `long` seconds, and is broken off `limit` seconds after that."""
    def noted(function):
        CASES[name] = (function, short, long, limit)
        return function
    return noted


class Run:
    def __init__(self, name, seed, short, seconds=None):
        _, brief, long, limit = CASES[name]
        self.name, self.seed, self.short = name, seed, short
        self.seconds = brief if short else (seconds or long)
        self.limit = self.seconds + limit
        self.random = random.Random(f"{seed}/{name}")

    def pick(self, short, long):
        return short if self.short else long

    def clock(self):
        """True for as long as the test shall go on."""
        end = time.monotonic() + self.seconds
        return lambda: time.monotonic() < end
