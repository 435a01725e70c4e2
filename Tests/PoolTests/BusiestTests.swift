import Testing

@testable import Pool

@Suite struct BusiestTests {
    @Test func `what is more than its share is there, however many others go by, in bounded space`() {
        var busiest = Busiest<Int>(atMost: 16)
        // A third of all is about one thing, a sixth about another, and every other name comes once.
        for number in 0..<6000 { busiest.count(number % 3 == 0 ? -1 : number % 6 == 1 ? -2 : number) }
        let first = busiest.first(16, by: <)
        #expect(first.prefix(2).map(\.name) == [-1, -2] && first.count <= 16)
        // The count is short by at most the number of all, divided by one more than the space for names.
        #expect(first[0].count <= 2000 && first[0].count >= 2000 - 6000 / 17)
        #expect(busiest.total == 6000)
    }

    @Test func `where there is room for all, counts are exact, and equal ones are in order`() {
        var busiest = Busiest<String>(atMost: 8)
        for name in ["b", "a", "b", "a", "c"] { busiest.count(name) }
        #expect(busiest.first(8, by: <).map(\.name) == ["a", "b", "c"])
        #expect(busiest.first(8, by: <).map(\.count) == [2, 2, 1])
        #expect(busiest.first(1, by: <).map(\.name) == ["a"])
    }

    @Test func `what was long ago is forgotten`() {
        var busiest = Busiest<String>()
        for _ in 0..<8 { busiest.count("old") }
        busiest.count("once")
        busiest.halve()
        #expect(busiest.first(8, by: <).map(\.name) == ["old"] && busiest.first(8, by: <)[0].count == 4)
        for _ in 0..<3 { busiest.halve() }
        #expect(busiest.first(8, by: <).isEmpty && busiest.total == 0)
    }
}
