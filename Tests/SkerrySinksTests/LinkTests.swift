import SkerryValues
import Testing

@testable import SkerrySinks

/// What a touch opens in the apps of others.
@Suite("Links of further services")
struct LinkTests {
    static let services: [(name: String, service: SinkService, link: @Sendable (SinkRequest) -> Value?)] = [
        ("Home Assistant", SinkBench.homeAssistant, { $0.data["url"] }),
        ("ntfy", SinkBench.ntfy, { $0.members["click"] }),
        ("Firebase", SinkBench.fcm, { $0.messageData["link"] }),
    ]

    @Test(
        "it is the definition's link, unless only an app of the household opens that: then it is the page",
        arguments: services.indices
    )
    func links(index: Int) {
        let (name, service, link) = Self.services[index]
        func opens(
            _ chosen: String?,
            _ device: String = "laundry",
            page: String? = "https://h.example"
        ) -> String {
            var layouts = SinkBench.layouts
            layouts.page = page
            var bench = SinkBench(service, layouts)
            bench.show("Running", rev: 1, device: device, link: chosen)
            guard case .string(let text)? = bench.send().first.flatMap(link) else { return "none" }
            return text
        }
        #expect(opens("tel:4711") == "tel:4711", "\(name)")
        #expect(opens("https://other.example", page: nil) == "https://other.example")
        #expect(opens(nil) == "https://h.example/#/device/washer/laundry")
        #expect(opens("skerry://washer/laundry") == "https://h.example/#/device/washer/laundry")
        #expect(opens(nil, "Küche 1") == "https://h.example/#/device/washer/K%C3%BCche%201")
        #expect(opens(nil, page: nil) == "none" && opens("skerry://x", page: nil) == "none")
    }
}
