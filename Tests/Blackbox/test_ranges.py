"""Ranges, as Windows.md has them: where stretches of texts are that were drawn, where carets stand, what is at points."""
import json

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, forme, until
from test_pages import fill
from test_tokens import Gate

LETTERS = {
    "latin": "See you at nine, then — fiancé, office, AVAST", "arabic": "أهلا وسهلا بكم في بيتنا الكبير يا أصدقاء", "hebrew": "שלום לכולם, נתראה מחר בבוקר",
    "mixed": "The word שלום עולם means peace (3 times) and السلام too, שוב 42 times", "hindi": "नमस्ते दुनिया, कैसे हैं आप क्षत्रिय",
    "emoji": "👨‍👩‍👧‍👦 hi 👍🏽🇦🇹 café ☕️", "chinese": "今天晚上九点见，好吗？不要迟到", "spaces": "one  two   three    four     five\nsix\n\nseven  ",
}


class Asker:
    """One who asks over HTTP, in JSON and in frames, and at the socket, and takes only one answer from all of them."""

    def __init__(self, service, conversation, target, binary):
        self.line, self.client = web.Line(service.port), windows.Client(service.fetch)
        self.path, self.target = f"/v1/conversations/{conversation}", target
        told = windows.patiently(lambda: self.opened(conversation, binary))
        self.cursor = told["cursor"]

    def opened(self, conversation, binary):
        told = self.client.ask(windows.Words.open(1, conversation, binary, windows.reader(), rows=50, versions=2))
        if told is None or told["word"] != "window":
            raise windows.Busy(f"{told}")
        return told

    def rows(self):
        return until(self.row_list, 20, "rows")

    def row_list(self):
        reply = self.line.get(self.path + "/window", {"Accept": "application/json; rows=2"}, target=self.target, count=50, **{"with": "body"})
        return reply.json()["window"]["rows"]

    def post(self, question, accept="application/json; rows=2", **query):
        return self.line.request("POST", f"{self.path}/ranges?" + web.urllib.parse.urlencode({"target": self.target, **query}),
                                 json.dumps(question).encode(), {"Accept": accept, "Content-Type": "application/json"}, 20)

    def ranges(self, subject, texts=(), points=(), mark=None, expanded=False):
        question = {("message" if isinstance(subject, str) else "row"): subject, "texts": list(texts), "points": list(points), "expanded": expanded,
                    **({"mark": mark} if mark else {})}
        reply = self.post(question)
        if reply.status != 200:
            raise Trouble(f"{question} is answered {reply.status} {reply.body[:300]!r}")
        (word, answer), = reply.json().items()
        if word != "ranges":
            raise Trouble(f"{question} is answered with {word}")
        frames = windows.heard(self.post(question, "application/vnd.forme; rows=2").body)[1]
        told = self.client.ask(windows.Words.ranges(1, subject, texts, points, mark, expanded))
        for road, other in (("in frames", frames), ("at the socket", told)):
            fault = unlike(other["texts"], answer["texts"]) or unlike(other["hits"], answer.get("hits", []))
            if fault or other["mark"] != answer["mark"] or other["row"] != answer["row"]:
                raise Trouble(f"{question} is answered otherwise {road}: {fault}")
        return answer


def unlike(one, other):
    """Where two answers differ by more than a hundredth of a pixel."""
    if isinstance(one, float) or isinstance(other, float):
        return None if abs(one - other) <= 0.01 else f"{one}, {other}"
    if isinstance(one, dict):
        if one.keys() != other.keys():
            return f"{one.keys()}, {other.keys()}"
        return next(filter(None, (unlike(one[key], other[key]) for key in one)), None)
    if isinstance(one, list):
        return f"{one}, {other}" if len(one) != len(other) else next(filter(None, map(unlike, one, other)), None)
    return None if one == other else f"{one}, {other}"


def texts_of(layout):
    """Nodes of a layout that show words of the message."""
    return [node for node in layout["nodes"] if "path" in node.get("text", {}) and "literal" not in node["text"]]


def width(frames):
    return sum(frame[2] for frame in frames)


