"""Asks a service for everything that it answers in JSON, through a client that was generated from its description and nothing else.
Ends with 1 where the description has a route that answers or takes JSON and was not called.

usage: generated.py FOLDER URL CONVERSATION STREAM, where FOLDER has the package `client`. Run with the Python of .build/venv.
"""
import re
import sys
import time

folder, url, conversation, stream = sys.argv[1:]
sys.path.insert(0, folder)

from client import AuthenticatedClient, models  # noqa: E402
from client.api.default import (  # noqa: E402
    conversations, description, events, fonts, heights, live, place, preview, ranges, ready, script_file, window, words)

asking = AuthenticatedClient(base_url=url, token="nobody asks for it", raise_on_unexpected_status=True)
called = []


def name(operation):
    """As the client's modules are called: list_changes is listChanges of the description."""
    return operation.__name__.rsplit(".", 1)[-1]


def speaks_json(operation):
    """Whether an operation of the description answers JSON when all is well, or takes it."""
    answers = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
    return any("application/json" in said.get("content", {}) for said in [*answers, operation.get("requestBody", {})])


def answer(operation, kind, *place, status=200, **query):
    """What an operation answers, of the kind that the description says."""
    called.append(name(operation))
    reply = operation.sync_detailed(*place, client=asking, **query)
    assert reply.status_code == status, f"{operation.__name__} is answered {reply.status_code}: {reply.content[:300]}"
    assert kind is None or isinstance(reply.parsed, kind), f"{operation.__name__} is read as {type(reply.parsed)}: {reply.content[:300]}"
    return reply.parsed


answer(live, models.Health)
assert answer(ready, models.Health, for_="posts").status == "ok"
answer(description, None)
assert answer(fonts, models.FontsResponse200).fonts[0].family

event = models.MessageEvent(conversation=conversation, message="generated", order=1_000_000, sender="ada", time=1_700_000_000_000, text="Hello")
batch = models.EventBatch(events=[event], lane=models.EventBatchLane.LIVE)
told = answer(events, models.Answers, conversation, body=batch)
assert isinstance(told.answers[0], models.Accepted), told
assert isinstance(answer(events, models.Answers, conversation, body=event).answers[0], models.Repeated)

titled = models.ConversationEvent(conversation=conversation, revision=1, title="Friends", picture={"url": "https://example.com/a.jpg"})
marked = models.ConversationEvent(conversation=conversation, read=models.ReadMarkType0(reader="ben", order=999_999))
shown = models.ConversationEvent(conversation=conversation, read=models.ReadMarkType1(reader="cleo", message="generated"))
for said in (titled, marked, shown):
    assert isinstance(answer(events, models.Answers, conversation, body=said).answers[0], models.Accepted), said
assert isinstance(answer(events, models.Answers, conversation, body=titled).answers[0], models.Repeated)
for _ in range(100):
    # The first to ask is told to come again, and until the message has its row, which is soon, the list has the one before it.
    reply = conversations.sync_detailed(client=asking, as_="ben", count=9)
    assert reply.status_code == 200 or isinstance(reply.parsed, models.Problem), reply
    if reply.status_code == 200 and reply.parsed.conversations[0].last.message == "generated":
        break
    time.sleep(0.1)
[listed] = answer(conversations, models.ConversationList, as_="ben", count=9).conversations
assert (listed.conversation, listed.title, listed.picture) == (conversation, "Friends", {"url": "https://example.com/a.jpg"}), listed
assert (listed.last.message, listed.last.words, listed.read, listed.unread) == ("generated", "Hello", 999_999, 1), listed
[listed] = answer(conversations, models.ConversationList, as_="cleo").conversations
assert (listed.read, listed.unread) == (1_000_000, 0), listed

screen = {"target": "375@2"}
page = answer(window, models.TellWindow, conversation, **screen, count=7, with_="body", as_="ada", unread_from=1_700_000_000_000,
              reader='{"zone":{"offset":19800},"clock":"24"}').window
assert len(page.rows) == 7 and page.has_older and page.rows[0].layout.nodes and page.rows[0].said.body.kind
older = answer(window, models.TellWindow, conversation, **screen, count=3, beside=f"older:{page.rows[0].row}").window
assert len(older.rows) == 3 and older.rows[2].order < page.rows[0].order
assert answer(heights, models.TellHeights, conversation, **screen, from_=-10_000, to=10_000).heights.heights
found = answer(place, models.TellPlace, conversation, **screen, around=f"message:{page.rows[2].message}").place
assert found.row.row == page.rows[2].row
draft = models.Draft(text="See you at nine", sender="ada", order=2_000_000, time=1_700_000_100_000, message="drafted")
shown = answer(preview, models.TellPreview, conversation, **screen, body=draft, with_="body").preview
assert shown.row.message == "drafted" and shown.row.row == -1 and shown.row.said.body.additional_properties["text"] == "See you at nine"

asked = models.AskedPath(path="text", ranges=[[0, 4], [2, 3]], carets=[2])
reply = ranges.sync_detailed(conversation, client=asking, **screen, body=models.RangesOfMessage(message=page.rows[2].message, texts=[asked], points=[[9, 9]]))
called.append(name(ranges))
placed = reply.parsed.ranges
assert isinstance(reply.parsed, models.TellRanges) and placed.texts[0].ranges[0].frames and placed.row == page.rows[2].row, reply
assert placed.texts[0].carets[0].downstream.height > 0 and placed.hits[0].node == placed.texts[0].node

cursor = models.Window.from_dict(page.to_dict()).cursor
for word in (
    models.SayPage(page=models.SayPagePage(window=1, side=models.SayPagePageSide.OLDER, count=5)),
    models.SayHold(hold=models.SayHoldHold(window=1, anchors=[models.Anchor(row=page.rows[3].row, edge=models.AnchorEdge.TOP)])),
    models.SayResize(resize=models.SayResizeResize(window=1, target=models.Target(width=390, scale=3), screen=2532)),
    models.SayRanges(ranges=models.SayRangesRangesType0(window=1, row=page.rows[3].row, texts=[models.AskedNode(node=placed.texts[0].node, carets=[0])])),
    models.SayChanges(changes=models.SayChangesChanges(window=1, since=cursor)),
):
    answer(words, None, conversation, stream, status=202, body=word)

for kind, place_, query in ((window, conversation, {"target": "wide"}), (window, "nobody-ever-wrote-here", screen)):
    reply = kind.sync_detailed(place_, client=AuthenticatedClient(base_url=url, token="x"), **query)
    called.append(name(kind))
    assert isinstance(reply.parsed, models.Problem) and reply.parsed.detail, reply
http = asking.get_httpx_client()
answer(script_file, None, re.search(r"sourceMappingURL=\S*?([0-9a-f]{16}[.]js[.]map)", http.get("/v1/forme.js").text)[1])

described = http.get("/v1/openapi.json").json()
routes = {re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), operation["operationId"]): f"{method.upper()} {path}"
          for path, item in described["paths"].items() for method, operation in item.items()
          if "operationId" in operation and speaks_json(operation)}
left = {routes[name] for name in routes.keys() - set(called)}
assert routes and not left, f"never called: {', '.join(sorted(left))}"
print(f"{len(called)} calls of {len(set(called))} routes, {len(routes)} of which speak JSON")
