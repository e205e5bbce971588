import Glibc
import SkerryCommand
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryStore

// The checks of what is on this machine.

extension DoctorCheck {
    static let settings = DoctorCheck("settings", "the settings can be read") { evidence in
        let advice = SettingsEnvironment(ProcessEnvironment.variables).advice
        if let first = advice.first ?? SettingsPlace.advice(evidence.reader) { return .warning(first) }
        return .well(evidence.settings.file ?? "no file: what is set in the environment, and defaults")
    }

    static let secrets = DoctorCheck("secrets", "nobody else reads passwords, tokens and keys") { evidence in
        let reader = evidence.reader
        var files = reader.secrets(.file).map { (setting: $0.name, path: $0.value) }
        if let file = evidence.settings.file,
            let text = reader.secrets(.text).first(where: { reader.isOfFile($0.name) })
        {
            files.append((text.name, file))
        }
        let tokens = evidence.settings.http.options == nil ? [] : evidence.settings.http.tokenPaths()
        for path in tokens where access(path, F_OK) == 0 && !files.contains(where: { $0.path == path }) {
            files.append((SettingKeys.HTTP.adminTokenFile.name, path))
        }
        var open: [(setting: String, path: String)] = []
        for file in files {
            var status = stat()
            guard stat(file.path, &status) == 0 else {
                // The bridge makes a token when it starts.
                if file.setting == SettingKeys.HTTP.adminTokenFile.name, errno == ENOENT { continue }
                return .wrong("\(file.setting): \(file.path): \(String(cString: strerror(errno)))")
            }
            guard access(file.path, R_OK) == 0 else {
                return .wrong(
                    "\(file.setting): \(file.path) can't be read by this user: run this as the user of the bridge, or give it the file"
                )
            }
            if status.st_mode & S_IFMT == S_IFREG, status.st_mode & S_IROTH != 0 { open.append(file) }
        }
        if let first = open.first {
            if first.path == evidence.settings.file {
                return .wrong(
                    "\(first.setting) stands in \(first.path), which everybody on this machine can read: keep it in a file of its own, or in the environment"
                )
            }
            let names = open.map { "\($0.path) (\($0.setting))" }.joined(separator: ", ")
            let command = "chmod o= \(open.map(\.path).joined(separator: " "))"
            // The packaged service runs as a user that owns nothing: what is only for root it can't read.
            let isOfService = open.contains { $0.path.hasPrefix("/etc/") }
            return .wrong(
                "everybody on this machine can read \(names): "
                    + (isOfService ? "name them in LoadCredential= (systemctl edit skerry), then " : "")
                    + command
            )
        }
        return files.isEmpty ? .skipped("no setting has a secret") : .well(count(files.count, "file"))
    }

    static let definitions = DoctorCheck("definitions", "the definitions have no errors") { evidence in
        let (files, ignored): (CompiledFiles, [String])
        switch evidence.definitions {
        case .success(let found): (files, ignored) = found
        case .failure(let fault): return .wrong(fault.text)
        }
        let settings = evidence.settings
        let places = settings.placesOfDefinitions
        if let problem = files.problems.first(where: { $0.severity == .error }) ?? files.problems.first {
            let summary = DiagnosticPrinter.summary(of: files.problems) ?? ""
            let paths = settings.definitions.map(Terminal.shellWord).joined(separator: " ")
            let source = files.files.first { $0.problems.contains(problem) }?.source
            let path = source?.file(of: problem.place).path ?? places
            let text =
                "\(summary), the first: \(path):\(problem.place.line): \(problem.message): skerry check \(paths)"
            return files.hasErrors ? .wrong(text) : .warning(text)
        }
        if let line = ignored.first { return .warning(line) }
        if files.files.isEmpty, !settings.adoptsDefinitions {
            return .wrong(
                "there is none (*.yaml, *.skd) in \(places): put one there, or name 'auto' in the setting definitions"
            )
        }
        return .well("\(count(files.definitions.count, "definition")) in \(places)")
    }

    static let clock = DoctorCheck("clock", "the time of this machine is right") { _ in
        if SystemClock().state == .unknown {
            return .wrong(
                "the clock is not set, and times that are published would be wrong: timedatectl set-ntp true"
            )
        }
        if SystemClock.kernelIsSynchronized() { return .well("synchronized") }
        return .warning(
            "nothing keeps the clock right: timedatectl set-ntp true (a container has the clock of its host)"
        )
    }

