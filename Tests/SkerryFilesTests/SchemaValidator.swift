import Foundation
import Testing

/// The validator of JSON Schema by its own authors, which runs in Python: `apt-get install python3-jsonschema`.
enum SchemaValidator {
    /// A Python that has it; nil when there is none.
    static let python: String? = ["/usr/bin/python3", "/usr/local/bin/python3"].first { path in
        FileManager.default.isExecutableFile(atPath: path)
            && (try? run(path, ["-c", "import jsonschema"], input: Data()))?.status == 0
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
        let ran = try run(python, ["-c", script], input: JSONSerialization.data(withJSONObject: input))
        try #require(ran.status == 0, "\(ran.errors)")
        return try #require(try JSONSerialization.jsonObject(with: ran.output) as? [String: String])
    }

    private static func run(
        _ program: String,
        _ arguments: [String],
        input: Data
    ) throws -> (status: Int32, output: Data, errors: String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("input")
        try input.write(to: file)
        let process = Process()
        let output = Pipe()
        let errors = folder.appendingPathComponent("errors")
        try Data().write(to: errors)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: file)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        let read = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, read, try String(contentsOf: errors, encoding: .utf8))
    }
}
