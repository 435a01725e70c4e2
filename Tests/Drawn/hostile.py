"""What strangers say, drawn as pages: whatever stands in a body, a name, a path or an `alt` is shown as text and does nothing.

Every string of every kind's messages is replaced by one that would run, load or lead somewhere if it were put into a page as it is. The
pages that `forme fetch --html`, `forme layout --html` and `forme gallery` draw of them are opened with their own policy of content switched off, so
that nothing but the escaping keeps them quiet.
"""
import json
import random
import shutil
import tempfile
import time
from pathlib import Path

import ingest
from browser import Browser
from kinds import KINDS, STYLES
from service import ROOT, Service, forme, until

FOREIGN = "http://foreign.invalid/"
# # is a number of its own. What they are made of runs as an element, as the value of an attribute, in CSS, in SVG, in a script, or is followed as a link.
RUNS = "alert('#')"
STRINGS = [
    f"<script>{RUNS}</script>", f"</script><script>{RUNS}</script>", f"<img src=x onerror={RUNS}>", f"<svg onload={RUNS}>",
    f"\"><img src=x onerror={RUNS}>", f"'><img src=x onerror={RUNS}>", f"\" onload=\"{RUNS}", f"' onmouseover='{RUNS}",
    f"<img src={FOREIGN}#>", f"<iframe src={FOREIGN}#></iframe>", f"<link rel=stylesheet href={FOREIGN}#>", f"<base href={FOREIGN}>",
    f"</style><style>@import '{FOREIGN}#';</style>", f"background:url({FOREIGN}#)", f"}} body {{ background: url({FOREIGN}#) }}",
    f"</text></svg><img src=x onerror={RUNS}>", f"<![CDATA[<img src=x onerror={RUNS}>]]>", f"--><script>{RUNS}</script><!--",
    f"<!--<script>{RUNS}</script>", f"</title><script>{RUNS}</script>", f"</textarea><script>{RUNS}</script>", f"<image href={FOREIGN}# />",
    f"<use href=\"{FOREIGN}##x\"/>", f"<foreignObject><img src=x onerror={RUNS}></foreignObject>", f"<animate onbegin={RUNS} attributeName=x dur=1s>",
    f"&lt;img src=x onerror={RUNS}&gt;", f"&#60;script&#62;{RUNS}&#60;/script&#62;", f"\\u003cscript\\u003e{RUNS}\\u003c/script\\u003e",
    f"javascript:{RUNS}", f"[link](javascript:{RUNS})", f"[link](data:text/html,<script>{RUNS}</script>)", f"![alt]({FOREIGN}#)",
    f"`<img src=x onerror={RUNS}>`", f"```<script>\n<img src=x onerror={RUNS}>\n```", f"> <img src=x onerror={RUNS}>", f"# <svg onload={RUNS}>",
    f"<meta http-equiv=refresh content='0;url={FOREIGN}#'>", f"<object data={FOREIGN}#>", f"<embed src={FOREIGN}#>", f"<video src={FOREIGN}# autoplay>",
    f"${{{RUNS}}}", f"{{{{{RUNS}}}}}", f"`;{RUNS};`", f"';{RUNS};//", f"\";{RUNS};//", f"\u2028{RUNS}\u2029", f"\u202e<img src=x onerror={RUNS}>\u202c",
    f"<\u200dscript>{RUNS}</script>", f"＜script＞{RUNS}＜/script＞", f"<scr\tipt>{RUNS}</scr\tipt>", f"<a href={FOREIGN}# autofocus onfocus={RUNS}>x</a>",
    f"<details open ontoggle={RUNS}>", f"<marquee onstart={RUNS}>", f"<math><mtext><img src=x onerror={RUNS}></mtext></math>", f"{FOREIGN}#?q=<img src=x onerror={RUNS}>",
    f"+ADw-script+AD4-{RUNS}+ADw-/script+AD4-", f"😀<img src=x onerror={RUNS}>", f"سلام<img src=x onerror={RUNS}>", f"|{RUNS}|", f"a b c\"/><script>{RUNS}</script>",
]
NAMES = [text for text in STRINGS if text.isprintable()]
# Elements that no page of ours has, and attributes that no element of one has.
LOOK = """(() => {
  const bad = [...document.querySelectorAll('*')].flatMap(element => {
    const name = element.localName.toLowerCase(), found = [];
    if (!ALLOWED.includes(name)) found.push(`<${name}>`);
    for (const {name: attribute, value} of element.attributes) {
      if (/^on/i.test(attribute) || attribute === 'srcdoc' || attribute === 'formaction') found.push(`${name} ${attribute}`);
      if (/^(href|src|xlink:href|action|data|poster)$/i.test(attribute) && !/^(#|data:image\\/)/.test(value)) found.push(`${name} ${attribute}=${value}`);
    }
    return found;
  });
  const policies = document.querySelectorAll('meta[http-equiv=Content-Security-Policy]').length;
  return {bad: bad.slice(0, 20), count: bad.length, policies, texts: document.querySelectorAll('text').length,
    shown: document.documentElement.textContent.split("alert('").length - 1};
})()"""
ALLOWED = ("html head meta title style body main div figure figcaption svg g rect path circle ellipse line polyline polygon text tspan image clippath "
           "defs lineargradient stop script form fieldset legend label input nav a small h2 p details summary code pre").split()