    static let folder = DoctorCheck("folder", "the folder of the store has room and can be written to") {
        evidence in
        guard let path = evidence.storePath else {
            return .skipped("nothing is kept over a restart (store.path: none)")
        }
        if evidence.settings.store.isShared { return .skipped("the store is a database of PostgreSQL") }
        let folder = StoreFolder(of: path)
        if let fault = folder.fault { return .wrong(fault) }
        return folder.advice.map { .warning($0) } ?? .well("\(folder.path), \(folder.room) free")
    }

    static let store = DoctorCheck("store", "the store opens") { evidence in
        guard let path = evidence.storePath else {
            return .skipped("nothing is kept over a restart (store.path: none)")
        }
        if !evidence.settings.store.isShared, access(path, F_OK) != 0, errno == ENOENT {
            return .well("not there yet: the bridge makes it")
        }
        do throws(StoreFault) {
            let state = try StoreReading.look(at: path)
            if !evidence.settings.store.isShared {
                try StoreFile.lookAtPhones(of: path)
                if let problem = problem(withDevicesBeside: path) { return .wrong(problem) }
            }
            let waiting = state.publications.count
            let text = "\(count(state.devices.count, "device")), \(count(waiting, "publication")) waiting"
            guard let first = state.setAside.first.map({ "\($0.device)" }) else { return .well(text) }
            return .warning(
                "\(text); \(count(state.setAside.count, "device")) set aside, such as \(first): skerry forget \(Terminal.shellWord(first)) has it start again"
            )
        } catch {
            let remedy = ": restore a backup before the bridge starts, or it begins anew"
            return .wrong(error.message + (error.sort == .damage ? remedy : ""))
        }
    }

    /// The first problem of the names and settings that were chosen on the page; nil if there is none.
    private static func problem(withDevicesBeside store: String) -> String? {
        let file = DevicesFile(FileBesideStore.devices.path(beside: store))
        do throws(FileError) {
            return try file.read().problems.first.map { "\(file.path):\($0.place.line): \($0.message)" }
        } catch {
            return "\(error)"
        }
    }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}

/// The folder in which a store lies, or will lie.
struct StoreFolder {
    /// Less room than this will soon be none.
    private static let scarce: UInt64 = 100 << 20
    /// A commit may need more than this.
    private static let least: UInt64 = 1 << 20

    /// The nearest folder that is there.
    let path: String
    private let store: String

    init(of store: String) {
        var folder = ReplacedFile.folder(of: store)
        while access(folder, F_OK) != 0, errno == ENOENT, folder.contains("/"), folder != "/" {
            folder = ReplacedFile.folder(of: folder)
        }
        path = folder
        self.store = store
    }

    /// The room that a user has there, in bytes; nil if the system does not say.
    private var bytes: UInt64? {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return nil }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    }

    /// The room for people.
    var room: String {
        guard let bytes else { return "some" }
        return bytes >= 1 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
    }

    /// Why a bridge could not keep its store there; nil if it could.
    var fault: String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return "\(path): \(String(cString: strerror(errno)))" }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return "\(path) is no folder: name another store.path"
        }
        guard access(path, W_OK | X_OK) == 0 else {
            return
                "\(path): \(String(cString: strerror(errno))): run this as the user of the bridge, or name a store.path that can be written to"
        }
        if let shortage { return shortage }
        for suffix in ["", "-wal", "-shm", ".lock", ".phones"] {
            var file = stat()
            guard stat(store + suffix, &file) == 0, file.st_uid != status.st_uid else { continue }
            return
                "\(store + suffix) belongs to another user than its folder, as after 'sudo skerry run': chown --reference=\(path) \(store)*"
        }
        return nil
    }

    /// The consequence of a full disk; nil if there is room.
    var shortage: String? {
        guard let bytes, bytes < Self.least else { return nil }
        return "\(path): the disk is full, and no message is accepted any more: make room"
    }

    /// The advice before something goes wrong; nil if nothing is to be done.
    var advice: String? {
        guard let bytes, bytes < Self.scarce else { return nil }
        return "\(path): only \(room) are free: make room before the disk is full"
    }
}