@case("ranges/of every text", short=6, takes=1)
def _(run):
    """Rectangles of a text's graphemes tile its lines as the row has them; a caret's point is hit as its place."""
    lines = graphemes = carets = 0
    with Service() as service:
        names = list(LETTERS)
        fill(service, "c", len(names), lambda i: LETTERS[names[i]])
        forme("post", "--sample", 60, "--conversation", "s", "--config", service.config)
        for conversation, target, binary in (("c", "375@2", windows.target(375, 2)), ("c", "211.5@2.625,130", windows.target(211.5, 2.625, 130)),
                                             ("s", "397@3", windows.target(397, 3))):
            asker = Asker(service, conversation, target, binary)
            until(lambda: len(asker.rows()) >= min(50, len(names)), 30, "rows")
            rows = asker.rows()
            for row in rows if conversation == "c" else run.random.sample(rows, run.pick(12, 40)):
                for expanded in (False, True) if "expanded" in row else (False,):
                    layout = row["expanded" if expanded else "layout"]
                    for node in texts_of(layout):
                        told = tiled(asker, row, node, expanded)
                        lines, graphemes, carets = lines + told[0], graphemes + told[1], carets + told[2]
    return f"{lines} lines tiled by {graphemes} graphemes, {carets} carets hit"


def tiled(asker, row, node, expanded):
    name, shown, place = {"node": node["node"]}, node["text"], f"{row['message']}, {node['part']}"
    ask = lambda **what: asker.ranges(row["row"], [{**name, **what}], mark=row.get("mark"), expanded=expanded)["texts"][0]
    whole = ask(ranges=[[line["start"], line["end"]] for line in shown["lines"]])
    if whole["path"] != shown["path"]:
        raise Trouble(f"{place}: the path is {whole['path']}, not {shown['path']}")
    # Each line by itself: its rectangles are within it, and cover all of it but for what ends it.
    for line, found in zip(shown["lines"], whole["ranges"]):
        for left, top, wide, high in found["frames"]:
            if top != line["top"] or left < line["left"] - 0.01 or left + wide > line["left"] + line["width"] + 0.04:
                raise Trouble(f"{place}: {[left, top, wide, high]} of the line {line}")
        if found["frames"] and "ends_with" not in line and not -0.04 <= line["width"] - width(found["frames"]) <= 1:
            raise Trouble(f"{place}: {width(found['frames'])} of a line of {line['width']}")
        if len(found["frames"]) > 1:
            raise Trouble(f"{place}: a whole line is {found['frames']}")
    # Unit by unit: ranges are whole graphemes, which meet.
    end = min(whole["shown"], 200)
    asked = []
    for start in range(0, end, 100):
        asked += ask(ranges=[[i, i + 1] for i in range(start, min(start + 100, end))])["ranges"]
    parts = {(found["start"], found["end"]): found["frames"] for found in asked}
    edges = sorted(parts)
    if edges and (edges[0][0] != 0 or any(one[1] != other[0] for one, other in zip(edges, edges[1:]))):
        raise Trouble(f"{place}: graphemes {edges}")
    for line, found in zip(shown["lines"], whole["ranges"]):
        own = sorted(frame for (start, stop), frames in parts.items() if line["start"] <= start and stop <= line["end"] for frame in frames)
        if line["end"] > end or not own:
            continue
        if abs(width(own) - width(found["frames"])) > 0.02 * len(own) or any(abs(a[0] + a[2] - b[0]) > 0.02 for a, b in zip(own, own[1:])):
            raise Trouble(f"{place}: {own} do not tile {found['frames']}")
    # Carets, and the points where they stand.
    offsets = sorted({0, end, *(edge[0] for edge in edges)})[:120]
    standing = ask(carets=offsets)["carets"] 
    points = [(caret, side) for caret in standing for side in ("downstream", "upstream") if side in caret]
    if any("downstream" not in caret and "upstream" not in caret for caret in standing):
        raise Trouble(f"{place}: a caret stands nowhere: {standing}")
    hits = ask(points=[[round(caret[side]["x"]), caret[side]["top"] + 1] for caret, side in points[:100]]).get("hits", [])
    places = [(hit["offset"], hit["affinity"]) for hit in hits]
    there = {caret["offset"]: caret for caret in ask(carets=sorted({offset for offset, _ in places}))["carets"]} if places else {}
    for (caret, side), (offset, affinity) in zip(points, places):
        found = there[offset].get(affinity) or there[offset].get("downstream") or there[offset]["upstream"]
        # A point is a whole pixel, so letters narrower than that may be passed over.
        if found["top"] != caret[side]["top"] or abs(found["x"] - caret[side]["x"]) > 1:
            raise Trouble(f"{place}: the point of {caret} ({side}) hits {offset} {affinity}, {found}")
    return len(shown["lines"]), len(edges), len(hits)


