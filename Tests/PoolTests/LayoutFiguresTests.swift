import Pool
import Testing
import Wire

@Test func `what layouts cost is told by kind, and kinds beyond the most are one`() {
    var figures = LayoutFigures()
    figures.add(.init("text", messages: 3, nanoseconds: 60_000))
    figures.add(.init("album", messages: 1, nanoseconds: 900_000))
    figures.add(.init("text", messages: 1, nanoseconds: 20_000))
    #expect(
        figures.kinds == [
            .init("text", messages: 4, nanoseconds: 80_000), .init("album", messages: 1, nanoseconds: 900_000),
        ])
    for number in 0..<1000 { figures.add(.init("kind \(number)", messages: 1, nanoseconds: 1)) }
    #expect(figures.kinds.count == LayoutFigures.mostKinds)
    #expect(figures.kinds.last?.name == "other" && figures.kinds.reduce(0) { $0 + $1.messages } == 1005)
    // Another host may say any number.
    figures.add(.init("text", messages: .max, nanoseconds: .max))
    #expect(figures.kinds[0] == .init("text", messages: .max, nanoseconds: .max))
}

@Test func `figures of layouts are the same in what a coordinator answers, and stand in metrics`() throws {
    var figures = PoolFigures()
    figures.layouts.add(.init("text", messages: 4, nanoseconds: 80_000))
    figures.layouts.add(.init(#"ma"p"#, messages: 1, nanoseconds: 2_500_000_000))
    figures.layouts[.rows] = .init(hits: 7, misses: 2)
    figures.layouts[.words] = .init(hits: 100, misses: 50)
    let health = PoolHealth(busy: nil, servedWorkers: 1, figures: figures)
    #expect(PoolHealth(answer: OperatorAnswer.health(health).json)?.figures.layouts == figures.layouts)
    var text = MetricsText(of: "pool")
    health.write(to: &text)
    let lines = text.text.split(separator: "\n")
    for line in [
        #"forme_pool_layouts_total{kind="text"} 4"#, #"forme_pool_layout_seconds_total{kind="text"} 8e-05"#,
        #"forme_pool_layout_seconds_total{kind="ma\"p"} 2.5"#, #"forme_pool_cache_hits_total{layer="rows"} 7"#,
        #"forme_pool_cache_misses_total{layer="rows"} 2"#, #"forme_pool_cache_hits_total{layer="editions"} 0"#,
        #"forme_pool_cache_hits_total{layer="words"} 100"#,
    ] { #expect(lines.contains { $0 == line }, "\(line)") }
}
