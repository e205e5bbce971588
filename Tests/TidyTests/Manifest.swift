/// The targets that the manifests declare, with the modules that each depends on.
struct Manifest {
    /// The modules that a target declares, by the name of the target.
    private(set) var dependencies: [String: Set<String>] = [:]

    /// Reads manifests that are formatted as those of this repository: a declaration of targets after the other.
    init(_ texts: [String]) {
        let text = texts.joined(separator: "\n")
        var modules: [String: [String]] = [:]
        for match in text.matches(of: /\.library\(\s*name: "(\w+)",\s*targets: \[([^\]]*)\]/) {
            modules[String(match.output.1)] = Self.quoted(in: match.output.2)
        }
        var products: [String: String] = [:]
        for match in text.matches(of: /let (\w+) = Target\.Dependency\.product\(name: "(\w+)"/) {
            products[String(match.output.1)] = String(match.output.2)
        }
        let declarations = text.matches(of: /\n        \.\w*[tT]arget\(\s*name: "([\w-]+)"/)
        for (number, match) in declarations.enumerated() {
            let next = declarations.dropFirst(number + 1).first?.range.lowerBound ?? text.endIndex
            let found = Self.names(in: text[match.range.upperBound..<next], products)
            dependencies[String(match.output.1)] = Set(
                found.targets + found.products.flatMap { modules[$0] ?? [$0] }
            )
        }
    }

    /// The targets and products in the list `dependencies:` of a declaration.
    private static func names(
        in declaration: Substring,
        _ products: [String: String]
    ) -> (targets: [String], products: [String]) {
        guard let list = declaration.firstMatch(of: /dependencies: \[((?:[^\[\]]|\[[^\]]*\])*)\]/)?.output.1
        else { return ([], []) }
        let named = list.matches(of: /\.product\(\s*name: "(\w+)"/).map { String($0.output.1) }
        let plain = list.replacing(/\.\w+\((?:[^()]|\([^)]*\))*\)/, with: "")
        let variables = plain.replacing(/"[^"]*"/, with: "").matches(of: /\w+/)
            .compactMap { products[String($0.output)] }
        return (quoted(in: plain), named + variables)
    }

    private static func quoted(in text: Substring) -> [String] {
        text.matches(of: /"([^"]+)"/).map { String($0.output.1) }
    }
}