@case("ranges/runs of lines", short=2)
def _(run):
    """Runs are in the order in which they are drawn, meet, are as wide as their line, and stand where ranges say."""
    count = fonts = 0
    with Service() as service:
        names = list(LETTERS)
        fill(service, "c", len(names), lambda i: LETTERS[names[i]])
        line = web.Line(service.port)
        faces = line.get("/v1/fonts").json()["fonts"]
        for target, binary in (("375@2", windows.target(375, 2)), ("211.5@2.625,130", windows.target(211.5, 2.625, 130))):
            asker = Asker(service, "c", target, binary)
            plain = asker.rows()
            reply = line.get("/v1/conversations/c/window", {"Accept": "application/json; rows=2"}, target=target, count=50, **{"with": "body,runs"})
            rows, used = reply.json()["window"]["rows"], set()
            for row, bare in zip(rows, plain):
                for node, same in zip(row["layout"]["nodes"], bare["layout"]["nodes"]):
                    lines = node.get("text", {}).get("lines", [])
                    runs = [one.pop("runs", None) for one in lines]
                    if node != same:
                        raise Trouble(f"{row['message']}: with runs {node} is another than {same}")
                    if "literal" in node.get("text", {}):
                        continue
                    asked = [[part["start"], part["end"]] for parts in runs for part in parts or []]
                    told = asker.ranges(row["row"], [{"node": node["node"], "ranges": asked}])["texts"][0]["ranges"] if asked else []
                    places = {(found["start"], found["end"]): found["frames"] for found in told}
                    for one, parts in zip(lines, runs):
                        if parts is None:
                            raise Trouble(f"{row['message']}: a line without runs: {one}")
                        if parts and (abs(parts[0]["x"] - one["left"]) > 0.02 or not -0.04 <= one["width"] - sum(part["advance"] for part in parts) <= 1):
                            raise Trouble(f"{row['message']}: {parts} of the line {one}")
                        if any(abs(a["x"] + a["advance"] - b["x"]) > 0.03 for a, b in zip(parts, parts[1:])):
                            raise Trouble(f"{row['message']}: runs do not meet: {parts}")
                        for part in parts:
                            frames = places[part["start"], part["end"]]
                            if len(frames) != 1 or abs(frames[0][0] - part["x"]) > 0.02 or abs(frames[0][2] - part["advance"]) > 0.02:
                                raise Trouble(f"{row['message']}: the run {part} stands at {frames}")
                            if part["level"] > 125 or part["font"] >= len(faces):
                                raise Trouble(f"{row['message']}: the run {part} of {len(faces)} fonts")
                            used.add(part["font"])
                            count += 1
            if not any(faces[font]["emoji"] for font in used) or len(used) < 4:
                raise Trouble(f"of {len(faces)} fonts {sorted(used)} are used")
            fonts = max(fonts, len(used))
        for path, accept in (("window", "application/vnd.forme"), ("changes", "text/event-stream"), ("heights", "application/json")):
            refused = line.get(f"/v1/conversations/c/{path}", {"Accept": accept}, target="375@2", **{"with": "runs"}, **({"from": 0, "to": 9} if path == "heights" else {}))
            if refused.status != 400 or "with" not in refused.json()["detail"]:
                raise Trouble(f"runs of {path} in {accept} are answered {refused.status}")
    return f"{count} runs of {fonts} fonts stand where ranges say"


