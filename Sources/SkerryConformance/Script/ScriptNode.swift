/// A part of an expression of ECMAScript.
indirect enum ScriptNode {
    case literal(ScriptValue)
    case name(String)
    case member(ScriptNode, ScriptNode)
    case call(ScriptNode, [ScriptNode])
    case list([ScriptNode])
    case object([(name: String, value: ScriptNode)])
    case unary(String, ScriptNode)
    case binary(String, ScriptNode, ScriptNode)
    case conditional(ScriptNode, ScriptNode, ScriptNode)
}

/// Why a script has no value.
struct ScriptError: Error {
    let message: String
}
