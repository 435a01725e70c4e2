import Console
import Testing

private struct Example: Command {
    let name = "paint"
    let summary = "paints it's best"
    let usage = """
        usage: forme paint wall [OPTIONS] FILE
               forme paint door|gate [OPTIONS]

          FILE                 what it is painted on
          --colour NAME        which: red,
                               green or blue
          --target WIDTH@SCALE any screen
          --lane LANE          live, backfill or relayout
          --dark, --light      one scheme of colours
          --edits % --deletes %
                               of all events
          --data FOLDER        where it is
          --hours N            how many
          --shape KIND         round, square (default) or none

        It dries
        in a day. [Not] more: well.

          0 * * * *  forme paint .door

        .begins with a dot
        """
    func run(_ words: [String]) {}
}

@Test func `help is read as synopses, entries and paragraphs`() {
    let manual = Manual(Example())
    #expect(manual.synopses == ["forme paint wall [OPTIONS] FILE", "forme paint door|gate [OPTIONS]"])
    #expect(
        manual.entries.map(\.terms) == [
            "FILE", "--colour NAME", "--target WIDTH@SCALE", "--lane LANE", "--dark, --light", "--edits % --deletes %",
            "--data FOLDER", "--hours N", "--shape KIND",
        ])
    #expect(manual.entries[1].text == "which: red, green or blue")
    #expect(manual.entries[2].text == "any screen")
    #expect(manual.entries[4].options.map(\.name) == ["dark", "light"])
    #expect(manual.entries[5].options.map(\.value) == ["%", "%"])
    #expect(
        manual.paragraphs.map(\.text) == [
            "It dries in a day. [Not] more: well.", "0 * * * *  forme paint .door", ".begins with a dot",
        ])
    #expect(manual.paragraphs.map(\.isExample) == [false, true, false])
    #expect(manual.verbs(of: "forme") == ["wall", "door", "gate"])
}

@Test func `a man page says what help says, and no word of it is taken for a request`() {
    let page = Manual(Example()).page(of: "forme", version: "1", exits: "0 done")
    #expect(page.hasPrefix(".TH \"FORME-PAINT\" \"1\""))
    #expect(page.contains("forme\\-paint \\- paints it\\(aqs best"))
    #expect(page.contains(".TP\n\\fB\\-\\-colour NAME\\fR\nwhich: red, green or blue"))
    #expect(page.contains("\n\\&.begins with a dot"))
    #expect(page.contains("0 * * * *  forme paint .door"))
}

@Test func `what stands for a value is completed as what it is`() throws {
    let completions = Completions(program: "forme", manuals: [Manual(Example())], own: [("help", "what it does")])
    let bash = try #require(completions.script(for: "bash"))
    #expect(bash.contains("--lane) COMPREPLY=($(compgen -W 'live backfill relayout' -- \"$word\"))"))
    #expect(bash.contains("--data) COMPREPLY=($(compgen -d"))
    #expect(bash.contains("--hours) :; return"))
    #expect(bash.contains("--shape) COMPREPLY=($(compgen -W 'round square none' -- \"$word\"))"))
    #expect(
        bash.contains(
            "'wall door gate --colour --target --lane --dark --light --edits --deletes --data --hours --shape --help'"))
    let fish = try #require(completions.script(for: "fish"))
    #expect(fish.contains("-l lane -x -a 'live backfill relayout'"))
    #expect(fish.contains("-d 'paints it’s best'"))
    let zsh = try #require(completions.script(for: "zsh"))
    #expect(zsh.contains("'*--lane[live, backfill or relayout]:LANE:(live backfill relayout)'"))
    #expect(zsh.contains("'1:verb:(wall door gate)'"))
    #expect(completions.script(for: "cmd") == nil)
}
