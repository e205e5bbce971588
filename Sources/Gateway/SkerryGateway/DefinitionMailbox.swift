public import SkerryDevice
import Synchronization

/// Hands definitions over to a bridge while it runs, from any thread.
///
/// The bridge looks into it when it is woken, so call ``Bus/wake()`` after adding something.
public final class DefinitionMailbox: Sendable {
    /// The contents to hand over.
    enum Letter: Sendable {
        /// The definitions from now on.
        case definitions([Definition])
        /// Definitions or settings that can't be used, and why.
        case refusal(LogID, String)
    }

    private let letters = Mutex<[Letter]>([])

    /// Makes an empty mailbox.
    public init() {}

    /// Puts definitions in that take the place of all there are.
    ///
    /// A definition that has not changed must be the same object as before: nothing happens to its devices.
    public func put(_ definitions: [Definition]) {
        letters.withLock { $0.append(.definitions(definitions)) }
    }

    /// Reports that changed definitions, or what was set for their devices, can't be used: the present ones stay in force.
    package func refuse(_ reason: String, as id: LogID = .definitionsRefused) {
        letters.withLock { $0.append(.refusal(id, reason)) }
    }

    /// Takes everything out, in the order in which it was put in.
    func takeAll() -> [Letter] {
        letters.withLock { letters in
            defer { letters = [] }
            return letters
        }
    }
}
