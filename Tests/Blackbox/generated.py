"""Asks a service for everything that it answers in JSON, through a client that was generated from its description and nothing else.

usage: generated.py FOLDER URL CONVERSATION STREAM, where FOLDER has the package `client`. Run with the Python of .build/venv.
"""
import sys

folder, url, conversation, stream = sys.argv[1:]
sys.path.insert(0, folder)

from client import AuthenticatedClient, models  # noqa: E402
from client.api.default import description, events, fonts, heights, live, metrics, place, preview, ranges, ready, window, words  # noqa: E402

asking = AuthenticatedClient(base_url=url, token="nobody asks for it", raise_on_unexpected_status=True)
called = 0


def answer(operation, kind, *place, status=200, **query):
    """What an operation answers, of the kind that the description says."""
    global called
    called += 1
    reply = operation.sync_detailed(*place, client=asking, **query)
    assert reply.status_code == status, f"{operation.__name__} is answered {reply.status_code}: {reply.content[:300]}"
    assert kind is None or isinstance(reply.parsed, kind), f"{operation.__name__} is read as {type(reply.parsed)}: {reply.content[:300]}"
    return reply.parsed


answer(live, models.Health)
assert answer(ready, models.Health, for_="posts").checks.additional_properties["posts"]
answer(description, None)
assert answer(fonts, models.FontsResponse200).fonts[0].family
answer(metrics, None)

event = models.MessageEvent(conversation=conversation, message="generated", order=1_000_000, sender="ada", time=1_700_000_000_000, text="Hello")
batch = models.EventBatch(events=[event], lane=models.EventBatchLane.LIVE)
told = answer(events, models.Answers, conversation, body=batch)
assert isinstance(told.answers[0], models.Accepted), told
assert isinstance(answer(events, models.Answers, conversation, body=event).answers[0], models.Repeated)

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
called += 1
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
    called += 1
    assert isinstance(reply.parsed, models.Problem) and reply.parsed.detail, reply
print(f"{called} calls")