def hostile(value, random, count):
    """The same with strings of strangers; which kind it is of, and emoji that are counted, stay."""
    if isinstance(value, str):
        count[0] += 1
        return random.choice(STRINGS).replace("#", str(count[0]))
    if isinstance(value, list):
        return [hostile(each, random, count) for each in value]
    if isinstance(value, dict):
        return {key: each if key == "kind" else hostile(each, random, count) for key, each in value.items()}
    return value


def bodies(count, seed=8):
    """So many messages, of every kind in turn, and how many strings are in them."""
    chance, strings = random.Random(seed), [0]
    files = {file.stem: [json.loads(line) for line in file.read_text().splitlines()] for file in sorted(KINDS.glob("*.jsonl"))}
    found = []
    while len(found) < count:
        for kind, messages in files.items():
            body = hostile(messages[len(found) // len(files) % len(messages)], chance, strings)
            if kind in ("text", "rich", "streaming", "emoji"):
                body["text"] = body["text"] * (len(found) % 3 + 1)
            for picture in (body.get("photo"), body.get("video"), body.get("gif"), body.get("picture")):
                if isinstance(picture, dict):
                    picture.update({key: hostile("", chance, strings) for key in ("url", "alt", "blurhash")})
            if len(json.dumps(body)) < 14_000:
                found.append(body)
    return found[:count], strings[0]


class Watch:
    """A browser that counts what pages do."""

    def __init__(self):
        self.browser = Browser(1)
        self.dialogs, self.requests = [], []
        self.browser.heard = self.hear
        self.browser.call("Network.enable")
        self.browser.call("Page.setBypassCSP", enabled=True)
        # Any name is answered by nobody, on this machine.
        self.folder = Path(tempfile.mkdtemp(prefix="forme-hostile-"))

    def __enter__(self):
        self.browser.__enter__()
        return self

    def __exit__(self, *error):
        self.browser.__exit__(*error)
        shutil.rmtree(self.folder, ignore_errors=True)

    def hear(self, method, params):
        if method == "Page.javascriptDialogOpening":
            self.dialogs.append(params["message"])
            self.browser.say("Page.handleJavaScriptDialog", accept=False)
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:///", "data:", "about:")) or url.endswith("/x"):
                self.requests.append(url)

    def findings(self, page):
        """What a page does, and has, that it should not."""
        self.dialogs.clear()
        self.requests.clear()
        file = self.folder / "page.html"
        file.write_text(page)
        self.browser.call("Page.navigate", url=file.as_uri())
        self.browser.evaluate("new Promise(done => { const wait = () => document.readyState === 'complete' ? setTimeout(done, 150) : setTimeout(wait, 20); wait(); })")
        # Everything is passed over by a pointer, opened and looked at.
        self.browser.evaluate("document.querySelectorAll('*').forEach(each => { each.dispatchEvent(new MouseEvent('mouseover')); }); "
                              "document.querySelectorAll('details').forEach(each => each.open = true); "
                              "document.querySelectorAll('input[type=checkbox]').forEach(each => { if (!each.checked && each.name !== 'target') each.click(); }); 0")
        seen = self.browser.evaluate(LOOK.replace("ALLOWED", json.dumps(ALLOWED)))
        return [*(f"a dialog: {each}" for each in self.dialogs[:5]), *(f"a request: {each}" for each in self.requests[:5]),
                *(f"an element: {each}" for each in seen["bad"][:5]), *(["no policy of content"] if seen["policies"] != 1 else [])], seen


def one_target(style, folder):
    """A style with one screen, so that a gallery of very many messages is a page that a browser opens."""
    text = (ROOT / f"config/styles/{style}.json5").read_text()
    start = text.index("targets: [")
    end = text.index("\n  ],", start)
    shutil.copytree(ROOT / "config/styles/kinds", folder / "kinds", dirs_exist_ok=True)
    path = folder / f"{style}.json5"
    path.write_text(text[:start] + "targets: [{ widths: [375], scales: [2] }" + text[end + 3:])
    return path


def run(short):
    """Draws them in both styles, and says how many findings there are."""
    messages, strings = bodies(130 if short else 2000)
    failures = drawn = dialogs = 0
    planted = None

    def look(watch, name, page, is_worded=True):
        nonlocal failures, drawn
        found, seen = watch.findings(page)
        drawn += seen["shown"]
        for each in found:
            print(f"drawn: {name} has {each}")
        failures += len(found)
        if is_worded and not seen["shown"]:
            print(f"drawn: {name} shows nothing of what was said")
            failures += 1

    with Watch() as watch:
        for style in STYLES[:1] if short else STYLES:
            with Service(style=ROOT / f"config/styles/{style}.json5") as service:
                # Names and senders are theirs, too.
                chance = random.Random(9)
                events = [{"conversation": "hostile", "message": f"m{number}", "revision": 1, "sender": chance.choice(NAMES).replace("#", str(number)),
                           "order": number, "time": 1_700_000_000_000 + number * 60_000, "body": body} for number, body in enumerate(messages, 1)]
                producer, done = ingest.Producer(service.events), []
                for start in range(0, len(events), 40):
                    done += ingest.answers_until_kept(producer, events[start:start + 40])[0]
                refused = [answer for answer in done if answer["answer"] != "accepted"]
                if refused:
                    print(f"drawn: of {len(events)} hostile messages {len(refused)} were refused: {refused[0]}")
                    failures += len(refused)
                laid = ingest.web.Line(service.port)
                until(lambda: laid.get("/v1/conversations/hostile/place", target="375@2", around=f"message:m{len(events)}").status == 200, 60, "laid out")
                for first in range(1, len(events) + 1, 100):
                    page = forme("fetch", "hostile", "--config", service.config, "--target", "375@2", "--count", 250, "--around", f"message:m{first}",
                                 "--as", events[first - 1]["sender"], "--html", "-").stdout.decode()
                    planted = planted or page
                    look(watch, f"fetch --html of {style} around m{first}", page)
            for body in [body for body in messages if body["kind"] in ("rich", "link")][:2] if short else messages[:104]:
                page = forme("layout", "--style", ROOT / f"config/styles/{style}.json5", "--target", "375@2", "--html", "-",
                             input=json.dumps(body).encode()).stdout.decode()
                look(watch, f"layout --html of {style}, {body['kind']}", page, is_worded=body["kind"] in ("rich", "form"))
            with tempfile.TemporaryDirectory() as place:
                folder = Path(place)
                (folder / "fixtures").mkdir()
                (folder / "fixtures/hostile.jsonl").write_text("\n".join(map(json.dumps, messages)))
                forme("gallery", "--style", one_target(style, folder), "--fixtures", folder / "fixtures", "--output", folder / "page.html", timeout=600)
                look(watch, f"the gallery of {style}", (folder / "page.html").read_text())
        # One string that is not escaped, of each sort, in a page of ours: whoever looks here would see it.
        for what, wrong in (("an element", "<img src=x onerror=alert('planted')>"), ("an address", f"<image href='{FOREIGN}planted'/>"),
                            ("a script", "<script>alert('planted')</script>")):
            found, _ = watch.findings(planted.replace("</text>", wrong + "</text>", 1))
            # On a busy machine it comes after the page was looked at.
            end = time.monotonic() + 20
            while "alert" in wrong and not watch.dialogs and time.monotonic() < end:
                watch.browser.evaluate("new Promise(done => setTimeout(done, 50))")
            dialogs += len(watch.dialogs)
            if not found:
                print(f"drawn: {what} that was planted was not found")
                failures += 1
        if dialogs < 2:
            print("drawn: what was planted opened no dialog, so nothing else would")
            failures += 1
    print(f"drawn: {len(messages)} hostile messages with {strings} strings, shown {drawn} times as text; {failures} findings; what was planted was found")
    return failures
