"""LayoutRecord.md against the JSON of windows: what is decoded from bytes by the page alone is what the service says in words."""
import layouts
import web
import windows
from cases import case
from service import Service, Trouble, forme, until


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
        own, theirs = node.get("text", {}).get("lines"), other.get("text", {}).get("lines")
        keep = lambda lines: lines and [{key: line[key] for key in ("start", "end", "left", "top", "baseline", "width", "direction")} for line in lines]
        if keep(own) != keep(theirs):
            at = next((i for i, (a, b) in enumerate(zip(keep(own) or [], keep(theirs) or [])) if a != b), None)
            return f"{node['part']}: lines {own and at is not None and own[at]}, not {theirs and at is not None and theirs[at]}"
    return None


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
            for own in ("ada", None):
                told, _ = windows.patiently(lambda: windows.walk_http(line, "s", 100, own, False, False, True, target))
                bare, _ = windows.patiently(lambda: windows.walk_http(line, "s", 100, own, True, False, True, target))
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
