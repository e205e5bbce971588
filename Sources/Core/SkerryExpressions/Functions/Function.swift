/// The standard functions, the extensions, and the functions of this project.
enum Function: UInt8, Sendable {
    case size, dyn, type
    case toBool, toInt, toUint, toDouble, toString, toBytes, toTimestamp, toDuration
    case seconds, minutes, hours
    case contains, startsWith, endsWith, matches
    case charAt, indexOf, lastIndexOf, join, lowerAscii, upperAscii, quote, replace, split, substring, trim
    case reverse, format
    case getFullYear, getMonth, getDayOfYear, getDayOfMonth, getDate, getDayOfWeek
    case getHours, getMinutes, getSeconds, getMilliseconds
    case greatest, least, ceil, floor, round, trunc, abs, sign, isNaN, isInf, isFinite, sqrt
    case bitAnd, bitOr, bitXor, bitNot, bitShiftLeft, bitShiftRight
    case base64Encode, base64Decode
    case optionalOf, optionalNone, optionalOfNonZero, optionalUnwrap, hasValue, value, or, orValue
    case first, last
    case json, clock, sum, asSeconds
    case getClock
}

/// One way to call a function.
struct Overload: Sendable {
    var name: String
    /// True if the first parameter is written before the dot.
    var isMethod: Bool
    var function: Function
    var parameters: [ExpressionType]
    var result: ExpressionType

    init(
        method name: String,
        _ function: Function,
        _ parameters: [ExpressionType],
        _ result: ExpressionType
    ) {
        self.init(name: name, isMethod: true, function: function, parameters: parameters, result: result)
    }

    init(_ name: String, _ function: Function, _ parameters: [ExpressionType], _ result: ExpressionType) {
        self.init(name: name, isMethod: false, function: function, parameters: parameters, result: result)
    }

    private init(
        name: String,
        isMethod: Bool,
        function: Function,
        parameters: [ExpressionType],
        result: ExpressionType
    ) {
        self.name = name
        self.isMethod = isMethod
        self.function = function
        self.parameters = parameters
        self.result = result
    }

    /// The form of the call, such as `string.contains(string)`.
    var description: String {
        var text = name + "("
        var rest = parameters[...]
        if isMethod, let target = rest.popFirst() { text = target.description + "." + text }
        for (position, parameter) in rest.enumerated() {
            text += (position > 0 ? ", " : "") + parameter.description
        }
        return text + ")"
    }
}

extension Overload {
    /// Every way to call every function.
    static let all = general + conversions + texts + textExtensions + times + mathematics + optionals

    private static let anyList = ExpressionType.list(.dyn)
    private static let anyMap = ExpressionType.map(.dyn, .dyn)
    private static let anyOptional = ExpressionType.optional(.dyn)

    private static let general: [Overload] =
        [.string, .bytes, anyList, anyMap].flatMap {
            [Overload("size", .size, [$0], .int), Overload(method: "size", .size, [$0], .int)]
        } + [
            Overload("dyn", .dyn, [.dyn], .dyn),
            Overload("type", .type, [.dyn], .type),
            Overload("base64.encode", .base64Encode, [.bytes], .string),
            Overload("base64.decode", .base64Decode, [.string], .bytes),
        ]

    private static let conversions: [Overload] =
        single("bool", .toBool, from: [.bool, .string], .bool)
        + single("int", .toInt, from: [.int, .uint, .double, .string, .timestamp], .int)
        + single("uint", .toUint, from: [.uint, .int, .double, .string], .uint)
        + single("double", .toDouble, from: [.double, .int, .uint, .string], .double)
        + single(
            "string",
            .toString,
            from: [.string, .bool, .int, .uint, .double, .bytes, .timestamp, .duration],
            .string
        )
        + single("bytes", .toBytes, from: [.bytes, .string, .list(.int)], .bytes)
        + single("timestamp", .toTimestamp, from: [.timestamp, .string, .int], .timestamp)
        + [Overload("timestamp", .toTimestamp, [.string, .string], .timestamp)]
        + single("duration", .toDuration, from: [.duration, .string], .duration)
        + single("clock", .clock, from: [.string], .duration)
        + single("json", .json, from: [.string], .dyn)
        + single("seconds", .seconds, from: [.int, .uint, .double, .string], .duration)
        + single("minutes", .minutes, from: [.int, .uint, .double, .string], .duration)
        + single("hours", .hours, from: [.int, .uint, .double, .string], .duration)

    private static func single(
        _ name: String,
        _ function: Function,
        from types: [ExpressionType],
        _ result: ExpressionType
    ) -> [Overload] {
        types.map { Overload(name, function, [$0], result) }
    }

    private static let texts: [Overload] = [
        Overload(method: "contains", .contains, [.string, .string], .bool),
        Overload(method: "startsWith", .startsWith, [.string, .string], .bool),
        Overload(method: "endsWith", .endsWith, [.string, .string], .bool),
        Overload(method: "matches", .matches, [.string, .string], .bool),
        Overload("matches", .matches, [.string, .string], .bool),
    ]

