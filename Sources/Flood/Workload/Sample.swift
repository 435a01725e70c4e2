package import Bytes
package import Names
package import Wire

/// Messages to try Forme with, as people write them, in their scripts.
package enum Sample {
    package static let texts = [
        "See you at nine? The table is booked under my name, and there is parking behind the house.",
        "Да, буду к девяти. Захвати, пожалуйста, зарядку — моя осталась на работе.",
        "Τέλεια! Θα φέρω και το επιτραπέζιο που λέγαμε.",
        "أراك في التاسعة إن شاء الله، سأحضر معي القهوة والتمر.",
        "ניפגש בתשע, ואל תשכח להביא את הספר שדיברנו עליו.",
        "کل ملتے ہیں، وقت پر آ جانا۔",
        "नौ बजे मिलते हैं, रास्ते में फूल भी ले लेना।",
        "নয়টায় দেখা হবে, ছাতা আনতে ভুলো না।",
        "ஒன்பது மணிக்கு சந்திப்போம், மழை வரலாம்.",
        "เจอกันเก้าโมงนะ อย่าลืมเอาร่มมาด้วยเพราะฝนอาจจะตก",
        "ជួបគ្នាម៉ោងប្រាំបួន",
        "ကိုးနာရီမှာ တွေ့မယ်",
        "九点见，别忘了带伞，天气预报说晚上会下雨。",
        "九時に会いましょう。駅の前のカフェで待っています。",
        "아홉 시에 봐요, 우산 꼭 챙기세요.",
        "👍🏽 👨‍👩‍👧‍👦 🇪🇺 1️⃣",
        "The map: https://example.org/a/rather/long/path?with=query&and=more#fragment",
        "Mixed: the word שלום and the word سلام in one English sentence, 12:30–14:00.",
        "First line\nsecond line\n\nand one after an empty one",
        "ok",
    ]

    /// Messages that are not plain texts.
    private static let others = [
        #"{"kind":"photo","photo":{"width":1600,"height":1200},"caption":"The view from up there"}"#,
        #"{"kind":"event","text":"Ada joined"}"#,
        """
        {"kind":"album","caption":"Three of them","photos":[{"picture":{"width":1600,"height":1200}},\
        {"picture":{"width":900,"height":1600}},{"picture":{"width":1000,"height":1000},"duration":122}]}
        """,
        """
        {"kind":"poll","question":"Where do we meet?","votes":21,"options":[\
        {"text":"Here","percent":62,"chosen":true},{"text":"At the library, as always","percent":38}]}
        """,
        #"{"kind":"file","file":{"name":"report.pdf","size":1412345,"type":"PDF"}}"#,
        #"{"kind":"audio","audio":{"duration":7,"bars":[0,37,74,111,148,185,222,3,40,77,114,151,188,225,6,43]}}"#,
        """
        {"kind":"link","text":"Read this: https://example.org/a","preview":{"url":"https://example.org/a",\
        "site":"Example","title":"A page about layout","picture":{"width":1200,"height":630}}}
        """,
        #"{"kind":"location","place":{"title":"Café Central","address":"Herrengasse 14, 1010 Wien"}}"#,
        #"{"kind":"contact","contact":{"name":"Ada Lovelace","phone":"+44 20 7946 0000"}}"#,
        #"{"kind":"sticker","sticker":{"width":512,"height":512},"emoji":"🎉"}"#,
        #"{"kind":"rich","text":"Some **bold**, some *italic* and `code`:\n\n- one\n- two"}"#,
    ]

    /// The body of a message: two texts, then one of the others.
    private static func body(_ number: Int) -> [UInt8] {
        let (turn, place) = number.quotientAndRemainder(dividingBy: 3)
        return place == 2
            ? Array(others[turn % others.count].utf8) : MessageEvent.plainText(texts[(2 * turn + place) % texts.count])
    }

    package static func event(_ number: Int, in conversation: ConversationID) throws(ByteError) -> MessageEvent {
        let body = MessageBody(
            sender: try SenderID(number.isMultiple(of: 3) ? "ada" : "grace"),
            time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 60_000), content: body(number))
        return MessageEvent(
            conversation: conversation, message: try MessageID("m\(number)"), body: body, order: Int64(number))
    }
}
