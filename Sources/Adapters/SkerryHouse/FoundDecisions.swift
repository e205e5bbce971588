import SkerryFiles
package import SkerryGateway

/// Does what somebody decides about a device that was found.
struct FoundDecisions {
    private let sources: HouseSources

    init(_ sources: HouseSources) {
        self.sources = sources
    }

    /// Takes a decision.
    ///
    /// - Parameters:
    ///   - decision: The decision.
    ///   - device: The device, by a kind that comes with Skerry.
    ///   - name: The name that the device gets with the definition; nil for none.
    /// - Returns: whether the bridge uses a definition that it did not use before, or the reason why nothing has changed.
    func take(_ decision: FoundDecision, about device: DeviceKey, name: String?) -> HouseAnswer {
        do throws(HouseProblem) {
            guard sources.shelf(device.kind).file(ofKind: device.kind) != nil else {
                throw HouseProblem.noDefinition(device.kind)
            }
            if decision == .use, let name { try SettingsSaving(sources).demandName(name, of: device) }
            let isAdded = try sources.saving.take { () throws(HouseProblem) in
                try carryOut(decision, device)
            }
            // Outside of the turn, which it takes itself.
            if decision == .use, let name { try self.name(device, name, isAdded) }
            return .found(Array("{\"added\":\(isAdded)}".utf8))
        } catch {
            return .problem(error)
        }
    }

    /// Does what was decided, and returns whether a definition is in force that was not before.
    private func carryOut(_ decision: FoundDecision, _ device: DeviceKey) throws(HouseProblem) -> Bool {
        // Files are read again even where nothing can be kept, and may have changed.
        defer { sources.wake() }
        switch decision {
        case .use:
            if sources.files().file(ofKind: device.kind) != nil { return false }
            try sources.adopt(device.kind)
            guard sources.files().file(ofKind: device.kind) != nil else {
                throw HouseProblem.definitionsWithErrors("'\(device.kind)' is not in force")
            }
            return true
        case .giveUp: try sources.giveUp(device.kind)
        case .hide, .show:
            try HouseProblem.told { () throws(FileError) in
                try sources.hidden.hide(decision == .hide, kind: device.kind, device: device.name)
            }
        }
        return false
    }

    private func name(_ device: DeviceKey, _ name: String, _ isAdded: Bool) throws(HouseProblem) {
        do throws(HouseProblem) {
            try SettingsSaving(sources).save(nil, name, of: device)
        } catch {
            // All or nothing: the form with the name is still open. What was in force before stays.
            if isAdded {
                try? sources.saving.take { () throws(HouseProblem) in try sources.giveUp(device.kind) }
            }
            sources.wake()
            throw error
        }
    }
}

extension HouseProblem {
    /// A change of the definitions that was taken back.
    static func definitionsWithErrors(_ outcome: String) -> HouseProblem {
        HouseProblem(
            .conflict,
            code: "definitions-with-errors",
            detail: "\(outcome), because the definitions have errors otherwise: the log names them."
        )
    }

    /// The settings name no folder that a definition could be put into.
    static func noFolder(forDefinitionOf kind: String) -> HouseProblem {
        HouseProblem(
            .conflict,
            code: "no-place-for-definitions",
            detail:
                "The settings name no folder of definitions that '\(kind)' could be put into: write "
                + "'definitions: [auto, FOLDER]'."
        )
    }

    /// The bridge neither adopts definitions nor may write any.
    package static func noPlace(forDefinitionOf kind: String) -> HouseProblem {
        HouseProblem(
            .conflict,
            code: "no-place-for-definitions",
            detail:
                "The settings name definitions without 'auto', and do not let the page write into their folder: write "
                + "'definitions: [auto, FOLDER]', or set http.edit: true, or copy the definition '\(kind)' yourself."
        )
    }
}
