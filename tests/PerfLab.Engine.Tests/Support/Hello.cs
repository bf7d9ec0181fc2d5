using System.Diagnostics;
using PerfLab.Building;
using PerfLab.Engine.Tests.Support;

[assembly: AssemblyFixture(typeof(Hello))]

namespace PerfLab.Engine.Tests.Support;

/// <summary>tests/fixtures/hello, published self-contained once a run, when the first test asks.</summary>
public sealed class Hello : IAsyncDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("perf-lab-hello-").FullName;
    private readonly Lazy<Task<Build>> _build;

    public Hello() => _build = new Lazy<Task<Build>>(PublishAsync);

    public Task<Build> Build => _build.Value;

    public async ValueTask DisposeAsync()
    {
        if (_build.IsValueCreated)
        {
            await Task.WhenAny(Build);
        }

        Directory.Delete(_folder, recursive: true);
    }

    private async Task<Build> PublishAsync()
    {
        var project = Path.Combine(EngineFixture.Repository, "tests", "fixtures", "hello", "hello.csproj");
        var start = new ProcessStartInfo("dotnet",
        [
            "publish", project, "-c", "Release", "-r", "linux-x64", "--self-contained", "true", "-o", _folder, "-v", "q", "--nologo",
            "-p:DisableTransitiveFrameworkReferenceDownloads=true",
        ])
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        process.ExitCode.ShouldBe(0, output);
        return new Build("sha256:hello", _folder, NeedsShell: false);
    }
}
