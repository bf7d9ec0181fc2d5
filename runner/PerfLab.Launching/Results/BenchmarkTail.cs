using System.Text.RegularExpressions;

namespace PerfLab.Launching.Results;

/// <summary>The last lines of a launch of BenchmarkDotNet without what it always prints and is never why a launch failed.</summary>
public static partial class BenchmarkTail
{
    public static string Of(string tail) => string.Join('\n', tail.Split('\n').Where(line => !InVain().IsMatch(line)));

    /// <summary>It asks a shell for programs that describe the machine; the driver's PATH is empty, and the shell says so.</summary>
    [GeneratedRegex(@"\b(lscpu|dotnet): (command )?(not found|No such file or directory)\s*$", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex InVain();
}
