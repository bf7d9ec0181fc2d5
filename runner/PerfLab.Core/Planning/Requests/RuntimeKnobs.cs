namespace PerfLab.Core.Planning.Requests;

/// <summary>
/// The one place that declares the runtime's knobs: names, values, defaults, variables, what does not go together and why. Planning, help,
/// `list`, the environment of a launch and what evidence must show all follow from here. docs/internals/evidence.md says how each is proven.
/// </summary>
public static class RuntimeKnobs
{
    public const string Tiering = "tiering", Pgo = "pgo", ReadyToRun = "readytorun", QuickJitForLoops = "quick-jit-for-loops", Osr = "osr",
        Gc = "gc", Datas = "datas";

    /// <summary>Of every knob: what the runtime does by itself, or what the program's own runtimeconfig.json says.</summary>
    public const string Untouched = "default";

    private const string On = "on", Off = "off", Full = "full", Workstation = "workstation", Server = "server";

    /// <summary>In the order in which defaults are settled: a default may look at those before it.</summary>
    public static IReadOnlyList<Knob> All { get; } =
    [
        new()
        {
            Name = Tiering,
            Summary = "tiered compilation: start with quick code, compile hot methods again",
            Values = [On, Off],
            Default = _ => On,
            Variable = new("TieredCompilation", OnOff),
        },
        new()
        {
            Name = Pgo,
            Summary = "dynamic PGO: hot methods are compiled from a profile of this process; full also ignores precompiled code, so that the framework is profiled too",
            Values = [On, Off, Full],
            Default = at => at.IsBefore(6) || at.Has(Tiering, Off) ? Off : On,
            Variable = new("TieredPGO", Numbers((On, "1"), (Off, "0"), (Full, "1"))),
            Rules =
            [
                KnobRule.Since(6, [On, Full], "dynamic PGO came with .NET 6.", "pgo=off is all that it has."),
                KnobRule.NotWith(Tiering, Off, [On, Full], "the profile is collected by the first tier, and without tiering there is none.", "Set pgo=off, or leave tiering on."),
                KnobRule.NotWith(ReadyToRun, On, [Full], "full means that precompiled code is not used, so that it is profiled too.", "Set readytorun=off, or pgo=on."),
                KnobRule.NotWith(QuickJitForLoops, Off, [Full], "full means that methods with loops start in the first tier, so that they are profiled too.", "Set quick-jit-for-loops=on, or pgo=on."),
            ],
        },
        new()
        {
            Name = ReadyToRun,
            Summary = "use of precompiled code of the framework and of packages",
            Values = [On, Off],
            Default = at => at.Has(Pgo, Full) ? Off : On,
            Variable = new("ReadyToRun", OnOff),
        },
        new()
        {
            Name = QuickJitForLoops,
            Summary = "methods with loops start with quick code",
            Values = [On, Off],
            // Off before .NET 7, as these runtimes have it: without OSR a long loop would stay in the first tier. pgo=full wants it on there, too.
            Default = at => at.Has(Tiering, Off) || (at.IsBefore(7) && !at.Has(Pgo, Full)) ? Off : On,
            Variable = new("TC_QuickJitForLoops", OnOff),
            Rules = [KnobRule.NotWith(Tiering, Off, [On], "without tiering nothing starts with quick code.", "Set quick-jit-for-loops=off, or leave tiering on.")],
        },
        new()
        {
            Name = Osr,
            Summary = "on-stack replacement: a loop leaves quick code while it runs",
            Values = [On, Off],
            Default = at => at.IsBefore(7) || at.Has(Tiering, Off) || at.Has(QuickJitForLoops, Off) ? Off : On,
            Variable = new("TC_OnStackReplacement", OnOff),
            Rules =
            [
                KnobRule.Since(7, [On], "on-stack replacement came with .NET 7.", "osr=off is all that it has."),
                KnobRule.NotWith(Tiering, Off, [On], "without tiering no loop runs in quick code.", "Set osr=off, or leave tiering on."),
                KnobRule.NotWith(QuickJitForLoops, Off, [On], "then no loop starts in quick code that it could leave.", "Set osr=off, or leave quick-jit-for-loops on."),
            ],
        },
        new()
        {
            Name = Gc,
            Summary = "garbage collector: one heap, or one heap for each core",
            Values = [Workstation, Server],
            Default = _ => Workstation,
            Variable = new("gcServer", Numbers((Workstation, "0"), (Server, "1"))),
            Rules = [KnobRule.NotOnOneCpu([Server], "with one CPU the runtime silently uses workstation GC.", "Give the workload two cores (resources.cpus in its workload.yaml), or use gc=workstation.")],
        },
        new()
        {
            Name = Datas,
            Summary = "server GC that adapts its number of heaps to the application (DATAS)",
            // Off also where the runtime has it on by default (from .NET 9 on): the other runtimes could not be compared with it.
            Values = [Off, On],
            Default = _ => Off,
            Variable = new("GCDynamicAdaptationMode", OnOff),
            Rules =
            [
                KnobRule.Since(8, [On], "DATAS came with .NET 8.", "datas=off is all that it has."),
                KnobRule.NotWith(Gc, Workstation, [On], "DATAS is a part of server GC.", "Set gc=server, too."),
            ],
        },
    ];

    /// <summary>
    /// Settings that no dimension varies, set all the same because their defaults differ between runtimes or may come to.
    /// </summary>
    public static IReadOnlyList<KeyValuePair<string, string>> Fixed { get; } =
    [
        new("TC_QuickJit", "1"),
        // Off would profile from the first call on, which no release does by itself.
        new("TieredPGO_InstrumentOnlyHotCode", "1"),
        new("gcConcurrent", "1"),
        // The default from .NET 7 on.
        new("EnableWriteXorExecute", "1"),
    ];

    private static IReadOnlyDictionary<string, string> OnOff => Numbers((On, "1"), (Off, "0"));

    /// <summary>The knob of a dimension, or null when the dimension is none.</summary>
    public static Knob? Find(string dimension) => All.FirstOrDefault(knob => knob.Name == dimension);

    private static Dictionary<string, string> Numbers(params (string Value, string Number)[] pairs) =>
        pairs.ToDictionary(pair => pair.Value, pair => pair.Number, StringComparer.Ordinal);
}
