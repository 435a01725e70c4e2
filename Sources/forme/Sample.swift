import Wire

/// Messages to try Forme with: what people write, in the scripts that they write it in.
enum Sample {
    static let texts = [
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

    static func event(_ number: Int, in conversation: ConversationID) throws(WireError) -> Event {
        try Event(
            conversation: conversation, message: MessageID("m\(number)"), order: Int64(number),
            sender: SenderID(number.isMultiple(of: 3) ? "ada" : "grace"),
            time: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 60_000),
            body: texts[number % texts.count])
    }
}
