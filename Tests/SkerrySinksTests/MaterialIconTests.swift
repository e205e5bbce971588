import SkerryDevice
import Testing

@testable import SkerrySinks

@Suite("Icons of Home Assistant")
struct MaterialIconTests {
    @Test("every symbol that islands draw has an icon of its own, not the wheel for unknown ones")
    func allSymbols() {
        let wheel = MaterialIcon.name(ofSymbol: IslandSymbol.fallback)
        let missing = IslandSymbol.systemNames.filter {
            $0 != IslandSymbol.fallback && MaterialIcon.name(ofSymbol: $0) == wheel
        }
        #expect(missing == [])
    }

    @Test(
        "a variant has the icon of its symbol",
        arguments: [
            ("lock.fill", "mdi:lock"), ("lock.open.fill", "mdi:lock-open"),
            ("battery.100.bolt", "mdi:battery-charging"), ("no.such.symbol", "mdi:cog-outline"),
        ]
    )
    func variants(symbol: String, icon: String) {
        #expect(MaterialIcon.name(ofSymbol: symbol) == icon)
    }
}
