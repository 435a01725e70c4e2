import Console

/// A new command is a file with a value of `Command`, and a line here.
private let commands: [Command] = [
    .demo, .serve, .post, .importing, .fetch, .tail, .list, .flood, .lines, .layout, .gallery, .fonts, .simulate,
    .chaos,
    .keys,
    .token, .config, .status, .pool, .shelf, .check, .backup, .restore, .coordinator, .worker, .gateway, .webfonts,
]

Program(
    name: "forme", summary: "chat messages laid out ahead of time, for every screen that will show them",
    commands: commands,
    departed: [
        "bench":
            "benchmarks are a program of their own, forme-bench, which is built beside this one. Read: forme-bench --help"
    ]
).main()
