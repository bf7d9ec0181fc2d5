using System.Runtime.InteropServices;
using PerfLab.Core.Files;
using PerfLab.Core.Planning.Plans;
using PerfLab.Runner.Tests.Execution.Processes;

namespace PerfLab.Runner.Tests.Execution.Nodes;

/// <summary>Several nodes as processes take a network of their own, and that takes root.</summary>
public sealed partial class WithoutRootTests
{
    [Fact]
    public async Task a_plan_with_several_nodes_is_refused_with_what_to_do_instead()
    {
        await using var scripts = new ScriptFixture();
        using var fixture = new SessionFixture((1, 1));
        var plan = fixture.Plan;
        PlannedNode[] both = [new("sut-0", "sut"), new("client-0", "client")];
        var nodes = plan with { Cells = [.. plan.Cells.Select(cell => cell with { Arms = [.. cell.Arms.Select(arm => arm with { Nodes = both })] })] };

        WithoutRights(() => scripts.Launcher.Problems(plan)).ShouldBeEmpty();
        var refused = WithoutRights(() => scripts.Launcher.Problems(nodes)).Single();

        refused.Where.ShouldBe("--executor");
        refused.What.ShouldStartWith($"{nodes.Cells[0].Workload} has several nodes, which need a network of their own: the kernel refuses a network namespace");
        refused.What.ShouldEndWith("it takes root.");
        refused.Try.ShouldBe("Take --executor docker, or run as root.");
    }

    /// <summary>On a thread that gave up root's rights for good, as those that it starts do; the others keep theirs.</summary>
    private static IReadOnlyList<Problem> WithoutRights(Func<IReadOnlyList<Problem>> work)
    {
        (IReadOnlyList<Problem>? Problems, Exception? Failure) end = default;
        var thread = new Thread(() =>
        {
            try
            {
                ReadOnlySpan<uint> header = [0x20080522, 0], none = [0, 0, 0, 0, 0, 0];
                CapSet(header, none).ShouldBe(0);
                end.Problems = work();
            }
            catch (Exception failure)
            {
                end.Failure = failure;
            }
        });
        thread.Start();
        thread.Join();
        return end.Problems ?? throw new InvalidOperationException("the thread without rights failed", end.Failure);
    }

    // linux/capability.h: version 3 and this thread, then effective, permitted, inheritable in two halves each.
    [LibraryImport("libc", EntryPoint = "capset", SetLastError = true)]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static partial int CapSet(ReadOnlySpan<uint> header, ReadOnlySpan<uint> data);
}
