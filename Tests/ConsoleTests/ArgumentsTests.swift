import Console
import Settings
import Testing
import Transport

private func parsed(_ words: String) throws -> Arguments {
    try Arguments(
        words.split(separator: " ").map(String.init), of: "fetch", operands: 2, options: ["target", "data"],
        lists: ["data"], switches: ["json"])
}

private func refusal(_ words: String) -> String? {
    do { _ = try parsed(words) } catch { return Failure(error).sentence }
    return nil
}

@Test(arguments: ["c --target 390@3 --json", "--target 390@3 c --json", "--json --target=390@3 c"])
func `operands and options stand in any order`(words: String) throws {
    let arguments = try parsed(words)
    #expect(arguments.operands == ["c"])
    #expect(arguments.text("target") == "390@3" && arguments.has("json"))
}

@Test func `a dash alone is an operand, and so is every word behind two dashes`() throws {
    #expect(try parsed("- --json").operands == ["-"])
    #expect(try parsed("--json -- --target").operands == ["--target"])
}

@Test func `a value may be empty, begin with a dash, and hold an equals sign`() throws {
    #expect(try parsed("--target=").text("target")?.isEmpty == true)
    #expect(try parsed("--target -1").text("target") == "-1")
    #expect(try parsed("--target=a=b").text("target") == "a=b")
}

@Test func `an option is repeated where it is a list, and nowhere else`() throws {
    #expect(try parsed("--data a --data b").texts("data") == ["a", "b"])
    #expect(refusal("--target a --target b") == "--target is given twice.")
}

@Test(arguments: ["--data=", "c --data= --json"])
func `an empty path is refused, whichever option has it`(words: String) {
    #expect(refusal(words) == "--data takes a path, and has an empty one.")
}

@Test func `a folder where a file is expected is called that, and an address of another machine, too`() {
    let folder = Failure(SettingsError.unreadable(path: "/etc", code: 22))
    #expect(folder.code == .inputOutput && folder.sentence == "/etc is a folder or a device; name a file")
    let far = Failure(TransportError.notHere(endpoint: "tcp://192.0.2.1:1"))
    #expect(far.code == .usage && far.sentence.hasPrefix("tcp://192.0.2.1:1 is no address of this machine;"))
    #expect(Failure(TransportError.taken(endpoint: "tcp://127.0.0.1:1")).sentence.hasSuffix("or choose another port"))
}

@Test(arguments: [
    ("a b c", "'c' is not expected here."), ("--target", "--target needs a value."),
    ("--json=yes", "--json takes no value."), ("-x", "unknown option -x."),
    ("--colour red", "unknown option --colour."), ("--dta a", "unknown option --dta; did you mean --data?"),
    ("--tagret a", "unknown option --tagret; did you mean --target?"),
])
func `a mistake is refused by its name, with what was probably meant`(words: String, sentence: String) {
    #expect(refusal(words) == sentence)
}

@Test func `a text of others shows what is seen of it, and a dot for each character that a terminal obeys`() {
    #expect("\u{1B}[2Jé\u{202E}日本\n".visible == "·[2Jé·日本·")
}

@Test(arguments: [
    ("srve", "serve"), ("statsu", "status"), ("Fetch", "fetch"), ("fetchh", "fetch"), ("lst", "list"),
    ("dance", nil), ("", nil), ("x", nil),
])
func `a slip of the pen leads to the word that was meant, and nothing else does`(word: String, meant: String?) {
    #expect(Spelling.nearest(word, among: ["serve", "status", "fetch", "list", "tail"]) == meant)
}
