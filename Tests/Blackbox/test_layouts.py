"""LayoutRecord.md against the JSON of windows: what is decoded from bytes by the page alone is what the service says in words."""
import re

import layouts
import web
import windows
from cases import case
from service import Service, Trouble, forme, until


PLACE = ("start", "end", "left", "top", "baseline", "width", "direction")
LINE = PLACE + ("begins_joined", "ends_joined", "begins_in", "ends_in")


def placed(text):
    """The lines of a text, but for what only rows of version 2 say of them."""
    return text and [{key: line[key] for key in PLACE} for line in text["lines"]]


def unlike(row, said):
    """How a decoded row differs from its JSON."""
    layout = row["states"][0]
    for field, own, theirs in (("size", layout["size"], said["size"]), ("stamp", layout["stamp"], said["stamp"]),
                               ("natural width", row["natural"], said["natural_width"]), ("narrowest", row["narrowest"], said["rows"]["narrowest"])):
        if own != theirs:
            return f"{field} {own}, not {theirs}"
    if [node["node"] for node in layout["nodes"]] != [node["node"] for node in said["nodes"]]:
        return f"{len(layout['nodes'])} nodes, not {len(said['nodes'])}"
    for node, other in zip(layout["nodes"], said["nodes"]):
        for field in ("part", "role", "frame", "token", "source", "action"):
            if node[field] != other.get(field):
                return f"{node['part']}: {field} {node[field]}, not {other.get(field)}"
        if (node["radius"] or 0) != other.get("radius", 0) or max(node["parent"], -1) != other.get("parent", -1):
            return f"{node['part']}: radius {node['radius']}, parent {node['parent']}, not {other.get('radius')}, {other.get('parent')}"
        if node["about"] and node["about"] != other.get("about"):
            return f"{node['part']}: about {node['about']}, not {other.get('about')}"
        for field in ("generated", "path", "face"):
            theirs = (other.get("text") or {}).get(field)
            if row["version"] == 2 and "text" in node and node["text"][field] != theirs:
                return f"{node['part']}: {field} {node['text'][field]}, not {theirs}"
        own, theirs = node.get("text", {}).get("lines"), other.get("text", {}).get("lines")
        keep = lambda lines: lines and [{key: line.get(key) for key in LINE} for line in lines]
        if keep(own) != keep(theirs):
            at = next((i for i, (a, b) in enumerate(zip(keep(own) or [], keep(theirs) or [])) if a != b), None)
            return f"{node['part']}: lines {own and at is not None and own[at]}, not {theirs and at is not None and theirs[at]}"
    return None


def found(path, message):
    """What stands in a message where a path leads."""
    for step in re.findall(r"[^.\[\]]+", path):
        message = message[int(step)] if isinstance(message, list) else message[step]
    return message


def undrawable(row, older, message):
    """What is missing of a row of version 2 to draw it from the message alone; and how it is not as that of version 1."""
    for layout, other in zip(row["states"], older["states"]):
        for node, same in zip(layout["nodes"], other["nodes"]):
            part, text = node["part"], node.get("text")
            if node["frame"] != same["frame"] or placed(text) != placed(same.get("text")):
                return f"{part} stands elsewhere in version 1"
            if any(line.keys() - set(PLACE) for line in (same.get("text") or {"lines": []})["lines"]):
                return f"{part}: version 1 says how its letters join"
            if node["action"] and node["about"] and not part.startswith("code") and found(node["about"], message) is None:
                return f"{part}: {node['action']} is about {node['about']}"
            if text is None:
                continue
            if not 100 <= text["face"]["weight"] <= 1000:
                return f"{part}: face {text['face']}"
            words = text["generated"]
            if words is None:
                words = text["literal"] or found(text["path"], message)
            if not isinstance(words, str) or "{" in (text["generated"] or ""):
                return f"{part}: its words are {words!r}"
            if not text["pieces"] and text["lines"] and max(line["end"] for line in text["lines"]) > len(words.encode("utf-16-le")) // 2:
                return f"{part}: {words!r} is shorter than its lines"
    return None


