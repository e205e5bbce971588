import Foundation
import Testing

/// The validator of JSON Schema by its own authors, which runs in Python: `apt-get install python3-jsonschema`.
enum SchemaValidator {
    /// A Python that has it; nil when there is none.
    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        (try? OtherProgram.run(path, ["-c", "import jsonschema"], input: Data()))?.status == 0
    }

    /// The documents that a schema refuses, each with the first reason.
    static func refused(_ documents: [String: Any], by schema: [UInt8]) throws -> [String: String] {
        try ask(
            """
            validator = jsonschema.Draft7Validator(schema)
            for name, document in given.items():
                for error in validator.iter_errors(document):
                    answer[name] = error.message
            """,
            schema,
            documents
        )
    }

    /// The examples in a schema that the schema itself refuses, each with the reason.
    static func refusedExamples(in schema: [UInt8]) throws -> [String: String] {
        try ask(
            """
            def walk(node, path):
                if isinstance(node, dict):
                    for example in node.get("examples", []) if "description" in node else []:
                        part = dict(node, definitions=schema["definitions"])
                        for error in jsonschema.Draft7Validator(part).iter_errors(example):
                            answer[path + ": " + json.dumps(example)] = error.message
                    for key, child in node.items():
                        if key != "examples":
                            walk(child, path + "/" + key)
            jsonschema.Draft7Validator.check_schema(schema)
            walk(schema, "")
            """,
            schema,
            [:]
        )
    }

    private static func ask(
        _ question: String,
        _ schema: [UInt8],
        _ documents: [String: Any]
    ) throws -> [String: String] {
        let script = """
            import json, sys, jsonschema
            asked = json.load(sys.stdin)
            schema, given, answer = asked["schema"], asked["given"], {}
            \(question)
            json.dump(answer, sys.stdout)
            """
        let input: [String: Any] = [
            "schema": try JSONSerialization.jsonObject(with: Data(schema)), "given": documents,
        ]
        let python = try #require(python)
        let data = try JSONSerialization.data(withJSONObject: input)
        let ran = try OtherProgram.run(python, ["-c", script], input: data)
        try #require(ran.status == 0, "\(ran.errors)")
        return try #require(try JSONSerialization.jsonObject(with: ran.output) as? [String: String])
    }
}
