/// Files that public cases name and that were lost when the cases were put into one file.
///
/// Each is written anew after what its document needs of it: a case about loading scripts can't run without one.
public enum CaseFiles {
    private static let texts = [
        "script-0-0.js": "x = 100;",
        "script-1-0.js": "i = 0;",
        "script-1-1.js": "i++;",
        "script-2-0.js": "i = 0;",
        "script-2-1.js": "i++;",
        "script-2-2.js": "i++;",
        "script-2-3.js": "i = i * 2;",
        "script-3-0.js": "function foo() { x = 100; }",
        "test446.txt": "[1, 2, 3]",
        "test552.txt": "1",
        "test558.txt": "this  is\na string",
    ]

    /// The text of a file by its name, with or without `file:` before it; nil for one that is not known.
    public static func text(of name: String) -> String? {
        texts[String(name.hasPrefix("file:") ? name.dropFirst(5) : Substring(name))]
    }
}
