import SkerryGateway

/// The house of a gateway that stands by: it has numbers of its process, and no devices.
struct StandbyHouse: HouseAnswers {
    /// Adds the numbers.
    let measure: @Sendable (inout MetricsText) -> Void

    func ask(_ question: HouseQuestion, for viewer: Viewer, then: @escaping @Sendable (HouseAnswer) -> Void) {
        if case .metrics = question {
            var text = MetricsText()
            measure(&text)
            return then(.found(Array(text.text.utf8)))
        }
        then(
            .problem(
                HouseProblem(
                    .unavailable,
                    code: "standby",
                    detail: "This gateway stands by: another one has the devices."
                )
            )
        )
    }
}
