/// The demands of the chats that Forme grew from on a layout system, and where each answer is shown. The numbers are
/// those of the requirements: S0 a chat toolkit, S1 a messenger, S2 a row renderer, S3 a list that grows upward, S4
/// view models.
enum Answer: Equatable {
    /// Names of tests of which one fails when this stops being true: `deploy/mutations` breaks it on purpose.
    case held(by: [String])
    /// Nothing that a layout service could do; the client's own.
    case clientOnly(reason: String)
    /// Not yet.
    case open

    static func proved(by tests: String...) -> Answer { .held(by: tests) }
}

let seeds: [String: Answer] = [
    "S0.1": .proved(by: "a kind is added by its file alone, and lays out no other anew"),
    "S0.2": .proved(
        by: "a client measures nothing: it can reach no code that measures, and no C",
        "rows that were read are not read again, however often a reader scrolls to and fro",
        "what a row's frames have in common is made once for all of them"),
    "S0.3": .proved(
        by: "an insert is told with its row, and with the neighbours that are dressed in another way",
        "a resend or a local echo never moves a row",
        "what happens beside other changes is told change by change, never as a reload of all rows"),
    "S0.4": .proved(
        by: "an entity has a rectangle on every line it stands on",
        "texts that are stored stand on the lines that were drawn, on any screen",
        "a link that goes over lines is touched on each of them, and leads where it says"),
    "S0.5": .proved(
        by: "older rows extend upward, and move nothing below them",
        "what is stored of a message is laid out for any screen as the message itself would be",
        "windows hold what they would hold if they were opened afresh, through ten thousand changes"),
    "S0.6": .proved(
        by: "lines, entities and what is seen of a picture are in the coordinates of the content",
        "frames are those of the layout, from the top left of the row, and lines are where they were measured",
        "a layout is printed as it stands in its content, however deep"),
    "S0.7": .proved(
        by: "a message is as high as its lowest frame and the space below it",
        "rows follow each other without a gap, and are as high as their decorations"),
    "S0.8": .proved(
        by: "each layout can be read from a record, and from a row cut of it",
        "a record has the frames of everything that is drawn, not of its texts alone",
        "what changes nothing of a message's layout has it found under its key, and not made again"),
    "S0.9": .proved(
        by: "what changes only paint or behaviour keeps every byte",
        "a field is in the key of a message when it changes geometry, and not when it does not"),
    "S0.10": .proved(
        by: "of many changes of a message within a tick one is told, and the last counts",
        "a newer job takes the place of one that waits, and the older is done",
        "a message that is edited again and again within a tick is told once, as it was last"),
    "S0.11": .proved(
        by: "who asks the same is answered the same, until something happens",
        "answers take what conversations leave, and give it back when these need it",
        "a page that is not at hand is one read of the file, however many rows it has"),
    "S0.12": .proved(
        by: "stored texts of the oracle break as they did when they were measured",
        "what is stored of a message is laid out for any screen as the message itself would be",
        "a text is measured once, and its links looked for, however many screens it is laid out for"),
    "S0.13": .proved(
        by: "a text of more than a hundred screens comes first screen first, and is put together byte for byte",
        "of a text that is open in the middle the lines come first that are seen"),
    "S0.14": .proved(
        by: "lays out a hundred messages for every target, though a worker is killed half-way",
        "a message is laid out the same whatever was laid out before"),
    "S0.15": .proved(
        by: "breaks lines where a browser does, and measures them alike",
        "frames are those of the layout, from the top left of the row, and lines are where they were measured"),
    "S0.16": .proved(
        by: "everything stands inside its parent and on nothing else, on every screen",
        "texts that are stored stand on the lines that were drawn, on any screen",
        "a client of today that asks for nothing in particular shows at least that"),
    "S0.17": .proved(
        by: "exact extents are known above and below, and any y or message is found, loaded or not",
        "rows are sealed though batches never end, and the edition's decoration lies beside them",
        "where a row is takes as long to tell in a long conversation as in a short one"),
    "S0.18": .proved(
        by: "a change set for another moment changes nothing",
        "a change set of which one change does not fit is not done at all",
        "an update waits for the next frame, and tells all that happened until then"),
    "S0.19": .proved(
        by: "finds the lines of a text in a column as by itself",
        "a client of today that asks for nothing in particular shows at least that",
        "a row has the key, the layouts and the measured texts of its message"),
    "S0.20": .proved(
        by: "every style has every kind, and the screens of today",
        "a conversation is shown on a screen of any width, though its style names no such"),
    "S0.21": .proved(
        by: "a window is trimmed away from the focus, once nobody scrolls, and says whether it was",
        "a window that is trimmed has as many rows as it should, wherever its reader is"),
    "S0.22": .proved(
        by: "pages come at both sides, and say how high they are and whether there are more",
        "a window that names no number of rows has fifty of them, and so has a page at either side",
        "a window says at each of its ends whether there is more, in JSON as in bytes"),
    "S0.23": .proved(
        by: "a window is trimmed away from the focus, once nobody scrolls, and says whether it was",
        "the rows that go are the farthest from where the reader is"),
    "S0.24": .proved(
        by: "an insert into a full window may make it longer than it should be",
        "a window that is too long is trimmed when its reader comes to rest, and not while he scrolls"),
    "S0.25": .proved(
        by: "a window is trimmed away from the focus, once nobody scrolls, and says whether it was",
        "a window is adjusted around any place between its first row and its last, and says whether rows went",
        "an adjustment that takes nothing away says so"),
    "S0.26": .proved(
        by: "what is anchored moves as far as the change set says, and not at all on the screen",
        "rows that go out of sight move no anchor, neither in the window nor on the screen"),
    "S0.27": .proved(
        by: "a layout is printed with everything that a client applies",
        "of regions that overlap each has the priority that its style gives it, or ten"),
    "S0.28": .proved(
        by: "what happens to a message on its way moves nothing",
        "a field is in the key of a message when it changes geometry, and not when it does not"),
    "S0.29": .proved(
        by: "pages come at both sides, and say how high they are and whether there are more",
        "a window is trimmed away from the focus, once nobody scrolls, and says whether it was",
        "a page is told as one, and a new message as new"),
    "S0.30": .proved(
        by: "every word about windows reads back as it was said",
        "a message that stands alone has the tail of its series",
        "everything that stands around a row reaches its client, each thing in its own rectangle"),
    "S0.31": .proved(
        by: "a hint says where the next page is asked for, sooner in fast scrolling, or at the very top",
        "a page is asked for before the last row that is here is seen"),
    "S0.32": .proved(
        by: "a window opens around the newest row, the first unread, a message, a date and a y",
        "places are found, loaded or not, and what is not laid out yet is pending"),
    "S0.33": .proved(by: "covers add up by reason, and saying one twice changes nothing"),
    "S1.1": .proved(
        by: "events come as JSON and models go as JSON, newest revision last or not",
        "windows hold what they would hold if they were opened afresh, through ten thousand changes",
        "a request may hold what many users say in one conversation, each under their own name"),
    "S1.2": .proved(
        by: "every kind has messages to try it with, and every message a kind",
        "an option says where it is, what its percents are, and that a vote is for it",
        "the lines of a long text come by themselves, and nothing moves"),
    "S1.3": .proved(
        by: "what happens to a message on its way moves nothing",
        "a status is told as looking otherwise, and moves nothing in any row",
        "a stamp stands behind the part of a row that takes the rest, where that is the last"),
    "S1.4": .proved(
        by: "an avatar at the start of a series is level with the top of its first message",
        "in a conversation of two, avatar and name are left out where the style says so"),
    "S1.5": .proved(
        by: "a local echo takes the id of the backend, and keeps its row",
        "a message that fails and is sent again keeps its key"),
    "S1.6": .proved(
        by: "a client measures nothing: it can reach no code that measures, and no C",
        "rows follow each other, and are found by their y, their id and their message",
        "rows that were read are not read again, however often a reader scrolls to and fro"),
    "S1.7": .proved(
        by: "a decoder written from the documentation alone reads what was stored",
        "what is in a row is drawn where the row says that it stands",
        "a layout is printed as it stands in its content, however deep"),
    "S1.8": .proved(
        by: "two participants and an observer read the same conversation, each from their own side",
        "a mirrored row is the same row, with every frame as far from the other edge"),
    "S1.9": .proved(
        by: "rows follow each other without a gap, and nothing in them overlaps or stands outside",
        "exact extents are known above and below, and any y or message is found, loaded or not",
        "rows follow each other without a gap, and are as high as their decorations"),
    "S1.10": .proved(by: "a stamp finds room behind the last of what flows"),
    "S1.11": .proved(
        by: "every style has every kind, and the screens of today",
        "a length is in the keys of the kinds that use it, and of no other"),
    "S1.12": .proved(
        by: "a length is in the keys of the kinds that use it, and of no other",
        "the edition that is served stays until all that was there is laid out for the next one"),
    "S1.13": .proved(
        by: "a row is its gaps, its lines and its content, one below the other",
        "an avatar at the end of a series is level with the bottom of its last message",
        "rows come with what is drawn in them, dressed as high as they are"),
    "S1.14": .proved(
        by: "a style says how series, templates and lines are dressed",
        "a centred avatar stands above its content, and inside the row"),
    "S1.15": .proved(
        by: "the same content has another row in each template",
        "a change says what is different: nothing, the looks of a row, or where things stand",
        "rows follow each other without a gap, and are as high as their decorations"),
    "S1.16": .proved(
        by: "a kind is added by its file alone, and lays out no other anew",
        "a style says how its rows are dressed, and every kind stands in one of them",
        "a status changes nothing that is laid out, reactions do"),
    "S1.17": .proved(
        by: "a dozen messages are fetched and applied a thousand times faster than in half a second",
        "a row that was read is applied for less than it costs to read it alone",
        "a page that is not at hand is one read of the file, however many rows it has"),
    "S1.18": .proved(
        by: "exact extents are known above and below, and any y or message is found, loaded or not",
        "a window of heights has nothing in its rows, and those that are seen come with all of it when asked for"),
    "S1.19": .proved(
        by: "a layout is printed with everything that a client applies",
        "corners are small at the edge of a series where its bubbles meet",
        "a part that clips what stands in it, or hides what is behind it, says so, and no other does"),
    "S1.20": .proved(
        by: "lines, entities and what is seen of a picture are in the coordinates of the content",
        "every picture is named by its own place in the message",
        "a picture is scaled in its own ratio to the pixels that fill its frame"),
    "S1.21": .proved(
        by: "nothing that stores, serves or shows rows knows a kind of message",
        "processor time of a batch is divided between kinds as the time that they took",
        "rows are laid out or read for the first who asks, whatever stands in them, and for the next from memory"),
    "S1.22": .proved(
        by: "a list that stands on its head counts from its end, and sees the same",
        "a window opens around the newest row, the first unread, a message, a date and a y",
        "a list that stands on its head begins at its newest row, and counts from there"),
    "S1.23": .proved(
        by: "a stamp finds room behind the last of what flows",
        "a stamp stands at the edge, however much wider than its line the bubble is"),
    "S1.24": .proved(
        by: "nothing expands to less",
        "when a bubble is stretched its stamp stays at the end of the bottom, and the rest grows with it",
        "a text that is cut is laid out ahead in both of its states"),
    "S1.25": .proved(
        by: "covers add up by reason, and saying one twice changes nothing",
        "a message that comes stands above what covers the end"),
    "S1.26": .proved(
        by: "a list that stands on its head counts from its end, and sees the same",
        "what covers a list that stands on its head covers the same of it"),
    "S1.27": .proved(
        by: "windows hold what they would hold if they were opened afresh, through ten thousand changes",
        "a row that moves is told with the place that it had, and the one that it has",
        "a resend or a local echo never moves a row"),
    "S1.28": .proved(by: "a kind is added by its file alone, and lays out no other anew"),
    "S2.1": .proved(
        by: "a client measures nothing: it can reach no code that measures, and no C",
        "what happens to a row gives a height to it and its two neighbours, however long the conversation is",
        "a page that is not at hand is one read of the file, however many rows it has"),
    "S2.2": .proved(
        by: "what happens to a row gives a height to it and its two neighbours, however long the conversation is",
        "what is drawn in a row is read once, whatever happens to others"),
    "S2.3": .proved(
        by: "a tree of blocks has the heights that a decorator gives",
        "rows follow each other, and are found by their y, their id and their message",
        "exact extents are known above and below, and any y or message is found, loaded or not"),
    "S2.4": .proved(
        by: "pages are asked for before they are seen, the sooner the faster the reader scrolls",
        "a reader who scrolls fast has the next page at that side long before it is seen",
        "a page takes no longer in a long conversation than in a short one"),
    "S2.5": .proved(
        by: "a tree stays what it would be if it were made anew, whatever happens to its rows",
        "a list that stands on its head counts from its end, and sees the same",
        "a row that is pushed stands where all ended, and costs no more the more there are"),
    "S2.6": .proved(
        by: "a tree stays what it would be if it were made anew, whatever happens to its rows",
        "windows hold what they would hold if they were opened afresh, through ten thousand changes"),
    "S2.7": .proved(
        by: "a tree stays what it would be if it were made anew, whatever happens to its rows",
        "windows hold what they would hold if they were opened afresh, through ten thousand changes",
        "many rows that come between two are one change, and what is below moves once, by their sum"),
    "S2.8": .proved(
        by: "what happens to a row gives a height to it and its two neighbours, however long the conversation is",
        "a conversation is as much higher as what changes in it, with rows below that are not loaded"),
    "S2.9": .proved(
        by: "content leaves room for all that may ever stand beside it, in every row",
        "a row is its gaps, its lines and its content, one below the other",
        "a screen that is turned has rows of its own width, then and whenever its window is opened again"),
    "S2.10": .proved(
        by: "what happens to a row gives a height to it and its two neighbours, however long the conversation is",
        "a resend or a local echo never moves a row",
        "a message that comes again, or is read meanwhile, is not laid out again"),
    "S2.11": .proved(
        by: "rows follow each other without a gap, and are as high as their decorations",
        "windows hold what they would hold if they were opened afresh, through ten thousand changes"),
    "S3.1": .proved(
        by: "pages come at both sides, and say how high they are and whether there are more",
        "a page has as many rows as were asked for at that side, and stands next to those that are there",
        "a reader who scrolls fast has the next page at that side long before it is seen"),
    "S3.2": .proved(
        by: "pages come at both sides, and say how high they are and whether there are more",
        "a page is a change that says how much higher the window is, which a list adds to its offset above"),
    "S3.3": .proved(
        by: "what happens to a message on its way moves nothing",
        "the height of a conversation is known when it is opened, and no page changes it",
        "what is drawn in a row comes into it where the row is as high as was said, and moves nothing"),
    "S3.4": .proved(
        by: "every kind has messages to try it with, and every message a kind",
        "a text of one to six emoji is shown as emoji are, and one of more as any text",
        "a picture is scaled in its own ratio to the pixels that fill its frame"),
    "S3.5": .proved(
        by: "pages come at both sides, and say how high they are and whether there are more",
        "the text that is seen comes before others",
        "a reply says whether a window is opened or has a page more, at which side, and how high that is above"),
    "S3.6": .proved(
        by: "a hint says where the next page is asked for, sooner in fast scrolling, or at the very top",
        "older pages are asked for at the very top alone where a client chose that, and newer ones as ever",
        "pages are asked for as many screens ahead as a client chose, at either side"),
    "S3.7": .proved(
        by: "rows that are less high than the screen stand where gravity pulls them",
        "a conversation fits where all of it is no higher than the screen, however much of it is loaded"),
    "S3.8": .proved(
        by: "everything of any message stands inside its parent and on nothing else",
        "rows follow each other without a gap, and are as high as their decorations",
        "an action says what it is about"),
    "S3.9": .proved(
        by: "a slot stays between the smallest and the largest, and the picture fills it in its ratio",
        "everything stands inside its parent and on nothing else, on every screen"),
    "S3.10": .proved(
        by: "a change says what is different: nothing, the looks of a row, or where things stand",
        "a row that is edited is told with what is drawn in it now",
        "a row that is edited is read again, and one that cannot be read shows nothing"),
    "S3.11": .proved(
        by: "a row of the edition that is served is taken over where its key is the same, and no other",
        "a message whose key is as before keeps its layout",
        "what is drawn in a row is read once, whatever happens to others"),
    "S4.1": .proved(
        by: "a message that the style refuses is named with the reason, and laid out when an edit mends it",
        "texts come with all that drawing them needs, and a row with what is true of it",
        "rows that were read are not read again, however often a reader scrolls to and fro"),
    "S4.2": .proved(
        by: "a message is as high as its lowest frame and the space below it",
        "rows follow each other without a gap, and are as high as their decorations",
        "what is stored of a message is laid out for any screen as the message itself would be"),
    "S4.3": .proved(
        by: "each layout can be read from a record, and from a row cut of it",
        "rows are laid out or read for the first who asks, whatever stands in them, and for the next from memory",
        "lines stand where they were laid out, be they centred or written from right to left"),
    "S4.4": .proved(
        by: "lines, entities and what is seen of a picture are in the coordinates of the content",
        "messages that are held are as high as each by itself",
        "texts come with all that drawing them needs, and a row with what is true of it"),
    "S4.5": .proved(
        by: "a row is its gaps, its lines and its content, one below the other",
        "everything of any message stands inside its parent and on nothing else",
        "frames stand in each other as views do, and every text in what is around it"),
    "S4.6": .proved(by: "what takes the rest of a row is broken into what the others leave, less the gap"),
    "S4.7": .proved(
        by: "a message hugs its widest line",
        "a message is as high as its lowest frame and the space below it"),
    "S4.8": .proved(
        by: "a window follows its conversation, and many changes between two frames come as one update",
        "an update waits for the next frame, and tells all that happened until then",
        "frames of the usual clock are a sixtieth of a second apart"),
    "S4.9": .proved(
        by: "nothing is a layout, too: it has no size, holds for every row, and shows nothing",
        "what does not stand around a row has the rectangle that is nowhere",
        "where there is no window yet there are no rows, and none to ask for"),
    "S4.10": .proved(
        by: "an explanation tells offers, wishes, what ends the layout's reach, and what it depends on",
        "an explanation agrees with the layout, and names what ends its reach",
        "an explanation tells the key of a record for the screens that were asked for, and for no others"),
    "S4.11": .proved(
        by: "no source escapes the compiler's proof of thread safety, sleeps, or puts work off",
        "where one reader has read up to changes nothing for those who look at the same",
        "a window that is kept stays as it was, whatever becomes of its conversation"),
]
