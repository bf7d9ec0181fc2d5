using System.Globalization;
using System.Text.RegularExpressions;
using PerfLab.Core.Tests.Reporting.Support;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>The numbers in docs/operations.md and docs/internals/infrastructure.md are those of the code.</summary>
public sealed partial class OperationsPageTests
{
    private readonly PowerLimits power = new();
    private readonly WatchdogLimits watchdog = new();

    [Fact]
    public void The_page_and_the_code_are_equally_patient()
    {
        var page = Repository.Read("docs/operations.md") + Repository.Read("docs/internals/infrastructure.md");
        var pauses = power.Pauses.Select(pause => FormattableString.Invariant($"{pause.TotalSeconds:0}")).ToList();
        string[] rows =
        [
            $"| {power.AllocationTries} tries within {power.AllocationWindow.TotalMinutes} min",
            $"at most {power.LongestRetryAfter.TotalMinutes} min; {power.ThrottledPause.TotalMinutes} min when it does not say",
            $"again after {string.Join(", ", pauses[..^1])} and {pauses[^1]} s",
            $"| one operation | {power.OperationDeadline.TotalMinutes} min;",
            $"as long as the start or stop has, a look every {power.ClusterPause.TotalSeconds} s |",
            $"a scale set that says *Failed* {power.ViewReadings} times in a row",
            $"| {power.ViewReadings} readings, {power.ViewPause.TotalSeconds} s apart |",
            $"| a machine that another run holds | {power.BusyWait.TotalMinutes} min |",
            $"| a start with all tries | {power.StartDeadline.TotalMinutes} min |",
            $"| a stop with all tries | {power.StopDeadline.TotalMinutes} min,",
            FormattableString.Invariant($"{watchdog.Silence.TotalMinutes} min after its runner went silent, {watchdog.BootGrace.TotalMinutes} min after a boot without a lease, or after {watchdog.LongestUptime.TotalHours} h of uptime"),
        ];

        rows.ShouldAllBe(row => page.Contains(row));
    }

    /// <summary>The watchdog of the first minutes is a script: its patience is a default of it.</summary>
    [Fact]
    public void The_page_and_the_watch_script_are_equally_patient()
    {
        var page = Repository.Read("docs/operations.md");
        var seconds = int.Parse(Patience().Match(Repository.Read("infra/machine/files/usr/local/lib/perf-lab/watch")).Groups["seconds"].Value, CultureInfo.InvariantCulture);

        page.ShouldContain(FormattableString.Invariant($"{seconds / 60} min after a boot that brought no program"));
        page.ShouldContain(FormattableString.Invariant($"\"no program came within {seconds} s of the boot\""));
    }

    [GeneratedRegex(@"patience=\$\{3:-(?<seconds>\d+)\}", RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex Patience();
}
