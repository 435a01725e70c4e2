"""What a test is: a function with a name, and what it may know of the run."""
import collections
import random
import time

Case = collections.namedtuple("Case", "function short long limit takes calm")
CASES = {}


def case(name, short=4.0, long=60.0, limit=180.0, takes=None, calm=False):
    """Names a test. It does what it does for about `short` or `long` seconds, and is broken off `limit` seconds after that.

    - takes: seconds of a short turn, where these are many more or fewer than `short`: those that take longest are begun first.
    - calm: what it holds others to are tenths of a second, so that it has fewer tests beside it.
    """
    def noted(function):
        CASES[name] = Case(function, short, long, limit, short if takes is None else takes, calm)
        return function
    return noted


class Run:
    def __init__(self, name, seed, short, seconds=None):
        own = CASES[name]
        self.name, self.seed, self.short = name, seed, short
        self.seconds = own.short if short else (seconds or own.long)
        self.limit = self.seconds + own.limit
        self.random = random.Random(f"{seed}/{name}")

    def pick(self, short, long):
        return short if self.short else long

    def clock(self):
        """True for as long as the test shall go on."""
        end = time.monotonic() + self.seconds
        return lambda: time.monotonic() < end
