using PerfLab.Building.Changes;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching.Results;
using PerfLab.Profiling;

namespace PerfLab.Launching.Proof;

/// <summary>
/// One launch of an arm that counts for nothing but its list of compiled methods. Nothing is inlined in it, and no precompiled code of
/// what is
/// measured is used: whatever runs has to be compiled, and is in the list by its own name.
/// </summary>
public sealed class ListLaunches(LaunchSpecs launches, ILauncher launcher, TouchStore store)
{
    private const int LargestList = 32 << 20;

    /// <summary>
    /// The first runtime whose released JIT can be told not to inline. Before it a trace names what was inlined; it is larger and slower
    /// to read.
    /// </summary>
    private const int FirstWithoutInlining = 9;

    private const int FirstWithTrace = 8;

    /// <summary>
    /// The project's own setup and at least as many calls as one measured iteration has; so many more change no list that was seen (one in
    /// 27 benchmarks runs other methods later, and what it calls directly is looked at anyway).
    /// </summary>
    private const string WarmUpSeconds = "0.3";

    /// <summary>Why no list of an arm would prove anything, in a sentence; else null.</summary>
    public static string? Hindrance(PlannedCell cell, PlannedArm arm) =>
        cell.Result != ResultFormat.BenchmarkDotNet ? "it is no benchmark of BenchmarkDotNet"
        : arm.Nodes is not null ? "it runs on several nodes"
        : cell.Launch.WarmUpSeconds <= 0 || cell.Dimensions.ContainsKey(Cell.Age)
            ? "it is measured from its start on, and compiling is part of that"
        : arm.Recipe.Kind != BuildKind.Dotnet || !ProofNeed.HasKnobs(arm) ? "its runtime is not the lab's"
        : ProofNeed.RuntimeMajor(arm) is null or < FirstWithTrace ? Invariant($"what runs is listed from .NET {FirstWithTrace} on")
        : null;

    private static TraceVariables? TraceOf(PlannedArm arm) =>
        ProofNeed.RuntimeMajor(arm) is < FirstWithoutInlining and var major ? new(major, TraceVariables.Lists) : null;

    /// <summary>What the arm runs: as kept with its build, or from a launch.</summary>
    /// <param name="isFresh">Launch also where a list is kept.</param>
    public async Task<JitList> OfAsync(PlannedCell cell, PlannedArm arm, BuildContent content, bool isFresh,
        CancellationToken cancellationToken)
    {
        var spec = SpecOf(cell, arm, content);
        var key = TouchStore.KeyOf(spec);
        if (!isFresh && store.Find(key) is { } kept)
        {
            return kept;
        }

        var list = await LaunchAsync(cell, arm, content, cancellationToken);
        if (list.Problem is null)
        {
            store.Keep(key, list);
        }

        return list;
    }

    /// <summary>How the list is asked for.</summary>
    internal LaunchSpec SpecOf(PlannedCell cell, PlannedArm arm, BuildContent content, string nonce = "")
    {
        var spec = launches.Of(cell, arm, nonce, EnvironmentPad.OfProof, TraceOf(arm));
        return spec with
        {
            Environment =
            [
                .. spec.Environment.Select(pair =>
                    pair.Key is "PERF_LAB_WARM_UP" or "PERF_LAB_WARM_UP_BOUND" ? new(pair.Key, WarmUpSeconds) : pair),
                new("DOTNET_JitNoInline", "1"), new("DOTNET_ReadyToRunExcludeList", string.Join(';', content.AssemblyNames)),
            ],
        };
    }

    // A list that is not whole may be the machine's fault once.
    private async Task<JitList> LaunchAsync(PlannedCell cell, PlannedArm arm, BuildContent content, CancellationToken cancellationToken)
    {
        var list = await OnceAsync(cell, arm, content, cancellationToken);
        return list.Problem is null || list.Lasts ? list : await OnceAsync(cell, arm, content, cancellationToken);
    }

    private async Task<JitList> OnceAsync(PlannedCell cell, PlannedArm arm, BuildContent content, CancellationToken cancellationToken)
    {
        var nonce = LaunchEnvironment.NewNonce();
        var end = await launcher.LaunchAsync(SpecOf(cell, arm, content, nonce), cancellationToken);
        // What it measured does not count, but a launch that did not do its work did not run what others run.
        var judged = LaunchJudge.Judge(new(cell, arm, nonce, ProofLaunch: null), end);
        if (judged.Outcome != Outcome.Measured)
        {
            return JitList.None($"its list launch {Core.Files.Words.Of(judged.Outcome)}: {judged.Reason ?? Invariant($"exit code {end.ExitCode}")}");
        }

        return TraceOf(arm) is null ? OfJit(end, content) : OfTrace(end, content);
    }

    private static JitList OfJit(LaunchEnd end, BuildContent content)
    {
        var (bytes, problem) = ResultFile.Read(new LeftFile(
            Path.Combine(Path.GetDirectoryName(end.ResultFile)!, ProofVariables.JitListFile), "its list of methods", LargestList));
        return bytes is null ? JitList.None(problem ?? "its list launch left no list of methods") : JitList.Of(bytes, content);
    }

    private static JitList OfTrace(LaunchEnd end, BuildContent content)
    {
        if (TracedLaunches.Left(Path.GetDirectoryName(end.ResultFile)!).ToList() is not [var only])
        {
            return JitList.None("its list launch left no trace, or several processes left one each");
        }

        var (bytes, problem) = ResultFile.Read(new LeftFile(only, "its trace", TracedLaunches.LargestTrace));
        if (bytes is null)
        {
            return JitList.None(problem ?? "its list launch left no trace");
        }

        var (methods, reading) = CompiledMethods.Read(bytes);
        return reading.Doubt is { } doubt ? JitList.None($"its trace is not whole: {doubt}")
            : JitList.Of([.. methods.Select(method => new ListedMethod(TypeOf(method.Type), method.Name, method.IlBytes, null))], content);
    }

    /// <summary>Without what it is an instance of: "Ns.List`1" of "Ns.List`1[System.__Canon]".</summary>
    private static string TypeOf(string type) => type.IndexOf('[', StringComparison.Ordinal) is > 0 and var at ? type[..at] : type;
}
