import SkerryDevice
import SkerryFiles
public import SkerryGateway
import SkerryValues

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
    /// - Returns: an empty object, or the reason why nothing has changed.
    func take(_ decision: FoundDecision, about device: DeviceKey, name: String?) -> HouseAnswer {
        do throws(HouseProblem) {
            guard sources.shelf().file(ofKind: device.kind) != nil else {
                throw HouseProblem.noDefinition(device.kind)
            }
            try sources.saving.take { () throws(HouseProblem) in try carryOut(decision, device) }
            // Outside of the turn, which it takes itself.
            if decision == .use, let name { try self.name(device, name) }
            return .found(Array("{}".utf8))
        } catch {
            return .problem(error)
        }
    }

    private func carryOut(_ decision: FoundDecision, _ device: DeviceKey) throws(HouseProblem) {
        switch decision {
        case .use:
            try sources.adopt(device.kind)
            guard sources.files().file(ofKind: device.kind) != nil else {
                throw HouseProblem(
                    .conflict,
                    code: "definitions-with-errors",
                    detail:
                        "The definition '\(device.kind)' is not in force, because another one has errors: the log names them."
                )
            }
        case .giveUp: try sources.giveUp(device.kind)
        case .hide, .show:
            do throws(FileError) {
                try sources.hidden.hide(decision == .hide, kind: device.kind, device: device.name)
            } catch {
                throw HouseProblem(.unavailable, code: "not-written", detail: "\(error).")
            }
        }
        sources.wake()
    }

    private func name(_ device: DeviceKey, _ name: String) throws(HouseProblem) {
        do throws(HouseProblem) {
            try SettingsSaving(sources).save(nil, name, of: device)
        } catch {
            // All or nothing: the form with the name is still open.
            try? sources.giveUp(device.kind)
            sources.wake()
            throw error
        }
    }
}

extension HouseProblem {
    /// The bridge neither adopts definitions nor may write any.
    public static func noPlace(forDefinitionOf kind: String) -> HouseProblem {
        HouseProblem(
            .conflict,
            code: "no-place-for-definitions",
            detail:
                "The settings name definitions without 'auto', and do not let the page write into their folder: write "
                + "'definitions: [auto, FOLDER]', or set http.edit: true, or copy the definition '\(kind)' yourself."
        )
    }
}
