import CFaultyMemory
import CSQLite
import Glibc
import Synchronization

/// Files of SQLite that fail when a test says so: a VFS over that of the system. Its memory, too.
///
/// Only files below a folder whose path has ``mark`` in it are affected, and only memory of the thread that follows a
/// plan; tests beside use the same process.
enum FaultyFiles {
    /// The sorts of calls that can fail.
    enum Sort: String, CaseIterable {
        /// Nothing of it is written.
        case write
        /// Half of it is written.
        case halfWrite
        /// The disk is full.
        case full
        case read
        case sync
        case truncate
        case open
        /// Room in the shared index of the log.
        case sharedMemory
        /// Memory for SQLite itself.
        case memory
    }

    static let mark = "-faulty-"

    /// The plan, and what became of it.
    struct Plan {
        var sort: Sort
        /// Which call fails, from 1 on.
        var call: Int
        /// Whether all later ones fail, too.
        var persists: Bool
        var calls = 0
        var fired = 0
        /// Bytes that were to be written.
        var bytes = 0

        var ofMemory: faulty_memory { .init(call: call, persists: persists, calls: 0, fired: 0) }

        mutating func fails(_ sorts: [Sort]) -> Sort? {
            guard sorts.contains(sort) else { return nil }
            calls += 1
            guard persists ? calls >= call : calls == call else { return nil }
            fired += 1
            return sort
        }
    }

    static let plan = Mutex<Plan?>(nil)

    /// Puts a plan into force, or none, and returns the one before.
    @discardableResult
    static func follow(_ next: Plan?) -> Plan? {
        let memory = faulty_memory_follow(next.map { $0.sort == .memory ? $0.ofMemory : .init() } ?? .init())
        var before = plan.withLock { plan in
            defer { plan = next }
            return plan
        }
        if before?.sort == .memory {
            before?.calls = memory.calls
            before?.fired = memory.fired
        }
        return before
    }

    /// The gate at which syncs of the phones' database wait.
    static let gate = Mutex<Gate?>(nil)

    /// Does something without faults of memory.
    static func withMemory<Result>(_ work: () -> Result) -> Result {
        let plan = faulty_memory_follow(.init())
        defer { _ = faulty_memory_follow(plan) }
        return work()
    }

    static func failing(_ sorts: Sort...) -> Sort? { plan.withLock { $0?.fails(sorts) } }

    /// Makes it the VFS of every database that this process opens from now on.
    static func install() { _ = installed }

    private static let installed: Bool = {
        let faulty = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        faulty.initialize(to: system.pointee)
        faulty.pointee.zName = UnsafePointer(copy("faulty"))
        faulty.pointee.xOpen = { _, name, file, flags, granted in
            let path = name.map { String(cString: $0) } ?? ""
            guard path.contains(FaultyFiles.mark) else {
                return FaultyFiles.system.pointee.xOpen(FaultyFiles.system, name, file, flags, granted)
            }
            if FaultyFiles.failing(.open) != nil {
                file?.pointee.pMethods = nil
                return SQLITE_CANTOPEN
            }
            let code = FaultyFiles.system.pointee.xOpen(FaultyFiles.system, name, file, flags, granted)
            if code == SQLITE_OK, let file { FaultyFiles.wrap(file, isOfPhones: path.contains(".phones")) }
            return code
        }
        return sqlite3_vfs_register(faulty, 1) == SQLITE_OK
    }()

    /// The VFS of the system.
    nonisolated(unsafe) private static let system: UnsafeMutablePointer<sqlite3_vfs> = {
        guard let system = sqlite3_vfs_find(nil) else { preconditionFailure("SQLite has no VFS") }
        return system
    }()

    private static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.utf8.count + 1)
        _ = text.withCString { strcpy(copy, $0) }
        return copy
    }

    /// The functions of the system's VFS for a file; the same for all files.
    nonisolated(unsafe) private static let original = UnsafeMutablePointer<sqlite3_io_methods>.allocate(
        capacity: 1
    )
    /// One of its tables; it has one for databases and one for other files.
    private struct Table: Hashable {
        let address: UInt
        let isOfPhones: Bool
    }

    /// The addresses of copies of its tables with our calls in them.
    private static let tables = Mutex<[Table: UInt]>([:])

    private static func wrap(_ file: UnsafeMutablePointer<sqlite3_file>, isOfPhones: Bool) {
        let own = UInt(bitPattern: file.pointee.pMethods)
        let ours = tables.withLock { tables in
            let key = Table(address: own, isOfPhones: isOfPhones)
            if let known = tables[key] { return known }
            guard let table = UnsafePointer<sqlite3_io_methods>(bitPattern: own) else { return own }
            // The database comes first, and its table alone has shared memory.
            if tables.isEmpty { original.initialize(to: table.pointee) }
            let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            copy.initialize(to: table.pointee)
            fill(copy)
            if isOfPhones { fillForPhones(copy) }
            tables[key] = UInt(bitPattern: copy)
            return UInt(bitPattern: copy)
        }
        file.pointee.pMethods = UnsafePointer(bitPattern: ours)
    }

    private static func fillForPhones(_ methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xSync = { file, flags in
            FaultyFiles.gate.withLock { $0 }?.pass()
            if FaultyFiles.failing(.sync) != nil { return FaultyFiles.ioError(4) }
            return FaultyFiles.original.pointee.xSync(file, flags)
        }
    }

    private static func fill(_ methods: UnsafeMutablePointer<sqlite3_io_methods>) {
        methods.pointee.xRead = { file, bytes, count, place in
            if FaultyFiles.failing(.read) != nil { return FaultyFiles.ioError(1) }
            return FaultyFiles.original.pointee.xRead(file, bytes, count, place)
        }
        methods.pointee.xWrite = { file, bytes, count, place in
            FaultyFiles.plan.withLock { $0?.bytes += Int(count) }
            switch FaultyFiles.failing(.write, .halfWrite, .full) {
            case .full: return SQLITE_FULL
            case .halfWrite:
                _ = FaultyFiles.original.pointee.xWrite(file, bytes, count / 2, place)
                return FaultyFiles.ioError(3)
            case nil: return FaultyFiles.original.pointee.xWrite(file, bytes, count, place)
            default: return FaultyFiles.ioError(3)
            }
        }
        methods.pointee.xSync = { file, flags in
            if FaultyFiles.failing(.sync) != nil { return FaultyFiles.ioError(4) }
            return FaultyFiles.original.pointee.xSync(file, flags)
        }
        methods.pointee.xTruncate = { file, size in
            if FaultyFiles.failing(.truncate) != nil { return FaultyFiles.ioError(6) }
            return FaultyFiles.original.pointee.xTruncate(file, size)
        }
        guard methods.pointee.xShmMap != nil else { return }
        methods.pointee.xShmMap = { file, page, size, extends, result in
            if FaultyFiles.failing(.sharedMemory) != nil {
                result?.pointee = nil
                return FaultyFiles.ioError(21)
            }
            return FaultyFiles.original.pointee.xShmMap(file, page, size, extends, result)
        }
    }

    /// One of SQLite's extended codes, which are macros that Swift does not see.
    private static func ioError(_ sort: Int32) -> Int32 { SQLITE_IOERR | sort << 8 }
}
