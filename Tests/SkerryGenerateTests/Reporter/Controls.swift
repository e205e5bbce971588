// The buttons from which a person chooses those of controls.

import Foundation
import Security

@main
@MainActor
struct Controls {
    static func main() async throws {
        let laundry = SkerryDevice(kind: "fan", device: "f1", name: "Attic / left")
        let buttons = SkerryButton.choices.map { SkerryButton($0, of: laundry) }
        expect(buttons.map(\.event), ["pause.long", "resume", "stop"])
        // The id is all that iOS keeps: with it a control shows its button while the gateway is out of reach.
        let query = SkerryButtonQuery()
        let ids = buttons.map(\.id) + ["fan/f1/start/Attic", "oven/f1/stop/Attic", "fan"]
        let found = try await query.entities(for: ids)
        expect(found.map(\.id), buttons.map(\.id))
        expect(found.map(\.title), ["Pause \"now\"", "Go on", "Stop"])
        expect(found.map(\.device), ["f1", "f1", "f1"])
        expect(found.map(\.name), ["Attic / left", "Attic / left", "Attic / left"])
        // Who holds a locked phone presses no button by a control.
        expect(SkerryEventIntent.authenticationPolicy, .requiresAuthentication)
        expect((try? await query.suggestedEntities())?.count, nil)
        print(failures == 0 ? "all is well" : "\(failures) failures")
    }
}
