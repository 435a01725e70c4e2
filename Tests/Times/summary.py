"""Says which tests failed and how, and how long each took by itself, the slowest thirty first: the runner counts from when all were begun, though
most then stand in line, and what it says of a failure is a thousand lines before its end.

usage: summary.py TIMES EVENTS [EVENTS ...]
  TIMES    what tests that wait for processes write (FORME_TEST_TIMES)
  EVENTS   what a run writes with --event-stream-output-path
"""
import collections
import json
import sys

SHOWN = 30


def place(test):
    where = test["sourceLocation"]
    return f"{where['fileID']}:{where['line']}"


class Run:
    """All tests of some runs: names and seconds by place, and what was found wrong, in its order."""

    def __init__(self):
        self.names, self.seconds = {}, collections.Counter()
        self.findings = []

    def read(self, events):
        places, began = {}, {}
        for line in open(events, encoding="utf-8"):
            # A run that was ended may not have written its last line whole.
            if not line.endswith("\n"):
                break
            record = json.loads(line)
            payload = record["payload"]
            kind, test = payload.get("kind"), payload.get("testID") or payload.get("id")
            case = (test, (payload.get("_testCase") or {}).get("id"))
            if record["kind"] == "test" and kind == "function":
                places[test] = place(payload)
                self.names[place(payload)] = payload.get("displayName", payload["name"])
            elif kind == "testCaseStarted":
                began[case] = payload["instant"]["absolute"]
            elif kind == "testCaseEnded" and case in began and test in places:
                self.seconds[places[test]] += payload["instant"]["absolute"] - began.pop(case)
            elif kind == "issueRecorded" and any(message["symbol"] == "fail" for message in payload["messages"]):
                text = "\n    ".join(message["text"] for message in payload["messages"])
                where = payload["issue"].get("sourceLocation")
                of = (payload.get("_testCase") or {}).get("displayName", "")
                self.find(places.get(test), f"{of and f'with {of}, '}{place({'sourceLocation': where}) if where else ''}: {text}")
        # The run ended before they did.
        for test, _ in began:
            self.find(places.get(test), "was begun, and did not end")

    def find(self, test, text):
        self.findings.append(f"  {self.names.get(test, 'no test')} ({test})\n    {text}")

    def add(self, times):
        """Takes the times of those that stand in line before they begin from what they say themselves."""
        own = collections.Counter()
        try:
            for line in open(times, encoding="utf-8"):
                test, time = line.rsplit(" ", 1)
                own[test] += float(time)
        except FileNotFoundError:
            pass
        self.seconds.update({test: own[test] - self.seconds[test] for test in own})


def main():
    run = Run()
    for events in sys.argv[2:]:
        run.read(events)
    run.add(sys.argv[1])
    shown = run.seconds.most_common(SHOWN)
    print(f"{len(run.names)} tests, {sum(run.seconds.values()):.0f} s of their own; the slowest {len(shown)}:")
    for test, time in shown:
        print(f"{time:8.2f} s  {run.names.get(test, test)} ({test})")
    if run.findings:
        print(f"{len(run.findings)} failed:")
        print("\n".join(run.findings))


main()
