import SkerryActivity
import SkerryDevice
import SkerryFiles
import Testing

/// Who sees what, in definitions and in the configuration file.
@Suite struct AudienceTests {
    /// A definition with an audience and attributes.
    private static func definition(_ audience: String, _ attributes: String) -> CompiledFiles {
        let text = """
            skerry: 1
            kind: order
            sources: [{ topic: "order/{device}", signals: { open: payload.open, who: payload.who } }]
            machine:
              states:
                idle: { always: { guard: open, target: making } }
                making: { always: { guard: "!open", target: idle } }
            activity:
              starts: making
              ends: idle
              attributes: \(attributes)
              audience: \(audience)
              content: { status: who }
            """
        return CompiledFiles([DefinitionFile(path: "order.yaml", bytes: Array(text.utf8))])
    }

    @Test(arguments: [
        ("customer", "{ customer: who }", nil), ("customer", "{ customer: string(who) }", nil),
        ("customer", "{ customer: { value: who, type: string } }", nil),
        ("custmer", "{ customer: who }", "there is no attribute 'custmer'"),
        ("status", "{ customer: who }", "there is no attribute 'status'"),
        (
            "customer", "{ customer: { value: double(who), type: double } }",
            "the attribute 'customer' is no text, and an audience is the name of a person"
        ),
        (
            "customer", "{ customer: size(string(who)) }",
            "the attribute 'customer' is no text, and an audience is the name of a person"
        ),
    ])
    func `the audience of a definition is a text among its attributes`(
        audience: String,
        attributes: String,
        problem: String?
    ) {
        let compiled = Self.definition(audience, attributes)
        let errors = compiled.problems.filter { $0.severity == .error }
        #expect(errors.map(\.message) == [problem].compactMap(\.self))
        if problem == nil { #expect(compiled.definitions.map(\.audience) == ["customer"]) }
    }

    @Test func `a form for one device has the same audience`() {
        let definition = Self.definition("customer", "{ customer: who }").definitions[0]
        var choices = DeviceChoices(device: "17")
        choices.name = "Counter"
        #expect(definition.chosen([choices], since: nil).audience == "customer")
    }

    @Test func `a configuration file says who sees which device`() {
        let file = SettingsFile(
            """
            audience:
              order/17: Ada
              order/*: [Ada, Ben]
              order/none: []
              "*": [Cleo]
            """
        )
        #expect(file.problems.isEmpty)
        let definitions = Self.definition("customer", "{ customer: who }").definitions
        let (policy, problems) = file.audience.policy(for: definitions)
        #expect(problems.isEmpty)
        let kinds = [AudiencePolicy.Kind("order", attribute: "customer")]
        let rules = [
            AudiencePolicy.Rule("order/17", people: ["Ada"]),
            AudiencePolicy.Rule("order/*", people: ["Ada", "Ben"]),
            AudiencePolicy.Rule("order/none", people: []), AudiencePolicy.Rule("*", people: ["Cleo"]),
        ]
        #expect(policy == AudiencePolicy(rules: rules, kinds: kinds))
    }

    @Test func `a configuration file says when it is quiet for whom`() {
        let file = SettingsFile(
            """
            people:
              Ada: { quiet: 22:00-07:00 }
              "*": { quiet: "13:30 - 14:00" }
            """
        )
        #expect(file.problems.isEmpty)
        let hours = file.audience.quietHours.map { "\($0.person ?? "all") \($0.start) \($0.end)" }
        #expect(hours == ["Ada 79200 25200", "all 48600 50400"])
    }

    @Test(arguments: [
        ("people: [Ada]", "'people' must be a mapping, not a list"),
        ("people: { Ada: 22:00-07:00 }", "'Ada' must be a mapping"),
        ("people: { Ada: { quiet: 22:00 } }", "'22:00' is not a time from one time of day to another"),
        ("people: { Ada: { quiet: 22:00-24:00 } }", "'22:00-24:00' is not a time"),
        ("people: { Ada: { quiet: 22:00-22:00 } }", "'22:00-22:00' is not a time"),
        ("people: { Ada: { quite: 22:00-07:00 } }", "quite"),
        ("audience: [Ada]", "'audience' must be a mapping, not a list"),
        ("audience: { order: [Ada] }", "'order' names no device and no kind"),
        ("audience: { order/: [Ada] }", "'order/' names no device and no kind"),
        ("audience: { '*/17': [Ada] }", "'*/17' names no device and no kind"),
        ("audience: { order/+: [Ada] }", "'order/+' names no device and no kind"),
        ("audience: { order/17/x: [Ada] }", "'order/17/x' names no device and no kind"),
        ("audience: { order/17: }", "the people of 'order/17' are missing"),
        ("audience: { order/17: { Ada: true } }", "the people of 'order/17'"),
    ])
    func `a table that can't be read is a problem`(text: String, problem: String) {
        let problems = SettingsFile(text).problems
        #expect(!problems.isEmpty && problems.first?.message.contains(problem) == true, "\(problems)")
    }

    @Test func `a kind without a definition is a problem, unless it may come`() {
        let file = SettingsFile("audience: { ordr/17: [Ada] }")
        let definitions = Self.definition("customer", "{ customer: who }").definitions
        let problems = file.audience.policy(for: definitions).problems
        #expect(problems.map(\.message) == ["there is no definition of the kind 'ordr'"])
        #expect(problems.map(\.remedy) == ["did you mean 'order'?"])
        let later = SettingsFile("audience: { order/17: [Ada] }").audience
        #expect(later.policy(for: [], besides: definitions).problems.isEmpty)
    }
}
