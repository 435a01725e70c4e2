import Console

private let benchmarks: [Benchmark] = [
    .text, .layout, .record, .client, .storage, .conversation, .lists, .pages, .widths, .previews, .streams,
    .fairness,
]

Program(
    name: "forme-bench", summary: "the laboratory of Forme: what its parts take, and what the whole of it answers",
    commands: benchmarks
).main()
