import Console

Program(
    name: "forme-bench", summary: "the laboratory of Forme: what its parts take, and what the whole of it answers",
    commands: [
        .text, .layout, .record, .client, .storage, .conversation, .lists, .pages, .widths, .previews, .streams,
        .fairness,
    ]
).main()
