using PerfLab.Machine.Hygiene;

namespace PerfLab.Runner.Tests.Machine;

/// <summary>Self-tests that took what a test says.</summary>
internal static class FakeFigures
{
    /// <param name="factor">1: as usual; 1.05: every kind of work takes 5 % longer.</param>
    public static SelfTestFigures Of(double factor = 1) => new(Result(0.020 * factor), Result(0.010 * factor), Result(0.005 * factor));

    private static SelfTestResult Result(double seconds) => new([seconds, seconds, seconds], seconds, 0, 0);
}