@case("layouts/drawable", short=1)
def _(run):
    """Rows of version 2 say all that drawing needs; nothing else about them is different."""
    texts = 0
    with Service() as service:
        forme("post", "--sample", run.pick(200, 300), "--conversation", "s", "--config", service.config)
        line = web.Line(service.port)
        until(lambda: line.get("/v1/conversations/s/window", target="390@3", count=1).status == 200, 10, "samples")
        until(lambda: line.get("/v1/conversations/s/window", target="390@3", count=1).json()["window"]["rowsAbove"] == run.pick(200, 300) - 1, 30, "samples")
        for target in ("390@3", "397@3"):
            pages = [windows.patiently(lambda: windows.walk_http(line, "s", 100, None, True, version == 2, True, target, rows=version))[0]
                     for version in (1, 2)]
            for old, new in zip(*pages):
                if new["body"]["layout"][0] not in (3, 4) or old["body"]["layout"][0] not in (1, 2):
                    raise Trouble(f"{new['message']} begins with {new['body']['layout'][0]}, and {old['body']['layout'][0]}")
                if new["body"]["layout"][0] == 4:
                    continue
                row = layouts.decode(new["body"]["layout"])
                message = new["body"]["said"]["body"]
                fault = undrawable(row, layouts.decode(old["body"]["layout"]), message)
                if fault:
                    raise Trouble(f"{target}: {new['message']} ({message['kind']}): {fault}")
                texts += sum("text" in node for node in row["states"][0]["nodes"])
        refused = line.get("/v1/conversations/s/window", {"Accept": "application/vnd.forme; rows=3"}, target="390@3")
        if refused.status != 400 or "rows=1 or rows=2" not in refused.json()["detail"]:
            raise Trouble(f"rows=3 is answered {refused.status} {refused.body[:200]!r}")
    return f"{texts} texts can be drawn from row and message"


@case("layouts/decoded", short=1)
def _(run):
    rows = lines = 0
    with Service() as service:
        forme("post", "--sample", run.pick(200, 300), "--conversation", "s", "--config", service.config)
        line = web.Line(service.port)
        targets = ("390@3", "320@2", "640@1", "397@3", "390@3,150") if run.short else (
            "390@3", "320@2", "640@1", "397@3", "390@3,150", "480@2", "251.5@2", "360@4", "390@3,mirrored", "390@3,85")
        until(lambda: line.get("/v1/conversations/s/window", target="390@3", count=1).status == 200, 10, "samples")
        until(lambda: line.get("/v1/conversations/s/window", target="390@3", count=1).json()["window"]["rowsAbove"] == run.pick(200, 300) - 1, 30, "samples")
        for target in targets:
            for own, version in (("ada", 1), (None, 2)):
                told, _ = windows.patiently(lambda: windows.walk_http(line, "s", 100, own, False, False, True, target, rows=version))
                bare, _ = windows.patiently(lambda: windows.walk_http(line, "s", 100, own, True, False, True, target, rows=version))
                if told is None or bare is None:
                    raise Trouble(f"{target} is not answered")
                for one, other in zip(told, bare):
                    if one["body"] is None or other["body"] is None:
                        raise Trouble(f"{target}: {one['message']} has no body")
                    if one["body"].get("excerpt"):
                        continue
                    try:
                        row = layouts.decode(other["body"]["layout"])
                    except (layouts.Malformed, IndexError, KeyError, TypeError) as error:
                        raise Trouble(f"{target}: {one['message']}: {type(error).__name__} {error}: {other['body']['layout'].hex()}") from error
                    fault = unlike(row, one["body"]["layout"])
                    if fault:
                        raise Trouble(f"{target}, as {own}: {one['message']}: {fault}")
                    rows += 1
                    lines += sum(len(node["text"]["lines"]) for node in row["states"][0]["nodes"] if "text" in node)
    return f"{rows} rows of {len(targets)} screens decoded by the page, {lines} lines at the places that the JSON has"
