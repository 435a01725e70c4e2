/// `--remotes HOST:PORT`: the address at which a coordinator lets workers of other hosts in.
enum RemoteDoorOption {
    static let name = "remotes"
    static let usage = "  --remotes HOST:PORT  one more TCP port, for workers of other hosts (forme help worker)"
}
