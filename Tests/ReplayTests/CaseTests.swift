import SkerryActivity
import SkerryEngine
import SkerryFiles
import SkerryValues
import Testing

/// Faults that owners of devices have reported, each with what is right.
@Suite("Cases from the field", .enabled(if: Files.hasCases, "../shared/cases is not there"))
struct CaseTests {
    /// What people are told in a case: the updates of one kind, in order.
    private struct Told {
        var updates: [ActivityUpdate]

        init(_ name: String, _ kind: String) throws {
            let playback = Playback(try Files.messages(of: name), Files.devices)
            updates = playback.updates.filter { $0.effect.kind == kind }.map(\.update)
        }

        var runs: Int { updates.count { $0.kind == .started } }
        var alerts: [ActivityUpdate] { updates.filter { $0.alert != nil } }

        /// The seconds of a countdown's `member`, of all updates that have it.
        func seconds(_ timer: String, _ member: String) -> [Int64] {
            updates.compactMap { update in
                guard case .map(let time)? = update.content[timer], case .int(let second)? = time[member]
                else { return nil }
                return second
            }
        }

        /// The numbers of a field, of all updates that have it.
        func numbers(_ field: String) -> [Double] {
            updates.compactMap { update in
                switch update.content[field] {
                case .double(let number): number
                case .int(let number): Double(number)
                default: nil
                }
            }
        }
    }

    private static func moment(_ text: String) throws -> Timestamp { try #require(RecordingTime.parse(text)) }

    @Test("the end of a print goes unheard, and temperatures go on: it is over within an hour")
    func printerEndUnheard() throws {
        let told = try Told("printer-end-unheard", "printer-bambu")
        #expect(told.runs == 1)
        let last = try #require(told.updates.last)
        #expect(last.phase == .ended)
        #expect(last.at <= (try Self.moment("2026-03-01T11:02:00Z")))
        #expect(told.alerts.isEmpty)
    }

    @Test("two jobs with the same task are two, states of milliseconds and a calibration none")
    func printerJobs() throws {
        let twice = try Told("printer-same-key", "printer-bambu")
        #expect(twice.runs == 2 && twice.alerts.count == 2)
        #expect(try Told("printer-flaps", "printer-bambu").updates.isEmpty)
        #expect(try Told("printer-calibration", "printer-bambu").alerts.isEmpty)
    }

    @Test("a charger that says that it charges, and nothing flows, is paused")
    func chargerSaysCharging() throws {
        let told = try Told("charger-says-charging", "charger-goe")
        #expect(told.runs == 1 && told.alerts.isEmpty)
        let paused = try #require(told.updates.first { $0.state == "paused" })
        #expect(paused.at <= (try Self.moment("2026-03-01T10:40:00Z")))
        #expect(told.updates.filter { $0.at > paused.at }.allSatisfy { $0.state != "charging" })
    }

    @Test("the energy of the last charge is never shown as that of this one")
    func chargerOldEnergy() throws {
        let told = try Told("charger-old-energy", "charger-openevse")
        #expect(told.runs == 1)
        let energy = told.numbers("energy")
        #expect(!energy.isEmpty && energy.allSatisfy { $0 < 8 }, "\(energy)")
    }

    @Test("what is shown of a charge is never older than a quarter of an hour")
    func chargerValuesStand() throws {
        let told = try Told("charger-values-stand", "charger-evcc")
        #expect(told.runs == 1 && told.alerts.count == 1)
        // A difference may begin some minutes after an update.
        let moments = told.updates.map(\.at)
        for (one, next) in zip(moments, moments.dropFirst()) {
            #expect(next - one <= .minutes(18), "\(one) \(next)")
        }
    }

    @Test("a charge that stops with each cloud is one that pauses")
    func carClouds() throws {
        let told = try Told("car-clouds", "car-teslamate")
        #expect(told.runs <= 2 && told.alerts.count <= 2, "\(told.runs) \(told.alerts.count)")
    }

    @Test("a plug that is switched off for an hour is no end")
    func pausedByPlug() throws {
        let told = try Told("dishwasher-paused-by-plug", "washer-plug")
        #expect(told.runs == 1 && told.alerts.isEmpty)
        #expect(told.updates.map(\.state).starts(with: ["washing", "cut", "washing"]))
    }

    @Test("a dishwasher is done when it falls to what it drew before")
    func dishwasherStandby() throws {
        let told = try Told("dishwasher-standby", "dishwasher-plug")
        let alert = try #require(told.alerts.first)
        #expect(told.runs == 1 && told.alerts.count == 1)
        #expect(alert.at <= (try Self.moment("2026-03-01T08:20:00Z")))
    }

    @Test("numbers that no plug can carry are none")
    func kettleSentinel() throws {
        let told = try Told("kettle-sentinel", "kettle-plug")
        #expect(told.runs == 1 && told.alerts.count == 1)
    }

    @Test("a plug that says nothing while nothing changes goes on, and an old status ends no countdown")
    func plugs() throws {
        let constant = try Told("plug-constant-power", "heat-pump-plug")
        #expect(constant.runs == 1)
        #expect(constant.updates.contains { $0.kind == .fresh })
        let old = try Told("plug-old-status", "plug-shelly")
        #expect(old.runs == 1)
        #expect(old.seconds("pulse", "end").allSatisfy { $0 == 1_772_352_360 })
    }

    @Test("a dryer that says Run until its door is opened is done when it is dry")
    func dryerRunUntilDoor() throws {
        let told = try Told("dryer-run-until-door", "dryer")
        #expect(told.runs == 1 && told.alerts.count == 1)
        #expect(told.alerts.first?.at == (try Self.moment("2026-03-01T08:01:30Z")))
    }

    @Test("hcpy with a topic for each value, and a start that is told in seconds alone")
    func homeConnect() throws {
        let told = try Told("hcpy-topic-per-value", "dishwasher")
        #expect(told.runs == 1)
        #expect(told.seconds("cycle", "end").first == 1_772_355_660)
        let delayed = try Told("washer-start-in", "washer")
        #expect(delayed.runs == 1 && delayed.alerts.isEmpty)
        let start = try #require(delayed.seconds("start", "end").first)
        #expect(abs(start - 1_772_365_980) <= 60, "\(start)")
    }

    @Test("the words of other washing machines")
    func washerOtherWords() throws {
        let told = try Told("washer-other-words", "washer-lg")
        #expect(told.runs == 1 && told.alerts.count == 1)
        #expect(told.alerts.first?.at == (try Self.moment("2026-03-01T08:05:00Z")))
    }

    @Test("a valve that its gateway can't reach stands still, and one with two outlets is two")
    func valves() throws {
        let lost = try Told("valve-radio-lost", "valve-linktap")
        #expect(Set(lost.seconds("water", "end")) == [1_772_352_180])
        #expect(lost.updates.last?.phase == .ended)
        let outlets = try Told("valve-two-outlets", "valve-zigbee2mqtt")
        #expect(outlets.runs == 1)
        #expect(outlets.seconds("water", "end").first == 1_772_352_600)
    }
}
