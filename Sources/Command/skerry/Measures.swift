import Glibc
import SkerryCommand
import SkerryGateway
import SkerryPostgres
import SkerryValues

/// The numbers of a process and of its store, which a running bridge does not know itself.
struct Measures: Sendable {
    private let process = ProcessFigures(version: Version.current)
    /// The files of the store with what they are called; none for a database of several gateways.
    private let files: [(name: String, path: String)]
    private let leaseLeft: (@Sendable () -> Interval)?

    /// Makes the measures of a process that stands by.
    init() {
        files = []
        leaseLeft = nil
    }

    /// Makes the measures of a process with a store at a path.
    init(_ store: GatewayStore, at path: String?) {
        switch store {
        case .database:
            files = path.map { [("devices", $0), ("phones", "\($0).phones")] } ?? []
            leaseLeft = nil
        case .shared(let store):
            files = []
            leaseLeft = { store.leaseTimeLeft }
        case .memory:
            files = []
            leaseLeft = nil
        }
    }

    /// Adds the numbers of now.
    func write(to text: inout MetricsText, isActive: Bool) {
        process.write(to: &text, isActive: isActive)
        text.add(.storeSize, files.map { (labels: [$0.name], number: Self.size(of: $0.path)) })
        if let leaseLeft { text.add(.leaseLeft, Double(max(0, leaseLeft().microseconds)) / 1e6) }
    }

    /// The size of a database and of its log, in bytes.
    private static func size(of path: String) -> Int {
        ["", "-wal", "-shm"].reduce(0) { sum, ending in
            var status = stat()
            return stat(path + ending, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }
}
