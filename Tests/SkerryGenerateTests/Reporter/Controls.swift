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
        let known = buttons.map(\.id) + ["fan/f1/stop/Old / two"]
        let ids = known + ["fan/f1/start", "oven/f1/stop/Attic", "fan"]
        for (told, names) in [
            ([:], ["f1", "f1", "f1", "Old / two"]),
            (["fan/f1": "Attic / left"], Array(repeating: "Attic / left", count: 4)),
        ] {
            SkerryKeychain.store(names: told)
            let found = try await query.entities(for: ids)
            expect(found.map(\.id), known)
            expect(found.map(\.title), ["Pause \"now\"", "Go on", "Stop", "Stop"])
            expect(found.map(\.device), ["f1", "f1", "f1", "f1"])
            expect(found.map(\.name), names)
        }
        // Who holds a locked phone presses no button by a control.
        expect(SkerryEventIntent.authenticationPolicy, .requiresAuthentication)
        expect((try? await query.suggestedEntities())?.count, nil)
        print(failures == 0 ? "all is well" : "\(failures) failures")
    }
}
