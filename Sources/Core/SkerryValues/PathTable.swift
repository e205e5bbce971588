/// One step of a path into a payload: a member of an object, or an element of an array.
public enum PathStep: Equatable, Sendable {
    /// The member of this name, compared by code points.
    case key(String)
    /// The element at this index, counted from 0.
    case index(Int)
    /// The type of what the path leads to, as the last step: an empty map for an object, an empty list for an array, and any
    /// other value itself. It spares a reader that asks for the type alone what may be most of a payload.
    case shape

    /// Returns whether both name the same member or element; keys compare by code points.
    public static func == (left: PathStep, right: PathStep) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)): left.hasSameCodePoints(as: right)
        case (.index(let left), .index(let right)): left == right
        case (.shape, .shape): true
        case (.key, _), (.index, _), (.shape, _): false
        }
    }
}

/// The paths that a definition's expressions read from one kind of payload, each under a small number.
///
/// The compiler of expressions fills it when a definition is loaded; `PayloadPlan` reads payloads by it.
public struct PathTable: Sendable {
    /// The paths; the position of a path is its number, and an empty path stands for the whole payload.
    public private(set) var paths: [[PathStep]] = []

    /// The number of different paths that a table can hold.
    public static let capacity = Int(UInt16.max)

    /// Makes an empty table.
    public init() {}

    /// The number of a path, the same for the same path.
    ///
    /// - Precondition: fewer than `capacity` paths are in the table, or the path is among them.
    public mutating func intern(_ path: [PathStep]) -> UInt16 {
        if let known = paths.firstIndex(of: path) { return UInt16(known) }
        precondition(paths.count < PathTable.capacity, "too many paths")
        paths.append(path)
        return UInt16(paths.count - 1)
    }
}