    private static let textExtensions: [Overload] = [
        Overload(method: "charAt", .charAt, [.string, .int], .string),
        Overload(method: "indexOf", .indexOf, [.string, .string], .int),
        Overload(method: "indexOf", .indexOf, [.string, .string, .int], .int),
        Overload(method: "lastIndexOf", .lastIndexOf, [.string, .string], .int),
        Overload(method: "lastIndexOf", .lastIndexOf, [.string, .string, .int], .int),
        Overload(method: "join", .join, [.list(.string)], .string),
        Overload(method: "join", .join, [.list(.string), .string], .string),
        Overload(method: "lowerAscii", .lowerAscii, [.string], .string),
        Overload(method: "upperAscii", .upperAscii, [.string], .string),
        Overload("strings.quote", .quote, [.string], .string),
        Overload(method: "replace", .replace, [.string, .string, .string], .string),
        Overload(method: "replace", .replace, [.string, .string, .string, .int], .string),
        Overload(method: "split", .split, [.string, .string], .list(.string)),
        Overload(method: "split", .split, [.string, .string, .int], .list(.string)),
        Overload(method: "substring", .substring, [.string, .int], .string),
        Overload(method: "substring", .substring, [.string, .int, .int], .string),
        Overload(method: "trim", .trim, [.string], .string),
        Overload(method: "reverse", .reverse, [.string], .string),
        Overload(method: "format", .format, [.string, anyList], .string),
    ]

    private static let times: [Overload] =
        [
            ("getFullYear", .getFullYear), ("getMonth", .getMonth), ("getDayOfYear", .getDayOfYear),
            ("getDayOfMonth", .getDayOfMonth), ("getDate", .getDate), ("getDayOfWeek", .getDayOfWeek),
            ("getHours", .getHours), ("getMinutes", .getMinutes), ("getSeconds", .getSeconds),
            ("getMilliseconds", .getMilliseconds),
        ].flatMap { (name: String, function: Function) in
            [
                Overload(method: name, function, [.timestamp], .int),
                Overload(method: name, function, [.timestamp, .string], .int),
            ]
        }
        + [
            Overload(method: "getClock", .getClock, [.timestamp], .string),
            Overload(method: "getClock", .getClock, [.timestamp, .string], .string),
        ]
        + [
            ("getHours", .getHours), ("getMinutes", .getMinutes), ("getSeconds", .getSeconds),
            ("getMilliseconds", .getMilliseconds),
        ].map { (name: String, function: Function) in
            Overload(method: name, function, [.duration], .int)
        } + [Overload(method: "asSeconds", .asSeconds, [.duration], .double)]

    private static let mathematics: [Overload] =
        rounding + numbers + bits + [Overload(method: "sum", .sum, [anyList], .dyn)]

    private static let rounding: [Overload] =
        single("math.ceil", .ceil, from: [.double], .double)
        + single("math.floor", .floor, from: [.double], .double)
        + single("math.round", .round, from: [.double], .double)
        + single("math.trunc", .trunc, from: [.double], .double)
        + single("math.isNaN", .isNaN, from: [.double], .bool)
        + single("math.isInf", .isInf, from: [.double], .bool)
        + single("math.isFinite", .isFinite, from: [.double], .bool)

    private static let numbers: [Overload] =
        single("math.sqrt", .sqrt, from: [.double, .int, .uint], .double)
        + [.int, .uint, .double].flatMap {
            [Overload("math.abs", .abs, [$0], $0), Overload("math.sign", .sign, [$0], $0)]
        }

    private static let bits: [Overload] = [.int, .uint].flatMap {
        [
            Overload("math.bitAnd", .bitAnd, [$0, $0], $0),
            Overload("math.bitOr", .bitOr, [$0, $0], $0),
            Overload("math.bitXor", .bitXor, [$0, $0], $0),
            Overload("math.bitNot", .bitNot, [$0], $0),
            Overload("math.bitShiftLeft", .bitShiftLeft, [$0, .int], $0),
            Overload("math.bitShiftRight", .bitShiftRight, [$0, .int], $0),
        ]
    }

    private static let optionals: [Overload] = [
        Overload("optional.of", .optionalOf, [.dyn], anyOptional),
        Overload("optional.none", .optionalNone, [], anyOptional),
        Overload("optional.ofNonZeroValue", .optionalOfNonZero, [.dyn], anyOptional),
        Overload("optional.unwrap", .optionalUnwrap, [.list(anyOptional)], anyList),
        Overload(method: "unwrapOpt", .optionalUnwrap, [.list(anyOptional)], anyList),
        Overload(method: "hasValue", .hasValue, [anyOptional], .bool),
        Overload(method: "value", .value, [anyOptional], .dyn),
        Overload(method: "or", .or, [anyOptional, anyOptional], anyOptional),
        Overload(method: "orValue", .orValue, [anyOptional, .dyn], .dyn),
        Overload(method: "first", .first, [anyList], anyOptional),
        Overload(method: "last", .last, [anyList], anyOptional),
    ]
}
