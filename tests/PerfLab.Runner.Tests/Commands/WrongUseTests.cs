namespace PerfLab.Runner.Tests.Commands;

public sealed class WrongUseTests : IDisposable
{
    private readonly LabFixture _lab = new() { Program = BothPrograms.InvokeAsync };

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("rum", "'rum' is not a command. Did you mean run?")]
    [InlineData("run", "nothing was named")]
    [InlineData("run behavin", "is neither a workload nor a suite. Did you mean behaving?")]
    [InlineData("run behavin", "docs/workloads.md shows how to make a workload.")]
    [InlineData("run /", "/: there is no workload.yaml in this folder. docs/workloads.md shows how to make a workload.")]
    [InlineData("run ./workload/nowhere", "/workload/nowhere. docs/workloads.md shows how to make a workload.")]
    [InlineData("run behaving --base time=1", "needs --head")]
    [InlineData("run behaving --base main,time=1", "needs --head")]
    [InlineData("run behaving --aa --rounds 5 --fail-on regression", "--fail-on regression: nothing can regress or improve in 5 rounds: they show a direction and give no verdict. Ask for --rounds 13 or more")]
    [InlineData("run behaving --aa --rounds 5 --sessions 3", "--sessions: nothing can regress or improve in 5 rounds: they show a direction and give no verdict. Ask for --rounds 13 or more, or leave --sessions out.")]
    [InlineData("run behaving --aa --rounds 0+5 --explain --sessions 2", "--sessions, --explain: nothing can regress or improve in 5 rounds")]
    [InlineData("run --command true --aa --rounds 5 --sessions 2", "--sessions: nothing can regress or improve in 5 rounds")]
    [InlineData("run ./nowhere/My.csproj --aa --rounds 5 --explain", "or leave --explain out")]
    [InlineData("plan behaving --aa --rounds 5", "5 rounds can't give a verdict")]
    [InlineData("run behaving --aa --rounds 5 --list", "'--list' is not an option of run: type ./perf-lab list PROJECT")]
    [InlineData("list benchmarks", "list: 'benchmarks' is nothing to list. Valid: all, workloads, suites")]
    [InlineData("list workload", "list: 'workload' is nothing to list. Did you mean workloads?")]
    [InlineData("list nothing", "For the benchmarks of a project, name its file, its solution, or its folder with a slash: ./perf-lab list bench/")]
    [InlineData("list ./nowhere/My.csproj", "there is no such project file")]
    [InlineData("run no.sln --aa", "there is no such solution")]
    [InlineData("run behaving --vary time=1", "at least two values")]
    [InlineData("run behaving --vary time", "'time' is not dimension=value,value")]
    [InlineData("run behaving --vary time=", "a value is empty")]
    [InlineData("run behaving --vary =1,2", "is not dimension=value,value")]
    [InlineData("run behaving --vary time=1,2 --aa", "goes alone")]
    [InlineData("run behaving --aa --head time=2", "leave --head out")]
    [InlineData("run behaving --layout", "--layout: goes with --aa")]
    [InlineData("run behaving --aa --layout", "'layout' is not a dimension or parameter")]
    [InlineData("run behaving --aa --stop-early", "--stop-early: is gone: with minutes, rows end early and go on as they need. Type --within 10m in its place, without --rounds")]
    [InlineData("plan behaving --aa --stop-early", "Type --within 10m in its place")]
    [InlineData("run behaving --aa --within 0", "--within: '0' is no time to measure in. Write minutes, above 0 and at most 1440: --within 10m.")]
    [InlineData("run behaving --aa --within 0m", "--within: '0m' is no time to measure in.")]
    [InlineData("run behaving --aa --within -5", "--within: '-5' is no time to measure in.")]
    [InlineData("run behaving --aa --within NaN", "--within: 'NaN' is no time to measure in.")]
    [InlineData("run behaving --aa --within 1441", "--within: '1441' is no time to measure in.")]
    [InlineData("run behaving --aa --within soon", "--within: 'soon' is no time to measure in.")]
    [InlineData("run behaving --aa --within 1s", "--within: 0.02 min are over before any row can have an answer: that takes about")]
    [InlineData("run behaving --aa --within 10m --rounds 0+20", "--within: goes without --rounds: one says how long, the other how often.")]
    [InlineData("run behaving --aa --within 10m --sessions 2", "within: does not go with repeats")]
    [InlineData("run behaving --within 10m", "--within: measures until rows are decided, and one arm is compared with nothing.")]
    [InlineData("run behaving --set tiem=3", "Did you mean time?")]
    [InlineData("run behaving --runtime net8.0", "'runtime' is not a dimension or parameter")]
    [InlineData("run behaving --set behaviour=goood", "'goood' is not a value of behaviour")]
    [InlineData("run behaving --set size=99", "out of range")]
    [InlineData("run behaving --set time=fast", "is not a number")]
    [InlineData("run behaving --set time=1 --set time=2", "given twice")]
    [InlineData("run behaving --rounds 8+", "is not S+C")]
    [InlineData("run behaving --rounds 0+0", "is not S+C")]
    [InlineData("run behaving --rounds 0+2001", "at most 2000 each")]
    [InlineData("run behaving --rounds -1+20", "is not S+C")]
    [InlineData("run behaving --rounds 1e9+20", "is not S+C")]
    [InlineData("run behaving --base time=1 --head time=2 --rounds 4+20", "4 rounds reach no p")]
    [InlineData("run behaving --base time=1 --head time=2 --rounds 8+5", "confirm-rounds: 5")]
    [InlineData("run behaving --warm-up 0", "--warm-up: 0 would measure a program that is starting, and call that its speed. Say the least time in seconds, as in --warm-up 0.5; the launch goes on until the program is at rest. To measure the start-up, use --age cold.")]
    [InlineData("run behaving --warm-up 0s", "--warm-up: 0 would measure")]
    [InlineData("run behaving --warm-up -1", "--warm-up: '-1' is not a time. Write seconds, as in --warm-up 5, or 500ms, or 2m.")]
    [InlineData("run behaving --warm-up long", "--warm-up: 'long' is not a time.")]
    [InlineData("run behaving --warm-up 1e3", "--warm-up: '1e3' is not a time.")]
    [InlineData("run behaving --warm-up NaN", "--warm-up: 'NaN' is not a time.")]
    [InlineData("plan behaving --warm-up 5", "--warm-up: 5 s to warm up and 0.1 s to measure are over the deadline of behaving, 1 s. Say less than 0.9, or a longer `launch.timeout`")]
    [InlineData("run behaving --warm-up 900ms", "--warm-up: 0.9 s to warm up and 0.1 s to measure are over the deadline of behaving, 1 s.")]
    [InlineData("run --command true --warm-up 5", "takes no --warm-up")]
    [InlineData("run --command true --pairing turns", "--pairing: one command has nobody to take turns with. Name --against")]
    [InlineData("run behaving --pairing turn", "--pairing: 'turn' is no way of pairing. Write launches, turns, auto, or turns:30x50ms with 5 to 500 slices of 5 to 5000 ms.")]
    [InlineData("run behaving --pairing turns:0x50ms", "--pairing: 'turns:0x50ms' is no way of pairing.")]
    [InlineData("run behaving --pairing turns:30x60000ms", "--pairing: 'turns:30x60000ms' is no way of pairing.")]
    [InlineData("run behaving --pairing auto:0x50ms", "--pairing: 'auto:0x50ms' is no way of pairing.")]
    [InlineData("run behaving --pairing turns:", "--pairing: 'turns:' is no way of pairing.")]
    [InlineData("run behaving --aa --pairing turns", "--pairing: behaving can't be measured in turns: only what is built with the kit says when a slice is done.")]
    [InlineData("run --command true --age cold", "--age: a command is always timed from its start to its end. Leave it out.")]
    [InlineData("run behaving --age cold", "--age: measures the start-up of programs that are built with the kit, and behaving is not.")]
    [InlineData("run behaving --vary age=cold,steady", "--age: measures the start-up")]
    [InlineData("bisect behaving --explain", "'--explain' is not an option of bisect.")]
    [InlineData("run behaving --seed -7", "--seed")]
    [InlineData("run behaving --executor dokcer", "dokcer")]
    [InlineData("run behaving --feed nowhere", "is not a folder")]
    [InlineData("run behaving --fail-on warnings", "warnings")]
    [InlineData("run nowhere/My.Benchmarks.csproj", "My.Benchmarks.csproj: there is no such project file.")]
    [InlineData("plan My.Benchmarks.csproj", "which benchmarks it holds is known when it is built, and this command must know them before")]
    [InlineData("run behaving --filter *Parse*", "--filter: is for benchmarks of BenchmarkDotNet; none was named.")]
    [InlineData("run behaving --any-categories text", "--any-categories: is for benchmarks of BenchmarkDotNet; none was named.")]
    [InlineData("run behaving --allCategories ,", "--all-categories: names no category.")]
    [InlineData("plan behaving --any-categories text", "'--any-categories' is not an option of plan.")]
    [InlineData("run --command true --filter *Parse*", "takes no --filter")]
    [InlineData("import bdn", "Required argument 'report' missing for command: 'bdn'.")]
    [InlineData("import bnd after.json", "'bnd' is not a command of import. Did you mean bdn?")]
    [InlineData("doctor --policy 7", "'7'")]
    [InlineData("list everything", "everything")]
    [InlineData("report nowhere.json --format pdf", "pdf")]
    [InlineData("--verbose", "no command was given. Valid: demo, list, run")]
    [InlineData("run behaving --fail-on regression,slow", "--fail-on: 'slow' is none of its values. ")]
    [InlineData("completion csh", "completion: 'csh' is none of its values. Did you mean zsh?")]
    [InlineData("tremd --help", "'tremd' is not a command. Did you mean trend?")]
    [InlineData("list runtimes --runtime net10.0", "goes with `list knobs`, not with `list runtimes`")]
    [InlineData("list knobs --runtime net10.0 --executor process", "needs a workload to launch, of .NET, with two cores and without frameworks")]
    [InlineData("history", "Valid: import, export, list, replay, prune")]
    [InlineData("history lst", "'lst' is not a command of history. Did you mean list?")]
    [InlineData("history prune", "--keep")]
    [InlineData("history prune --keep some", "'some' is neither a number of sessions nor of days.")]
    [InlineData("history prune --keep -3d", "neither a number of sessions nor of days.")]
    [InlineData("run behaving --anchor time=1 --base time=2", "goes with --head, without --base")]
    [InlineData("run behaving --next-anchor time=1 --head time=2", "goes with --anchor")]
    [InlineData("lab strat", "'strat' is not a command of lab. Did you mean start?")]
    [InlineData("run behaving --rutime net8.0", "'--rutime' is not an option of run. Did you mean --runtime?")]
    [InlineData("run behaving --base time=1 --head time=2 --pairing duet", "'duet' is no way of pairing. Write launches, turns, auto, or turns:30x50ms")]
    [InlineData("doctor --tiering off", "'--tiering' is not an option of doctor.")]
    [InlineData("plan behaving --roundz=8+20", "'--roundz' is not an option of plan. Did you mean --rounds?")]
    [InlineData("compare --jsn samples.ndjson", "'--jsn' is not an option of compare. Did you mean --json?")]
    [InlineData("compare one.ndjson two.ndjson", "--plan: is missing: only the plan says which shards there are.")]
    [InlineData("run behaving --executor dokcer", "--executor: 'dokcer' is none of its values. Did you mean docker?")]
    [InlineData("doctor --policy metl", "--policy: 'metl' is none of its values. Did you mean metal?")]
    [InlineData("run behaving --seed many", "--seed: 'many' is not a whole number.")]
    [InlineData("report nowhere.json --max-chars many", "--max-chars: 'many' is not a whole number.")]
    [InlineData("report nowhere.json --format markdown --max-chars 5", "at least 4000")]
    [InlineData("list runtimez", "Did you mean runtimes? For the benchmarks of a project")]
    [InlineData("test --al", "Did you mean --all?")]
    public async Task wrong_use_is_exit_code_two_and_says_what_is_valid(string arguments, string expected)
    {
        var (code, output, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(2, error);
        error.ShouldContain(expected);
        output.ShouldBeEmpty();
    }

    [Fact]
    public async Task runtimes_are_looked_up_before_anybody_waits_for_the_machine()
    {
        using var held = PerfLab.Runner.Waiting.MachineLock.Take(_lab.MachineLock);
        var (code, _, error) = await _lab.RunAsync("list knobs --runtime net10.0 --executor process");
        code.ShouldBe(2, error);
        error.ShouldContain("needs a workload to launch");
    }

    [Fact]
    public async Task a_solution_that_is_not_there_is_told_once()
    {
        var (code, _, error) = await _lab.RunAsync("run no.slnx --aa");
        (code, error.Contains("no such solution", StringComparison.Ordinal)).ShouldBe((2, true), error);
        error.ShouldNotContain("there is no folder");
    }

    [Fact]
    public async Task a_folder_without_its_slash_is_told_how_it_is_written()
    {
        var folder = Directory.CreateDirectory(Path.Combine(Environment.CurrentDirectory, $"bench-{Environment.ProcessId}"));
        (await _lab.RunAsync($"run {folder.Name} --aa")).Error.ShouldContain($"is neither a workload nor a suite. A folder is written with a slash: {folder.Name}/.");
        folder.Delete();
    }

    [Fact]
    public async Task the_name_alone_shows_the_help()
    {
        var (code, help, error) = await _lab.RunAsync("");
        (code, error).ShouldBe((0, ""));
        help.ShouldBe((await _lab.RunAsync("--help")).Out);
    }

    [Fact]
    public async Task all_problems_are_printed_at_once()
    {
        var (code, _, error) = await _lab.RunAsync("run behaving --set tiem=3 --set behaviour=goood --rounds x --base size=99");
        code.ShouldBe(2);
        string[] parts = ["tiem", "goood", "S+C", "needs --head"];
        parts.ShouldAllBe(part => error.Contains(part), error);
    }

    [Fact]
    public async Task what_is_wrong_beside_a_mistyped_workload_is_printed_with_it()
    {
        var (code, _, error) = await _lab.RunAsync("run behavin --set tiem=3 --set behaviour=goood");
        code.ShouldBe(2);
        string[] parts = ["Did you mean behaving?", "Did you mean time?", "goood"];
        parts.ShouldAllBe(part => error.Contains(part), error);
    }

    [Theory]
    [InlineData("compare nowhere.ndjson", "give the path of a samples.ndjson")]
    [InlineData("report nowhere.json", "give the path of a comparison.json")]
    [InlineData("build nowhere.json", "make one")]
    [InlineData("compare .", "the folder holds no samples.ndjson")]
    [InlineData("run --resume nowhere --executor process", "no session was begun here")]
    public async Task a_file_that_is_missing_is_exit_code_one_with_what_to_do(string arguments, string expected)
    {
        var (code, _, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(1, error);
        error.ShouldContain("came back:");
        error.ShouldContain("to do:");
        error.ShouldContain(expected);
    }

    [Fact]
    public async Task a_mistyped_session_folder_is_not_made()
    {
        await _lab.RunAsync("run --resume nowhere --executor process");
        Directory.Exists(Path.Combine(_lab.Root, "nowhere")).ShouldBeFalse();
    }

    [Theory]
    [InlineData("--help", 0)]
    [InlineData("lab --help", 1)]
    public async Task a_list_of_commands_holds_no_example_of_theirs(string arguments, int own)
    {
        var (code, help, error) = await _lab.RunAsync(arguments);
        code.ShouldBe(0, error);
        help.ShouldContain("Commands:");
        help.ShouldNotContain("Example:");
        help.Split('\n').Count(line => line.Contains("./perf-lab ")).ShouldBe(own);
    }

    [Fact]
    public async Task a_broken_manifest_names_file_line_and_field_and_every_problem()
    {
        var path = Path.Combine(_lab.Root, "workloads", "behaving", "workload.yaml");
        var text = await File.ReadAllTextAsync(path);
        await File.WriteAllTextAsync(path, text.Replace("better: lower", "better: louder").Replace("timeout: 1s", "timeout: soon").Replace("summary:", "sumary:"));
        var (code, _, error) = await _lab.RunAsync("run behaving");
        code.ShouldBe(2);
        error.ShouldContain("workload.yaml, line 13, metrics.time.better: must be one of higher, lower, is 'louder'. Did you mean lower?");
        error.ShouldContain("launch.timeout: must be a duration such as 500ms, 2s or 5m, is 'soon'");
        error.ShouldContain("sumary: is not known here. Did you mean summary?");
        error.ShouldContain("summary: is missing");
    }

    [Fact]
    public async Task a_broken_configuration_is_refused_with_its_line()
    {
        await File.WriteAllTextAsync(Path.Combine(_lab.Root, "perf-lab.yaml"), "schema: perf-lab/config/1\npolicy: { margin: big }\nsuits: {}\n");
        var (code, _, error) = await _lab.RunAsync("list");
        code.ShouldBe(2);
        error.ShouldContain("perf-lab.yaml, line 2, policy.margin: must be a finite number, is 'big'");
        error.ShouldContain("line 3, suits: is not known here. Did you mean suites?");
    }

    [Fact]
    public async Task a_framework_need_that_is_no_runtime_is_refused_with_its_line()
    {
        var path = Path.Combine(_lab.Root, "workloads", "behaving", "workload.yaml");
        await File.AppendAllTextAsync(path, "frameworks: { akka: { property: AkkaVersion, versions: [\"1.5.0\"], default: \"1.5.0\", needs: { \"1.5\": six } } }\n");
        var (code, _, error) = await _lab.RunAsync("run behaving");
        code.ShouldBe(2);
        error.ShouldContain("frameworks.akka.needs.1.5: must be a target framework such as net10.0, is 'six'");
    }

    [Theory]
    [InlineData("--pgo on --set tiering=off", "pgo=on does not go with tiering=off: the profile is collected by the first tier, and without tiering there is none. Set pgo=off, or leave tiering on.")]
    [InlineData("--pgo full --set readytorun=on", "pgo=full does not go with readytorun=on")]
    [InlineData("--gc server --set pgo=of", "'of' is not a value of pgo. Valid: on, off, full, default.")]
    [InlineData("--gc server", "gc=server does not go with one CPU: with one CPU the runtime silently uses workstation GC.")]
    [InlineData("--set datas=on", "datas=on does not go with gc=workstation: DATAS is a part of server GC. Set gc=server, too.")]
    [InlineData("--base tierign=off --head tiering=on", "'tierign' is not a dimension or parameter. Did you mean tiering?")]
    public async Task knobs_that_make_no_sense_together_are_refused_with_the_reason(string options, string expected)
    {
        var path = Path.Combine(_lab.Root, "workloads", "behaving", "workload.yaml");
        await File.WriteAllTextAsync(path, (await File.ReadAllTextAsync(path)).Replace("build: { kind: none }", "build: { kind: none, knobs: true }"));
        foreach (var command in new[] { "plan", "run" })
        {
            var (code, output, error) = await _lab.RunAsync($"{command} behaving {options}");
            code.ShouldBe(2, error);
            error.ShouldContain(expected);
            output.ShouldBeEmpty();
        }
    }

    [Fact]
    public async Task the_help_of_run_has_the_dimensions_or_says_where_they_are()
    {
        var (_, help, _) = await _lab.RunAsync("run --help");
        string[] others = ["--pgo <on,off,full>", "--gc <", "knobs", "runtime", "framework", "source", "mode", "parameters"];
        others.ShouldAllBe(name => help.Contains(name), help);
    }

    [Fact]
    public async Task listing_everything_asks_no_package_source()
    {
        var (code, output, _) = await _lab.RunAsync("list");
        code.ShouldBe(0);
        output.ShouldContain("out of support since 2022-12-13");
        output.ShouldContain("DOTNET_TieredPGO");
        File.Exists(Path.Combine(_lab.Root, ".perf-lab", "builds", "runtime-packs.json")).ShouldBeFalse();
    }
}
