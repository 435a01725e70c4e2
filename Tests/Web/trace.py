"""What Chromium notes of a page while something happens: how long scripts took in each frame, and layouts that they forced."""
import time


class Trace:
    def __init__(self, page):
        self.page, self.events, self.isOver = page, [], False

    def __enter__(self):
        self.page.heard = self.hear
        self.page.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": ["devtools.timeline", "disabled-by-default-devtools.timeline"]})
        return self

    def hear(self, method, params):
        if method == "Tracing.dataCollected":
            self.events += params["value"]
        elif method == "Tracing.tracingComplete":
            self.isOver = True

    def __exit__(self, *error):
        self.page.call("Tracing.end")
        while not self.isOver:
            self.page.evaluate("0")
        self.page.heard = lambda method, params: None

    @property
    def main(self):
        """Complete events of the page's main thread, in their order."""
        named = [(event["pid"], event["tid"]) for event in self.events if event["name"] == "FireAnimationFrame"]
        thread = max(set(named), key=named.count) if named else None
        return sorted((event for event in self.events if (event["pid"], event["tid"]) == thread and event.get("ph") == "X"), key=lambda event: (event["ts"], -event.get("dur", 0)))

    def frames(self):
        """Milliseconds of a processor for scripts in each frame: from one animation frame to the next."""
        found, end, total = [], 0, 0.0
        for event in self.main:
            if event["name"] == "FireAnimationFrame" and event["ts"] >= end:
                found.append(total)
                total = 0.0
            if event["name"] in ("FireAnimationFrame", "EventDispatch", "FunctionCall", "RunMicrotasks", "TimerFire") and event["ts"] >= end:
                total += event.get("tdur", event.get("dur", 0)) / 1000
                end = event["ts"] + event.get("dur", 0)
        return sorted(found[1:])

    def forced(self):
        """Layouts within scripts."""
        count, end = 0, 0
        for event in self.main:
            if event["name"] in ("FunctionCall", "EventDispatch", "FireAnimationFrame", "RunMicrotasks"):
                end = max(end, event["ts"] + event.get("dur", 0))
            elif event["name"] == "Layout" and event["ts"] < end:
                count += 1
        return count


def share(sorted_values, part):
    return round(sorted_values[min(len(sorted_values) - 1, int(len(sorted_values) * part))], 2) if sorted_values else None


def wheel(page, count, by=-120):
    """Steps of a wheel as they come from a device, 120 in a second."""
    start = time.monotonic()
    for number in range(count):
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=300, y=400, deltaX=0, deltaY=by)
        time.sleep(max(0, start + (number + 1) / 120 - time.monotonic()))
