import Console

/// A new command is a type in a file of its own, and its place in this list.
private let commands: [any Command] = [
    DemoCommand(), ServeCommand(), PostCommand(), ImportCommand(), FetchCommand(), TailCommand(), ListCommand(),
    FloodCommand(), LinesCommand(), LayoutCommand(), GalleryCommand(), KindsCommand(), FontsCommand(),
    SimulateCommand(),
    ChaosCommand(),
    KeysCommand(), TokenCommand(), ConfigCommand(), StatusCommand(), TopCommand(), TraceCommand(), PoolCommand(),
    ClusterCommand(),
    ShelfCommand(),
    CheckCommand(), UpgradeCommand(),
    BackupCommand(), RestoreCommand(), CoordinatorCommand(), WorkerCommand(), GatewayCommand(), WebfontsCommand(),
]

Program(
    name: "forme", summary: "chat messages laid out ahead of time, for every screen that will show them",
    commands: commands,
    departed: [
        "bench":
            "benchmarks are a program of their own, forme-bench, which is built beside this one. Read: forme-bench --help"
    ]
).main()
