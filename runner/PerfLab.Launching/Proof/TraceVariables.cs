namespace PerfLab.Launching.Proof;

/// <summary>The variables that make a runtime trace itself from its first instruction on, without a tool and without a socket.</summary>
public sealed record TraceVariables(int? Major, string Providers)
{
    /// <summary>
    /// What a profile is made of: samples of all threads, and with their stacks what was allocated, waited for, thrown and collected;
    /// loader and JIT events
    /// name the methods.
    /// </summary>
    public const string Profile = "Microsoft-DotNETCore-SampleProfiler:0xF00000000000:5,Microsoft-Windows-DotNETRuntime:0x100000C019:5";

    /// <summary>JIT and loader events with tiers and names (verbose), and settings of tiered compilation: PerfView's table needs no more.</summary>
    public const string Jit = "Microsoft-Windows-DotNETRuntime:0x1000000018:5";

    /// <summary>The same with the GC's: named in one entry, because a provider that is named twice loses one of them.</summary>
    public const string JitAndGc = "Microsoft-Windows-DotNETRuntime:0x1000000019:5";

    /// <summary>Loader and JIT events with what was inlined into what: every method that ran is named by one of them.</summary>
    public const string Lists = "Microsoft-Windows-DotNETRuntime:0x1018:5";

    /// <summary>Who is the thread of the multicore JIT.</summary>
    public const string MulticoreJit = "Microsoft-Windows-DotNETRuntimePrivate:0x20000:5";

    private const int FirstWithDotnetPrefix = 6;

    private bool IsOld => Major < FirstWithDotnetPrefix;

    private string Prefix => IsOld ? "COMPlus_" : "DOTNET_";

    public IReadOnlyList<KeyValuePair<string, string>> Values =>
    [
        new(Prefix + "EnableEventPipe", "1"),
        new(Prefix + "EventPipeConfig", Providers),
        // Written as it goes: a full buffer loses events, and a killed process everything.
        new(Prefix + "EventPipeOutputStreaming", "1"),
        new(Prefix + "EventPipeCircularMB", "40"), // hexadecimal
        // Names of compiled methods come with the events; the list of all methods at the end would be most of the file. Stacks need it.
        new(Prefix + "EventPipeRundown", Providers == Profile ? "1" : "0"),
    ];

    /// <summary>Old runtimes take a folder and die of a file's path; later ones write a file for each process.</summary>
    public KeyValuePair<string, string> File => new(Prefix + "EventPipeOutputPath", IsOld ? "" : "trace-{pid}.nettrace");
}
