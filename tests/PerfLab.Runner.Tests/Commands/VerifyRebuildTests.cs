using System.Text;
using PerfLab.Runner.Tests.Commits;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>`verify --rebuild` over a session of two commits of a real repository.</summary>
public sealed class VerifyRebuildTests : IDisposable
{
    private readonly CommittedLab _lab = new();

    public void Dispose() => _lab.Dispose();

    [Fact]
    public async Task commits_are_built_again_and_what_is_not_the_same_is_named()
    {
        _lab.Commit("Slower", 105);
        var (code, _, error) = await _lab.RunAsync(
            "run behaving --base begin --head main --rounds 0+2 --seed 7 --executor process --out session");
        code.ShouldBe(0, error);

        (code, var output, error) = await _lab.RunAsync("verify session --rebuild");
        code.ShouldBe(0, output + error);
        output.ShouldContain("  ok    rebuilt  2 of 2 builds were made again from their commits, and are the same bits");

        // Somebody measured another program under the commit's name: the build is kept, the journal and builds.json agree with it.
        var checkouts = _lab.At(".perf-lab/checkouts");
        var head = Directory.EnumerateFiles(checkouts, "run.sh", SearchOption.AllDirectories)
            .Single(file => File.ReadAllText(file).Contains("105", StringComparison.Ordinal));
        var text = await File.ReadAllTextAsync(head);
        await File.WriteAllTextAsync(head, text.Replace("105", "100", StringComparison.Ordinal), new UTF8Encoding(false));
        (code, output, _) = await _lab.RunAsync("verify session --rebuild");
        code.ShouldBe(1, output);
        output.ShouldContain("FLAW  rebuilt");
        output.ShouldContain("is not the commit any more");

        // What was built is not what the commit builds.
        await File.WriteAllTextAsync(head, text, new UTF8Encoding(false));
        await ForgeAsync();
        (code, output, _) = await _lab.RunAsync("verify session --rebuild");
        code.ShouldBe(1, output);
        output.ShouldContain("builds sha256:");
        output.ShouldContain($"the session has sha256:{new string('0', 64)}");

        // The commits are nowhere any more: said, and no flaw.
        Directory.Delete(checkouts, recursive: true);
        _lab.Git("update-ref", "-d", "refs/tags/begin");
        _lab.Git("checkout", "--quiet", "--orphan", "other");
        _lab.Git("commit", "--quiet", "--message", "Begin anew");
        _lab.Git("branch", "--quiet", "-D", "main");
        _lab.Git("reflog", "expire", "--expire=now", "--all");
        _lab.Git("gc", "--quiet", "--prune=now");
        (_, output, _) = await _lab.RunAsync("verify session --rebuild");
        output.ShouldContain("  -     rebuilt  ");
    }

    /// <summary>builds.json says of head's build that it is another one.</summary>
    private async Task ForgeAsync()
    {
        var file = _lab.At("session/builds.json");
        var builds = System.Text.Json.Nodes.JsonNode.Parse(await File.ReadAllTextAsync(file))!;
        var arm = builds["arms"]!.AsArray().Single(one => (string?)one!["arm"] == "head")!;
        arm["build"]!["identity"] = $"sha256:{new string('0', 64)}";
        await File.WriteAllTextAsync(file, builds.ToJsonString());
    }
}
