/// Patterns of parameters, as wide as the service where a pattern can say it.
enum ParameterPattern {
    /// A name: 1 to 255 bytes of UTF-8 without control characters.
    static let name = names()
    /// A whole number: nearly every one of 64 bits.
    static let wide = "-?([0-9]{1,18}|[1-8][0-9]{18})"
    /// A screen: width and scale, and optionally a text scale in percent and whether it is mirrored.
    static let target =
        "^(([1-9][0-9]{0,3}|1[0-5][0-9]{3}|16[0-2][0-9]{2}|163[0-7][0-9]|1638[0-3])([.][0-9]{1,6})?|16384)@(0[.][5-9][0-9]{0,2}|[1-7]([.][0-9]{1,3})?|8)(,(2[5-9]|[3-9][0-9]|[1-3][0-9]{2}|400))?(,mirrored)?$"
    /// A place around which a window opens.
    static let around =
        "^(newest|unread|message:\(name)|date:-?([0-9]{1,15}|[1-7][0-9]{15}|8[0-5][0-9]{14})|y:\(wide))$"

    /// A reader as JSON: an object with any of its members, in their order, with or without a space behind commas and
    /// colons.
    static let reader: String = {
        let offset = "(0|-?[1-9][0-9]{0,3}|-?[1-7][0-9]{4}|-?8[0-5][0-9]{3}|-?86[0-3][0-9]{2}|-?86400)"
        let own = names(of: #"[ !#-\[\]-~]"#, without: #""\\"#)
        let change = #"\[(0|-?[1-9][0-9]{0,10}), ?\#(offset)\]"#
        let members = [
            #""own": ?"\#(own)""#, #""unreadFrom": ?(0|-?[1-9][0-9]{0,17})"#,
            #""zone": ?[{]"offset": ?\#(offset)(, ?"changes": ?\[(\#(change)(, ?\#(change)){0,99})?\])?[}]"#,
            #""clock": ?"(12|24)""#, #""direct": ?(true|false)"#, #""selecting": ?(true|false)"#,
        ]
        let some = members.indices.map { members[$0] + members[($0 + 1)...].map { "(, ?\($0))?" }.joined() }
        return "^[{](\(some.joined(separator: "|")))?[}]$"
    }()

    /// The pattern of names. A pattern counts letters, not bytes, so it allows as many letters of one, two, three and
    /// four bytes as are sure to fit, and some of three bytes among many of one.
    /// - Parameters:
    ///   - one: letters of one byte.
    ///   - letters: those of them that are left out.
    private static func names(of one: String = "[ -~]", without letters: String = "") -> String {
        let two = "(\(one)|[\\u0080-\\u07ff])"
        let three = "(\(one)|[\\u0080-\\ud7ff]|[\\ue000-\\uffff])"
        let any = "[^\\x00-\\x1f\\x7f\(letters)]"
        return "(\(one){1,255}|\(two){1,127}|\(three){1,85}|\(one){0,135}\(three){1,40}|\(any){1,63})"
    }
}
