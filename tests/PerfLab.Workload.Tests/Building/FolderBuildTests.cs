using PerfLab.Building;
using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Building;

public sealed class FolderBuildTests : IDisposable
{
    private readonly FakeSdk _sdk = new();

    public FolderBuildTests()
    {
        _sdk.Write("run.sh", "#!/bin/sh");
        File.SetUnixFileMode(Path.Combine(_sdk.Workload, "run.sh"), UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    [Fact]
    public async Task a_folder_is_copied_as_it_is_with_its_executable_bits()
    {
        var build = (await BuildAsync()).Build.ShouldNotBeNull();
        build.NeedsShell.ShouldBeTrue();
        build.Folder.ShouldStartWith(_sdk.Store);
        File.GetUnixFileMode(Path.Combine(build.Folder, "run.sh")).HasFlag(UnixFileMode.UserExecute).ShouldBeTrue();
        _sdk.Publishes.ShouldBe(0);
        (await BuildAsync()).Build.ShouldBe(build);
    }

    [Fact]
    public async Task contents_names_and_executable_bits_make_the_identity_and_times_do_not()
    {
        var file = Path.Combine(_sdk.Workload, "run.sh");
        var first = (await BuildAsync()).Build!.Identity;
        File.SetLastWriteTimeUtc(file, DateTime.UtcNow);
        (await BuildAsync()).Build!.Identity.ShouldBe(first);

        File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var second = (await BuildAsync()).Build!.Identity;
        _sdk.Write("run.sh", "#!/bin/sh\n");
        var third = (await BuildAsync()).Build!.Identity;
        File.Move(file, file + "2");
        var fourth = (await BuildAsync()).Build!.Identity;
        new[] { first, second, third, fourth }.Distinct(StringComparer.Ordinal).Count().ShouldBe(4);
        first.ShouldMatch("^sha256:[0-9a-f]{64}$");
    }

    [Fact]
    public async Task a_link_is_refused_because_it_would_lead_out_of_the_copy()
    {
        File.CreateSymbolicLink(Path.Combine(_sdk.Workload, "secrets"), "/etc/passwd");
        (await BuildAsync()).Failure.ShouldNotBeNull().ShouldContain("secrets is a link");
    }

    public void Dispose() => _sdk.Dispose();

    private Task<BuildResult> BuildAsync() => _sdk.NewBuilder().BuildAsync(_sdk.Recipe with { Kind = BuildKind.None }, CancellationToken.None);
}
