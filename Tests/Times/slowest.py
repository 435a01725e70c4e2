"""Says how long each test took by itself, the slowest thirty first: the runner counts from when all were begun, though most then stand in line.

usage: slowest.py EVENTS TIMES
  EVENTS   what the runner writes with --event-stream-output-path
  TIMES    what tests that wait for processes write (FORME_TEST_TIMES)
"""
import collections
import json
import sys

SHOWN = 30


def place(test):
    where = test["sourceLocation"]
    return f"{where['fileID']}:{where['line']}"


def read(events):
    """Of each test its place, its name, and the seconds of its cases."""
    places, names, began = {}, {}, {}
    seconds = collections.Counter()
    for line in open(events, encoding="utf-8"):
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            places[payload["id"]] = place(payload)
            names[place(payload)] = payload.get("displayName", payload["name"])
        elif payload.get("kind") in ("testCaseStarted", "testCaseEnded"):
            test = places.get(payload["testID"])
            case = (payload["testID"], (payload.get("_testCase") or {}).get("id"))
            if payload["kind"] == "testCaseStarted":
                began[case] = payload["instant"]["absolute"]
            elif test and case in began:
                seconds[test] += payload["instant"]["absolute"] - began.pop(case)
    return names, seconds


def main():
    names, seconds = read(sys.argv[1])
    own = collections.Counter()
    try:
        for line in open(sys.argv[2], encoding="utf-8"):
            test, time = line.rsplit(" ", 1)
            own[test] += float(time)
    except FileNotFoundError:
        pass
    seconds.update({test: own[test] - seconds[test] for test in own})
    total = sum(seconds.values())
    print(f"{len(names)} tests, {total:.0f} s of their own; the slowest {min(SHOWN, len(seconds))}:")
    for test, time in seconds.most_common(SHOWN):
        print(f"{time:8.2f} s  {names.get(test, test)} ({test})")


main()
