import SkerryActivity
import Testing

@Suite("Links")
struct ActivityLinkTests {
    @Test(
        "The links to a device have its kind and its name in percent-encoding",
        arguments: [
            ("washer/laundry/177", "washer/laundry"), ("washer/Küche 1/177", "washer/K%C3%BCche%201"),
            ("a b/50%/1", "a%20b/50%25"), ("灯/x?y#z/1", "%E7%81%AF/x%3Fy%23z"), ("w/a/b/1", "w/a%2Fb"),
            ("odd", "odd/"),
        ]
    )
    func devices(activity: String, path: String) {
        #expect(ActivityLink.app(ofActivity: activity) == "skerry://\(path)")
        #expect(
            ActivityLink.page(ofActivity: activity, at: "https://h.example")
                == "https://h.example/#/device/\(path)"
        )
    }

    @Test("What no address may contain is encoded, and what separates its parts stays")
    func opened() {
        for link in ["tel:+4930123", "https://h.example/a%20b?q=1&r=[2]#c", "skerry://washer/laundry"] {
            #expect(ActivityLink.opened(link) == link)
        }
        #expect(ActivityLink.opened("https://h/Küche 1/\"x\"") == "https://h/K%C3%BCche%201/%22x%22")
    }

    @Test("A scheme is the app's own in any case of its letters, and as a whole")
    func own() {
        for link in ["skerry://x", "SKERRY:x", "Skerry://"] { #expect(ActivityLink.isOfApp(link)) }
        for link in ["skerryx://x", "skerr:y", "https://skerry/", ""] { #expect(!ActivityLink.isOfApp(link)) }
    }
}
