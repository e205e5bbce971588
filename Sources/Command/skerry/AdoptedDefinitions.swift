import SkerryDevice
import SkerryFiles
import Synchronization

/// The definitions that come with Skerry, and the kinds among them that a bridge has adopted.
///
/// The kinds are kept in a file beside the store, one in each line.
final class AdoptedDefinitions: Sendable {
    /// The definitions that come with Skerry.
    let shelf: ShippedShelf
    /// Their outlines, of those without errors.
    let candidates: [ShippedShelf.Outline]
    private let file: KeptText?
    private let kinds: Mutex<[String]>

    /// Reads the definitions and the kinds that were adopted before.
    ///
    /// - Parameters:
    ///   - folder: The folder of the definitions that come with Skerry.
    ///   - store: The database of the bridge; nil when nothing is kept.
    ///   - settings: The settings of the bridge.
    /// - Throws: the reason why the definitions can't be read.
    init(_ folder: String, store: String?, for settings: Settings) throws(FileError) {
        shelf = ShippedShelf(folder, for: settings)
        candidates = try shelf.outlines().filter { $0.definition != nil }
        file = Self.file(beside: store)
        kinds = Mutex(Self.kinds(in: file))
    }

    private static func file(beside store: String?) -> KeptText? {
        store.map { KeptText(FileBesideStore.adopted.path(beside: $0), limit: 65_536) }
    }

    private static func kinds(in file: KeptText?) -> [String] {
        (file?.text ?? "").split(separator: "\n").map(String.init)
    }

    /// Returns whether a bridge with this database has adopted a kind.
    static func areKept(beside store: String?) -> Bool {
        !kinds(in: file(beside: store)).isEmpty
    }

    /// Reads the files of the kinds that were adopted; if one of them is missing, also the files with errors, which may be it.
    ///
    /// - Throws: the reason why they can't be read.
    func files() throws(FileError) -> [DefinitionFile] {
        let kinds = kinds.withLock { $0 }
        let isComplete = kinds.allSatisfy { kind in candidates.contains { $0.definition?.kind == kind } }
        return try shelf.files { $0.definition.map { kinds.contains($0.kind) } ?? !isComplete }
    }

    /// Returns whether a kind was adopted.
    func has(_ kind: String) -> Bool { kinds.withLock { $0.contains(kind) } }

    /// Adopts a kind until this process ends.
    func adoptForNow(_ kind: String) {
        kinds.withLock { kinds in if !kinds.contains(kind) { kinds.append(kind) } }
    }

    /// Adopts a kind, also for later starts.
    ///
    /// - Throws: the reason why it can't be kept; then nothing has changed.
    func adopt(_ kind: String) throws(FileError) {
        try change { kinds in if !kinds.contains(kind) { kinds.append(kind) } }
    }

    /// Gives a kind up that was adopted.
    ///
    /// - Throws: the reason why that can't be kept; then nothing has changed.
    func giveUp(_ kind: String) throws(FileError) {
        try change { kinds in kinds.removeAll { $0 == kind } }
    }

    private func change(_ body: (inout [String]) -> Void) throws(FileError) {
        // Written within the lock, or another thread could write an older list last.
        try kinds.withLock { kinds throws(FileError) in
            var changed = kinds
            body(&changed)
            if changed == kinds { return }
            try file?.replace(with: changed.map { $0 + "\n" }.joined())
            kinds = changed
        }
    }
}