@case("ranges/of a row that is another", short=2)
def _(run):
    """Who says the mark of the row that it has drawn hears of exactly this row, or is given the one that is there."""
    with Service() as service:
        fill(service, "c", 3, lambda i: f"word {i} " * 9)
        asker = Asker(service, "c", "375@2", windows.target(375, 2))
        row = asker.rows()[1]
        texts = [{"path": "text", "ranges": [[0, 4], [5, 5]], "carets": [4]}]
        told = asker.ranges(row["message"], texts, [[5, 5]], row["mark"])
        if (told["mark"], told["row"], told["message"]) != (row["mark"], row["row"], row["message"]) or told["texts"][0]["ranges"][1]["frames"]:
            raise Trouble(f"ranges of {row['message']} are {told}")
        if len(told["hits"]) != 1 or told["hits"][0]["node"] != told["texts"][0]["node"]:
            raise Trouble(f"a point of no text is answered {told['hits']}")
        if asker.client.listen(0.3):
            raise Trouble("ranges are told to windows")
        producer = ingest.Producer(service.events)
        event = {"conversation": "c", "message": row["message"], "revision": 2, "sender": row["said"]["sender"], "time": 1, "text": "other words"}
        ingest.answers_until_kept(producer, [event])
        until(lambda: asker.rows()[1]["mark"] != row["mark"], 20, "the edit has a row")
        new = asker.rows()[1]
        reply = asker.post({"row": row["row"], "mark": row["mark"], "texts": texts}, **{"with": "body"}).json()
        if list(reply) != ["rows"] or reply["rows"]["rows"][0]["mark"] != new["mark"] or reply["rows"]["rows"][0]["said"] != new["said"]:
            raise Trouble(f"the mark of the row before is answered {reply}")
        told = asker.client.ask(windows.Words.ranges(1, row["row"], texts, mark=row["mark"]))
        while told and told["word"] != "rows":
            told = asker.client.ask(windows.Words.ranges(1, row["row"], texts, mark=row["mark"]))
        if asker.ranges(row["row"], texts, mark=new["mark"])["texts"][0]["length"] != len("other words"):
            raise Trouble("ranges of the new row are those of the old one")
        # What is refused, and how.
        told = 0
        for question, words in (
            ({"message": "m000001", "texts": [{"path": "caption", "ranges": [[0, 1]]}]}, ("texts[0].path", "caption", "text")),
            ({"message": "m000001", "texts": [{"node": 4000, "ranges": [[0, 1]]}]}, ("texts[0].node", "4000")),
            ({"message": "m000001", "texts": [{"path": "text", "ranges": [[0, 1], [3, 99]]}]}, ("texts[0].ranges[1]", "99", "11 units")),
            ({"message": "m000001", "texts": [{"path": "text", "carets": [12]}]}, ("texts[0].carets[0]", "12")),
            ({"message": "m000001", "texts": [{"path": "text", "ranges": [[4, 3]]}]}, ("texts[0].ranges[0][1]", "3")),
            ({"message": "m000001", "row": 1}, ("row", "message")), ({"texts": []}, ("row", "message")),
            ({"message": "m000001", "texts": [{"path": "text", "carets": [0] * 257}]}, ("256",)),
            ({"message": "m000001", "text": []}, ("text", "texts")), ({"message": "m000001", "mark": "x"}, ("mark", "hexadecimal")),
        ):
            reply = asker.post(question)
            if reply.status != 400 or not all(word in reply.json()["detail"] for word in words):
                raise Trouble(f"{question} is answered {reply.status} {reply.body!r}")
            told += 1
        event = {"conversation": "c", "message": "rich", "order": 9, "sender": "ada", "time": 1, "body": {"kind": "rich", "text": "one **two**\n\nthree"}}
        ingest.answers_until_kept(producer, [event])
        until(lambda: asker.rows()[-1]["message"] == "rich", 20, "Markdown has a row")
        blocks = [node["node"] for node in texts_of(asker.rows()[-1]["layout"]) if node["text"]["path"] == "text"]
        reply = asker.post({"message": "rich", "texts": [{"path": "text", "carets": [0]}]})
        if reply.status != 400 or len(blocks) != 2 or f"name one of {blocks[0]}, {blocks[1]} as 'node'" not in reply.json()["detail"]:
            raise Trouble(f"a path of the blocks {blocks} is answered {reply.status} {reply.body!r}")
        if [text["length"] for text in asker.ranges("rich", [{"node": node} for node in blocks])["texts"]] != [len("one two"), len("three")]:
            raise Trouble("blocks of Markdown are not as long as what is shown of them")
        if asker.post({"message": "nobody wrote this"}).status != 404 or asker.post({"row": 4711}).status != 404:
            raise Trouble("an unknown message has ranges")
        said = asker.client.ask(windows.Words.ranges(1, "m000001", [{"path": "caption", "carets": [0]}]))
        if said["word"] != "unreadable" or "caption" not in said["why"]:
            raise Trouble(f"an unknown path at the socket is answered {said}")
        stream = windows.streaming(service.port, "c", target="375@2", count=3)
        stream.next()
        line = web.Line(service.port)
        word = {"ranges": {"window": 1, "message": "m000001", "texts": [{"path": "text", "ranges": [[0, 5]]}]}}
        if line.request("POST", f"/v1/conversations/c/streams/{stream.name}", json.dumps(word).encode()).status != 202:
            raise Trouble("a word of ranges is not heard in a stream")
        heard = stream.next()
        if not heard or heard["ranges"]["texts"][0]["ranges"][0]["end"] != 5:
            raise Trouble(f"in a stream ranges are answered {heard}")
        stream.close()
    with Gate() as gate:
        fill(gate.service, "c", 1, lambda i: "word")
        ask = lambda *words: gate.line("--conversation", *words).request(
            "POST", "/v1/conversations/c/ranges?target=375@2", json.dumps({"message": "m000000", "texts": [{"path": "text", "ranges": [[0, 4]]}]}).encode()).status
        if (ask("c", "--read"), ask("c", "--write", "--subject", "ada"), ask("d", "--read")) != (200, 403, 403):
            raise Trouble("ranges are open to others than those who may read")
    return f"{told + 3} questions refused with what may be asked"


