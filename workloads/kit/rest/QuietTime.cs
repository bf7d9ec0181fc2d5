using System;
using System.Globalization;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>
/// How long nothing must have been compiled, from what this process lets its runtime wait. Before calls are counted, and a method is
/// compiled again, the runtime waits until nothing new was called: DOTNET_TC_CallCountingDelayMs, and where it sees one processor
/// DOTNET_TC_DelaySingleProcMultiplier times as long. A method that is new meanwhile makes it wait once more, so between two compilations
/// that belong together lies twice that wait at most, and what counting and compiling take.
/// </summary>
internal static class QuietTime
{
    /// <summary>
    /// Seconds, where nobody changed what the runtime waits and it sees two processors or more; no process is asked for less. More than a
    /// second, so that a program that compiles a method each second is seen.
    /// </summary>
    public const double Usual = Beside + (Waits * UsualDelay / Milliseconds);

    /// <summary>What counting thirty calls and compiling may take on a busy machine, in seconds.</summary>
    private const double Beside = 0.9;

    private const double Milliseconds = 1000;
    private const uint Waits = 2, UsualDelay = 100, UsualMultiplier = 10;

    /// <summary>Seconds, for this process.</summary>
    /// <param name="processors">As the runtime counts them: affinity, quota and DOTNET_PROCESSOR_COUNT.</param>
    /// <param name="variable">Text of a variable of the environment; null when it is absent or empty.</param>
    /// <param name="property">Value of a property of runtimeconfig.json; null when it is absent.</param>
    public static double Seconds(int processors, Func<string, string?> variable, Func<string, object?> property)
    {
        ulong delay = Variable(variable, "TC_CallCountingDelayMs")
            ?? Property(property("System.Runtime.TieredCompilation.CallCountingDelayMs")) ?? UsualDelay;
        var times = processors == 1 ? Math.Max(1, Variable(variable, "TC_DelaySingleProcMultiplier") ?? UsualMultiplier) : 1;
        // A product that does not fit, the runtime leaves.
        var wait = delay * times <= uint.MaxValue ? delay * times : delay;
        return Math.Max(Usual, Beside + (Waits * wait / Milliseconds));
    }

    /// <summary>Which of two prefixes a runtime believes is a matter of its age: the larger number.</summary>
    private static uint? Variable(Func<string, string?> variable, string name) =>
        new[] { "DOTNET_", "COMPlus_" }.Select(prefix => Hexadecimal(variable(prefix + name))).Max();

    /// <summary>As the runtime reads its variables; what is no number is as if it were not there.</summary>
    private static uint? Hexadecimal(string? text) =>
        uint.TryParse(WithoutPrefix(text?.Trim()), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var number)
            ? number : null;

    /// <summary>As the runtime reads its properties: a decimal number, or a hexadecimal one that says so.</summary>
    private static uint? Property(object? value) => Convert.ToString(value, CultureInfo.InvariantCulture)?.Trim() is not { } text ? null
        : WithoutPrefix(text) is { } digits && digits.Length < text.Length ? Hexadecimal(digits)
        : uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? number : null;

    private static string? WithoutPrefix(string? text) =>
        text?.StartsWith("0x", StringComparison.OrdinalIgnoreCase) == true ? text.Substring(2) : text;
}
