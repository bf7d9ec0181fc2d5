using PerfLab.Building.Tools;

namespace PerfLab.Runner.Tests.Steps;

/// <summary>Commits of a repository with a submodule, which has one itself.</summary>
public sealed class SubmoduleTests : IDisposable
{
    private readonly TwoCommits _lab = new();
    private string _base = "", _head = "";

    private void Prepare()
    {
        _lab.Git("stash", "--quiet");
        Repository("deep", "deep.txt", "deepest");
        Repository("lib", "lib.txt", "one");
        In("lib", "submodule", "--quiet", "add", _lab.At("deep"), "inner");
        In("lib", "commit", "--quiet", "-m", "with deep");
        In("repo", "submodule", "--quiet", "add", "--name", "named", _lab.At("lib"), "ext/lib");
        In("repo", "submodule", "--quiet", "update", "--init", "--recursive");
        _base = _lab.Commit("echo one");
        File.WriteAllText(_lab.At("repo/ext/lib/lib.txt"), "two");
        In("repo/ext/lib", "commit", "--quiet", "-am", "two");
        _head = _lab.Commit("echo two");
    }

    [Fact]
    public async Task a_checkout_has_each_submodule_at_the_commit_that_was_recorded()
    {
        Prepare();
        await CheckedOutAsync();
        (Of(_base, "ext/lib/lib.txt"), Of(_head, "ext/lib/lib.txt")).ShouldBe(("one", "two"));
        Of(_base, "ext/lib/inner/deep.txt").ShouldBe("deepest");
        In("repo", "status", "--porcelain").ShouldBeEmpty();
    }

    [Fact]
    public async Task one_that_the_clone_has_no_more_checked_out_is_found_in_its_own_folder()
    {
        Nightly.Only("10 seconds: it is the end of the next");
        Prepare();
        In("repo", "submodule", "--quiet", "deinit", "--all", "--force");
        await CheckedOutAsync();
        Of(_head, "ext/lib/lib.txt").ShouldBe("two");
    }

    [Fact]
    public async Task one_that_is_not_here_stays_empty_is_named_and_is_filled_when_it_comes()
    {
        Nightly.Only("10 seconds");
        Prepare();
        In("repo", "submodule", "--quiet", "deinit", "--all", "--force");
        Directory.Move(_lab.At("repo/.git/modules"), _lab.At("modules"));
        await CheckedOutAsync();
        Directory.GetFileSystemEntries(At(_head, "ext/lib")).ShouldBeEmpty();
        Submodules.Advice(At(_head, "workloads/echo")).ShouldNotBeNull().ShouldStartWith("A submodule is not here: ext/lib. In your clone `git submodule update --init");

        Directory.Move(_lab.At("modules"), _lab.At("repo/.git/modules"));
        await CheckedOutAsync();
        Of(_head, "ext/lib/lib.txt").ShouldBe("two");
        Submodules.Advice(At(_head, "workloads/echo")).ShouldBeNull();
    }

    [Fact]
    public async Task one_without_the_recorded_commit_stays_empty()
    {
        Nightly.Only("5 seconds");
        Prepare();
        // A shallow clone of the submodule has the newest alone.
        Directory.Delete(_lab.At("repo/.git/modules/named"), recursive: true);
        In("", "clone", "--quiet", "--bare", "--depth", "1", "file://" + _lab.At("deep"), _lab.At("repo/.git/modules/named"));
        Directory.Delete(_lab.At("repo/ext/lib"), recursive: true);
        await CheckedOutAsync();
        Directory.GetFileSystemEntries(At(_head, "ext/lib")).ShouldBeEmpty();
    }

    [Fact]
    public void a_repository_without_submodules_has_no_advice()
    {
        Repository("deep", "deep.txt", "deepest");
        Submodules.Advice(_lab.At("deep")).ShouldBeNull();
    }

    public void Dispose() => _lab.Dispose();

    private async Task CheckedOutAsync()
    {
        await _lab.PlanAsync("echo", "--base", _base, "--head", _head);
        var (exit, _, error) = await _lab.RunAsync("build", "plan.json", "--executor", "process");
        exit.ShouldBe(0, error);
    }

    private string At(string commit, string path) => _lab.At($"repo/.perf-lab/checkouts/{commit}/repo/{path}");

    private string Of(string commit, string path) => File.ReadAllText(At(commit, path));

    private void Repository(string name, string file, string text)
    {
        _lab.Write($"{name}/{file}", text);
        In(name, "init", "--quiet", "--initial-branch=main");
        In(name, "add", "-A");
        In(name, "commit", "--quiet", "-m", text);
    }

    private string In(string folder, params string[] arguments) => _lab.Git(
        ["-C", _lab.At(folder), "-c", "protocol.file.allow=always", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", .. arguments]);
}