@case("ranges/of what was cut", short=2)
def _(run):
    """What an ellipsis hides has no rectangles, and its carets stand before it; expanded, nothing is hidden."""
    with Service() as service:
        words = " ".join(f"word{i}" for i in range(900))
        fill(service, "c", 1, lambda i: words)
        asker = Asker(service, "c", "375@2", windows.target(375, 2))
        row = asker.rows()[0]
        cut, whole = (asker.ranges(row["row"], [{"path": "text", "ranges": [[0, len(words)], [len(words) - 7, len(words)]], "carets": [len(words)]}],
                                   expanded=expanded)["texts"][0] for expanded in (False, True))
        if not 0 < cut["shown"] < cut["length"] == len(words) == whole["shown"]:
            raise Trouble(f"of {len(words)} units {cut['shown']} and {whole['shown']} are shown")
        if cut["ranges"][1]["frames"] or not whole["ranges"][1]["frames"]:
            raise Trouble(f"the last word has {cut['ranges'][1]}, {whole['ranges'][1]}")
        hidden, shown = cut["carets"][0], whole["carets"][0]
        last = cut["ranges"][0]["frames"][-1]
        if not hidden.get("hidden") or "hidden" in shown or abs(hidden["upstream"]["x"] - last[0] - last[2]) > 0.02 or hidden["upstream"]["top"] != last[1]:
            raise Trouble(f"a caret behind what is hidden stands at {hidden}, the last rectangle is {last}")
        # More rectangles than an answer has: asked on from where they end.
        lines = "\n".join("a" for _ in range(5400))
        fill(service, "d", 1, lambda i: lines)
        asker = Asker(service, "d", "375@2", windows.target(375, 2))
        row, start, tops = asker.rows()[0], 0, []
        while start < len(lines):
            found = asker.ranges(row["row"], [{"path": "text", "ranges": [[start, len(lines)]]}], expanded=True)["texts"][0]["ranges"][0]
            if len(found["frames"]) > 4096 or found["end"] <= start:
                raise Trouble(f"{len(found['frames'])} rectangles from {start} to {found['end']}")
            tops, start = tops + [frame[1] for frame in found["frames"]], found["end"]
        if len(tops) != 5400 or tops != sorted(set(tops)):
            raise Trouble(f"{len(tops)} lines have rectangles")
    return "hidden words have no place, and 5,400 lines have each theirs"
