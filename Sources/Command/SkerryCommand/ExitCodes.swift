public import ArgumentParser

extension ExitCode {
    /// The input is wrong: a definition with errors, a test that failed, a file that is not there.
    public static let badInput = ExitCode(1)

    /// A service or program can't be had, and nothing works until somebody changes that (`EX_UNAVAILABLE` of sysexits.h).
    package static let unavailable = ExitCode(69)
}
