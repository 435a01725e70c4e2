"""A page of the gateway in a headless Chromium, watched from its first line on."""
import base64
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Drawn"))

from browser import Browser  # noqa: E402

WATCH = """
window.faults = []; window.moved = [];
addEventListener('error', event => faults.push(`error: ${event.message}`));
addEventListener('unhandledrejection', event => faults.push(`rejection: ${event.reason && event.reason.stack || event.reason}`));
addEventListener('securitypolicyviolation', event => faults.push(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`));
for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => faults.push(`dialog: ${name}`);
new PerformanceObserver(list => { for (const entry of list.getEntries()) for (const source of entry.sources)
  if (source.node && source.node.nodeType === 1 && source.node.closest('#rows'))
    moved.push([entry.value, source.node.className, source.previousRect.y, source.currentRect.y].join(' '));
}).observe({type: 'layout-shift', buffered: true});
"""
# What tests ask of a page: `seen` is whether every row of the screen is drawn, `off` by how many device pixels one is elsewhere than it says.
TOOLS = """
window.frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
window.until = async (what, tries = 600) => { while (tries-- && !what()) await frame(); return !!what(); };
window.scrolled = () => document.getElementById('rows');
window.fetched = () => { const {scroller, window: own} = chat, {mirror} = own; return mirror.rows.length > 0 && scroller.y >= mirror.top && scroller.y + scroller.screen <= Math.max(mirror.bottom, scroller.extent[1] * !mirror.rowsBelow); };
window.seen = () => { const {scroller, window: own} = chat, {mirror} = own, top = scroller.y, end = top + scroller.screen;
  if (!mirror.rows.length || top < mirror.top || Math.min(end, scroller.extent[1]) > mirror.bottom && mirror.rowsBelow) return false;
  for (let i = mirror.at(top); i < mirror.rows.length && mirror.y(i) < end; i++) if (!scroller.view(mirror.rows[i].row)) return false;
  return true; };
window.off = () => { const {scroller, window: own} = chat, top = scrolled().getBoundingClientRect().top; let most = 0;
  own.rows.forEach((row, i) => { const view = scroller.view(row.row);
    if (view) most = Math.max(most, Math.abs((view.element.getBoundingClientRect().top - top) * scroller.scale - (own.mirror.y(i) - scroller.y))); });
  return most; };
window.open_ = async (name, around) => { openConversation(name, around); await until(() => chat.window.state === 'live' && seen()); await fonts.list(); await frame(); };
0
"""


# Letters that the gateway does not send are empty boxes: it has signs of Ogham, and nothing that is written in a test.
BOXES = "/usr/share/fonts/truetype/noto/NotoSansOgham-Regular.ttf"


class Page(Browser):
    def __init__(self, scale=1, width=1000, height=800, flags=()):
        super().__init__(scale, *flags, font=BOXES)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def open(self, address):
        self.call("Page.navigate", url=address)
        end = time.monotonic() + 20
        while not self.evaluate("!!window.openConversation && !!document.querySelector('#list .entry')"):
            if time.monotonic() > end:
                raise AssertionError(f"the page did not begin: {self.evaluate('JSON.stringify(faults)')}")
            time.sleep(0.05)
        self.evaluate(TOOLS)

    def run(self, body):
        """What the body of an asynchronous function gives."""
        return self.evaluate(f"(async () => {{ {body} }})()")

    def faults(self):
        return self.evaluate("faults")

    def shot(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def size(self, width, height, scale):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)

