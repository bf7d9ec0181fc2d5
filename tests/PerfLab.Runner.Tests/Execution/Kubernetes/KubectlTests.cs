using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>What kubectl says when it fails. The sentences are those of kubectl 1.33 against a real API server, and none.</summary>
public sealed class KubectlTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("Error from server (Forbidden): jobs.batch is forbidden: User \"x\" cannot list resource \"jobs\"", ClusterFault.Refused, "Forbidden", "jobs.batch is forbidden")]
    [InlineData("Error from server (NotFound): namespaces \"nowhere\" not found\n", ClusterFault.Refused, "NotFound", "namespaces \"nowhere\" not found")]
    [InlineData("Error from server (Timeout): the server was unable to return a response in the time allotted", ClusterFault.Unreachable, null, "time allotted")]
    [InlineData("The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?", ClusterFault.Unreachable, null, "was refused")]
    [InlineData("error: context \"prod\" does not exist", ClusterFault.Unreachable, null, "context \"prod\" does not exist")]
    [InlineData("error: You must be logged in to the server (Unauthorized)", ClusterFault.Unreachable, null, "logged in")]
    [InlineData("", ClusterFault.Unreachable, null, "without a word")]
    internal void a_failure_is_named_in_the_servers_words(string said, ClusterFault fault, string? reason, string expected)
    {
        var failure = Kubectl.Failure("listing jobs", said);
        (failure.Fault, failure.Reason).ShouldBe((fault, reason));
        failure.Said.ShouldContain(expected);
    }

    [Fact]
    public async Task without_kubectl_the_error_says_so_and_what_to_do()
    {
        await using var launcher = new KubernetesLauncher(new ClusterSettings(), folder.FullName, new Kubectl(null, "/nowhere/kubectl"));
        var failure = await Should.ThrowAsync<LabException>(() => launcher.PrepareAsync([], TestContext.Current.CancellationToken));

        failure.CameBack.ShouldStartWith("the program kubectl could not be started");
        failure.DoNext.ShouldStartWith("install kubectl");
    }

    [Fact]
    public async Task a_context_is_given_to_every_call_and_input_goes_in()
    {
        var program = Fake("""cat; echo "{\"said\":\"$*\"}" """);
        var answer = await new Kubectl("prod", program).CallAsync("x", ["create", "--raw", "/jobs"], "input ", TestContext.Current.CancellationToken);
        answer.Trim().ShouldBe("""input {"said":"--context prod create --raw /jobs --request-timeout=20s"}""");
    }

    [Theory]
    [InlineData("echo '[1]'")]
    [InlineData("echo '<html>'")]
    [InlineData("printf null")]
    public async Task an_answer_that_is_no_object_is_an_error_and_no_crash(string script)
    {
        var failure = await Should.ThrowAsync<ClusterException>(() =>
            new Kubectl(null, Fake(script)).GetAsync("listing jobs", "/jobs", TestContext.Current.CancellationToken));
        (failure.Fault, failure.Asked).ShouldBe((ClusterFault.Unreachable, "listing jobs"));
    }

    [Fact]
    public async Task a_cancelled_call_leaves_no_program_behind()
    {
        using var cancel = new CancellationTokenSource();
        var calling = new Kubectl(null, Fake($"echo $$ > {folder.FullName}/pid; exec sleep 60")).CallAsync("x", [], null, cancel.Token);
        while (!File.Exists(Path.Combine(folder.FullName, "pid")))
        {
            await Task.Delay(5, TestContext.Current.CancellationToken);
        }

        await cancel.CancelAsync();
        await Should.ThrowAsync<OperationCanceledException>(() => calling);
        var pid = int.Parse(await File.ReadAllTextAsync(Path.Combine(folder.FullName, "pid"), TestContext.Current.CancellationToken));
        Processes.ScriptFixture.IsRunning(pid).ShouldBeFalse();
    }

    /// <summary>The API server is restarted, or something on the way ends what stands open for long.</summary>
    [Fact]
    public async Task a_watch_that_is_cut_is_opened_anew()
    {
        const string Event = """echo '{"type":"MODIFIED","object":{"metadata":{"labels":{"perf-lab/node":"only"}},"status":""";
        await using var watch = new PodWatch(new Kubectl(null, Fake($$$$"""
            cd {{{{folder.FullName}}}}
            if [ ! -f cut ]; then : > cut; {{{{Event}}}}{"phase":"Running"}}}'; printf '{"type":"MOD'; exit 1; fi
            {{{{Event}}}}{"phase":"Failed","reason":"Evicted"}}}'
            exec sleep 60
            """)), "/pods");

        var ended = await watch.UntilAsync(() => watch.Of("only") is { End: not null } pod ? pod : null, TestContext.Current.CancellationToken);
        ended.End!.Reason.ShouldBe("Evicted");
    }

    [Fact]
    public async Task an_api_server_that_stays_away_during_a_launch_is_told_in_its_own_words()
    {
        var program = Fake("echo 'The connection to the server 10.0.0.1:443 was refused' >&2; exit 1");
        await using var watch = new PodWatch(new Kubectl(null, program), "/pods", patience: TimeSpan.Zero);

        var failure = await Should.ThrowAsync<ClusterException>(() => watch.UntilAsync(() => watch.Of("only"), TestContext.Current.CancellationToken));
        (failure.Fault, failure.Message).ShouldBe(
            (ClusterFault.Unreachable, "watching the pods of a launch: The connection to the server 10.0.0.1:443 was refused"));
    }

    private string Fake(string script)
    {
        var path = Path.Combine(folder.FullName, "kubectl");
        File.WriteAllText(path, "#!/bin/sh\n" + script + "\n");
        Executable.Make(path);

        return path;
    }
}
