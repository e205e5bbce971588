/// The course of the sun over one day, by the algorithm of the Solar Calculator of NOAA, which follows Jean Meeus,
/// Astronomical Algorithms.
///
/// It agrees with almanacs within a minute between the polar circles. Only basic arithmetic and square roots are used, so
/// that every platform finds the same second.
struct Sun {
    /// The Unix time at which its upper edge appears, in seconds; nil when it does not on this day.
    let rise: Int64?
    /// The Unix time at which its upper edge disappears, in seconds; nil when it does not on this day.
    let set: Int64?

    /// The zenith angle of a rising or setting sun: half its disc, and the refraction of the air, beyond 90 degrees.
    private static let zenith = 90.833
    /// The time in which the earth turns by one degree.
    private static let secondsPerDegree = 240.0

    /// Finds the times of the solar day whose noon is nearest to a moment.
    init(at place: Location.Coordinates, on noon: Int64) {
        let moment = Double(noon)
        let mean = Self.secondsPerDegree * (180 - place.longitude)
        let days = ((moment - mean) / 86_400).rounded()
        let solarNoon = days * 86_400 + mean
        rise = Self.crossing(solarNoon, place, side: -1)
        set = Self.crossing(solarNoon, place, side: 1)
    }

    /// The time before or after noon at which the sun crosses the horizon, from its position first at noon, then then.
    private static func crossing(_ noon: Double, _ place: Location.Coordinates, side: Double) -> Int64? {
        var moment = noon
        for _ in 0..<3 {
            let position = Position(at: moment)
            guard let angle = position.hourAngle(ofZenith: zenith, latitude: place.latitude) else {
                return nil
            }
            moment = noon - position.equationOfTime * secondsPerDegree + side * angle * secondsPerDegree
        }
        return Int64(moment.rounded())
    }

    /// The position of the sun at a moment, with all angles in degrees.
    private struct Position {
        /// The sine of the declination.
        let declination: Double
        /// The lead of the true sun before the mean sun, as an angle.
        let equationOfTime: Double

        init(at unixSeconds: Double) {
            // Julian centuries since 2000-01-01T12:00:00Z.
            let t = (unixSeconds / 86_400 - 10_957.5) / 36_525
            let meanLongitude = 280.46646 + t * (36000.76983 + t * 0.0003032)
            let anomaly = 357.52911 + t * (35999.05029 - 0.0001537 * t)
            let eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
            let centre =
                sine(anomaly) * (1.914602 - t * (0.004817 + 0.000014 * t))
                + sine(2 * anomaly) * (0.019993 - 0.000101 * t) + sine(3 * anomaly) * 0.000289
            let node = 125.04 - 1934.136 * t
            let longitude = meanLongitude + centre - 0.00569 - 0.00478 * sine(node)
            let meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
            let obliquity = meanObliquity + 0.00256 * cosine(node)
            declination = sine(obliquity) * sine(longitude)
            let tangent = sine(obliquity / 2) / cosine(obliquity / 2)
            let y = tangent * tangent
            let equation =
                y * sine(2 * meanLongitude) - 2 * eccentricity * sine(anomaly)
                + 4 * eccentricity * y * sine(anomaly) * cosine(2 * meanLongitude)
                - 0.5 * y * y * sine(4 * meanLongitude)
                - 1.25 * eccentricity * eccentricity * sine(2 * anomaly)
            equationOfTime = equation * 180 / .pi
        }

        /// The angle between noon and the moment at which the sun has this zenith angle; nil when it never has.
        func hourAngle(ofZenith zenith: Double, latitude: Double) -> Double? {
            let breadth = cosine(latitude) * (1 - declination * declination).squareRoot()
            let ratio = (cosine(zenith) - sine(latitude) * declination) / breadth
            return (-1...1).contains(ratio) ? arccosine(ratio) : nil
        }
    }
}

/// The sine of an angle in degrees.
private func sine(_ degrees: Double) -> Double {
    // A quarter of a turn around zero, where the series converges at once.
    let turned = degrees - (degrees / 360).rounded() * 360
    let folded = turned > 90 ? 180 - turned : turned < -90 ? -180 - turned : turned
    let x = folded * .pi / 180
    var term = x
    var sum = x
    var n = 1.0
    while n < 21 {
        term *= -x * x / ((n + 1) * (n + 2))
        sum += term
        n += 2
    }
    return sum
}

/// The cosine of an angle in degrees.
private func cosine(_ degrees: Double) -> Double { sine(degrees + 90) }

/// The angle from 0 to 180 degrees with this cosine, found by halving.
private func arccosine(_ value: Double) -> Double {
    var (low, high) = (0.0, 180.0)
    for _ in 0..<40 {
        let middle = (low + high) / 2
        if cosine(middle) > value { low = middle } else { high = middle }
    }
    return (low + high) / 2
}
