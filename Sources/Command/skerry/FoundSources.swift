import SkerryDashboard
import SkerryDevice
import SkerryFiles
import SkerryGateway
import SkerryHouse
import SkerryValues
import Synchronization

extension HouseSources {
    /// Lets an administrator use definitions that come with Skerry for devices that were found.
    ///
    /// A bridge that adopts definitions by itself notes the kind beside its database; for any other, the definition is copied into
    /// the folder of its definitions.
    ///
    /// - Parameters:
    ///   - settings: The settings of the bridge.
    ///   - feed: The definitions of the bridge.
    ///   - store: The database, beside which it is kept which devices are hidden, and how the page shows the others; nil to keep nothing.
    mutating func offerDefinitions(_ settings: Settings, _ feed: DefinitionFeed, store: String?) {
        let shipped = feed.adopted?.shelf ?? ShippedShelf(ShippedDefinitions.folder, for: settings)
        readDefinitions = { feed.readNow() }
        shelf = { shipped.definitions(ofKind: $0) }
        hidden = HiddenDevices(store.map(FileBesideStore.hidden.path))
        cards = CardBook(store.map(FileBesideStore.cards.path))
        adoptsByItself = feed.adopted != nil
        if adoptsByItself {
            adopt = { kind throws(HouseProblem) in
                try HouseProblem.told { () throws(FileError) in try feed.adoptNow(kind) }
                // Where other definitions have errors, it must not come with a later start either.
                if !feed.hasKind(kind) { try? feed.giveUp(kind) }
            }
            giveUp = { kind throws(HouseProblem) in
                try HouseProblem.told { () throws(FileError) in try feed.giveUp(kind) }
            }
            return
        }
        let copies = DefinitionCopies(settings.definitions)
        let mayWrite = settings.http.options?.allowsEditing ?? false
        adopt = { kind throws(HouseProblem) in
            guard mayWrite else { throw HouseProblem.noPlace(forDefinitionOf: kind) }
            let copy = try HouseProblem.told { () throws(FileError) in
                try copies.write(kind, of: shipped)
            }
            feed.readNow()
            guard let copy, !feed.hasKind(kind) else { return }
            try HouseProblem.told { () throws(FileError) in try RemovedFile.remove(copy) }
            feed.readNow()
        }
        giveUp = { kind throws(HouseProblem) in
            guard mayWrite else { throw HouseProblem.noPlace(forDefinitionOf: kind) }
            try HouseProblem.told { () throws(FileError) in try copies.remove(kind, of: shipped) }
            feed.readNow()
        }
    }
}

/// Copies of definitions in the folder of a bridge's own.
private struct DefinitionCopies: Sendable {
    private let paths: [String]

    init(_ paths: [String]) {
        self.paths = paths
    }

    private func folder() throws(FileError) -> String {
        for path in paths where DefinitionFiles.folders([path]).contains(path) { return path }
        throw FileError(path: paths.joined(separator: ", "), reason: "no folder to copy a definition to")
    }

    /// Writes a definition and those that it extends; files that are there are left as they are.
    ///
    /// - Returns: the copy of the definition; nil if it was there.
    func write(_ kind: String, of shelf: ShippedShelf) throws(FileError) -> String? {
        let folder = try folder()
        guard let file = shelf.definitions(ofKind: kind).first?.source else { return nil }
        var last: String?
        for (path, text) in file.bases.map({ ($0.path, $0.text) }) + [(file.path, file.text)] {
            let copy = Self.copy(of: path, in: folder)
            last = (try? DefinitionFiles.read(copy)) == nil ? copy : nil
            if last != nil { try NewFile.write(text, to: copy) }
        }
        return last
    }

    /// Removes a copy that nobody has changed; what it extends stays.
    func remove(_ kind: String, of shelf: ShippedShelf) throws(FileError) {
        guard let file = shelf.definitions(ofKind: kind).first?.source else { return }
        let copy = Self.copy(of: file.path, in: try folder())
        guard try DefinitionFiles.read(copy).text.hasSameCodePoints(as: file.text) else {
            throw FileError(path: copy, reason: "somebody has changed it, so it is left as it is")
        }
        try RemovedFile.remove(copy)
    }

    private static func copy(of path: String, in folder: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return folder + (folder.hasSuffix("/") ? "" : "/") + name
    }
}
