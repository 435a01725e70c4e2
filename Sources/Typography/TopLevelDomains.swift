/// The last labels by which a host without a scheme is recognised: every country, and the others that people meet. A
/// host of another domain is still a link with a scheme, after "www." or in an e-mail address.
enum TopLevelDomains {
    /// `Com` after a full stop begins a sentence, so a label is either in capitals or not.
    static func contains(_ text: EntityScanner, _ label: Range<Int>) -> Bool {
        guard (2...24).contains(label.count) else { return false }
        guard label.allSatisfy({ text[$0] < 0x80 }) else {
            return foreign.contains(String(decoding: label.map { text[$0] }, as: UTF16.self))
        }
        if text.word(label.prefix(4)) == PackedWord("xn--") { return true }
        let capitals = label.count { text[$0] < UInt16(ascii: "a") }
        guard capitals == 0 || capitals == label.count, let word = text.word(label) else { return false }
        return ascii.contains(word)
    }

    private static let ascii: Set<PackedWord> = {
        let pairs = countries.flatMap { row in row.seconds.map { PackedWord(row.first + String($0)) } }
        return Set(pairs + generic.map { PackedWord($0) })
    }()

    /// ISO 3166 as the root zone has it; one row to a first letter.
    private static let countries: [(first: String, seconds: String)] = [
        ("a", "cdefgilmoqrstuwxz"), ("b", "abdefghijmnorstvwyz"), ("c", "acdfghiklmnoruvwxyz"), ("d", "ejkmoz"),
        ("e", "cegrstu"), ("f", "ijkmor"), ("g", "abdefghilmnpqrstuwy"), ("h", "kmnrtu"), ("i", "delmnoqrst"),
        ("j", "emop"), ("k", "eghimnprwyz"), ("l", "abcikrstuvy"), ("m", "acdeghklmnopqrstuvwxyz"),
        ("n", "acefgilopruz"), ("o", "m"), ("p", "aefghklmnrstwy"), ("q", "a"), ("r", "eosuw"),
        ("s", "abcdeghiklmnorstuvxyz"), ("t", "cdfghjklmnortvwz"), ("u", "agksyz"), ("v", "aceginu"), ("w", "fs"),
        ("y", "et"), ("z", "amw"),
    ]

    private static let generic = [
        "academy", "aero", "agency", "app", "art", "asia", "bar", "bike", "biz", "blog", "cafe", "cat", "chat", "city",
        "click", "cloud", "club", "codes", "com", "company", "coop", "design", "dev", "digital", "earth", "edu",
        "email", "events", "fans", "fashion", "fit", "fun", "fyi", "games", "gov", "group", "guide", "guru", "health",
        "help", "host", "info", "ink", "int", "jobs", "land", "legal", "life", "link", "live", "lol", "love", "ltd",
        "market", "media", "mil", "mobi", "money", "museum", "name", "net", "network", "news", "ninja", "one",
        "online", "org", "page", "photo", "photos", "plus", "post", "press", "pro", "pub", "quest", "red", "rocks",
        "run", "school", "shop", "site", "social", "software", "space", "store", "studio", "support",
        "systems", "team", "tech", "tel", "tips", "today", "tools", "top", "tours", "town", "travel", "tube", "video",
        "vip", "website", "wiki", "win", "work", "works", "world", "wtf", "xyz", "zone",
    ]

    private static let foreign: Set<String> = [
        "рф", "укр", "бел", "бг", "мкд", "мон", "срб", "қаз", "москва", "онлайн", "орг", "сайт", "дети", "ελ", "ευ",
        "հայ", "გე", "中国", "中國", "台湾", "台灣", "香港", "澳門", "新加坡", "公司", "网络", "網路", "网址", "网站",
        "在线", "中文网", "商城", "みんな", "コム", "한국", "닷컴", "닷넷", "भारत", "ভারত", "বাংলা", "இந்தியா",
        "இலங்கை", "ไทย", "ລາວ", "امارات", "السعودية", "الاردن", "المغرب", "الجزائر", "تونس", "مصر", "قطر", "عمان",
        "سورية", "فلسطين", "العراق", "ایران", "پاکستان", "بھارت", "شبكة", "موقع", "ישראל", "קום",
    ]
}
