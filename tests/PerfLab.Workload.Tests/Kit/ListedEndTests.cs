namespace PerfLab.Workload.Tests.Kit;

/// <summary>
/// How a launch ends whose JIT lists what it compiles. What the C library does at its end is made to show by a call that it makes then;
/// that it does harm is shown with `--all`, where the JIT is busy at the end of real launches.
/// </summary>
public sealed class ListedEndTests(Lab lab)
{
    private const int Aborted = 134;

    private static readonly Manifest Ending = Manifest.In(Lab.Fixture("ends-compiling"));

    [Fact]
    public async Task the_c_library_takes_no_buffer_from_a_jit_that_may_write_and_the_program_ends_as_it_wants()
    {
        var launch = await RunAsync("net10.0", "abort");
        (launch.ExitCode, launch.Output).ShouldBe((0, "the program's own end\n"), launch.Errors);
        launch.Result.ShouldNotBeNull();
        launch.JitList.ShouldContain("JIT compiled Program:<Main>", Case.Sensitive, "what was compiled is in the file");
        launch.JitList.ShouldEndWith("\n");
    }

    [Theory]
    [NightlyData("DOTNET_JitStdOutFile", "")]
    [InlineData("DOTNET_EnableEventPipe", "1")]
    [InlineData("CORECLR_ENABLE_PROFILING", "1")]
    public async Task without_a_list_and_where_the_runtime_has_to_finish_a_file_it_ends_as_any_other(string name, string value) =>
        (await RunAsync("net10.0", "abort", (name, value), ("DOTNET_EventPipeOutputPath", "/dev/null"))).ExitCode.ShouldBe(Aborted);

    [Fact]
    public async Task a_launch_that_fails_says_so_by_its_exit_code()
    {
        var launch = await RunAsync("net10.0", "fails");
        launch.ExitCode.ShouldBe(1);
        launch.Errors.ShouldContain("fails on purpose");
    }

    /// <summary>One of ten died before, here beside others.</summary>
    [Theory]
    [InlineData("net8.0")]
    [InlineData("net10.0")]
    public async Task none_of_a_hundred_that_end_while_the_jit_is_busy_dies(string release)
    {
        Nightly.Only("some minutes");
        for (var some = 0; some < 25; some++)
        {
            var launches = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => RunAsync(release, "compiling", ("DOTNET_TC_CallCountingDelayMs", "0"))));
            launches.Select(launch => launch.ExitCode).ShouldAllBe(code => code == 0);
        }
    }

    private async Task<LaunchOutcome> RunAsync(string release, string end, params (string Name, string Value)[] environment)
    {
        var recipe = Lab.Recipe(Ending, release);
        return await ShortLaunch.RunAsync(await lab.BuiltAsync(recipe), Ending.Command, [("PERF_LAB_PARAM_END", end), ("PERF_LAB_WARM_UP", "0"), .. environment]);
    }
}
