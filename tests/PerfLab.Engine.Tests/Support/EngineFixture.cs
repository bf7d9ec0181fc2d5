using System.Diagnostics;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker;

[assembly: AssemblyFixture(typeof(EngineFixture))]

namespace PerfLab.Engine.Tests.Support;

/// <summary>
/// One engine for the whole run: DOCKER_HOST where it is set, otherwise the private one of tests/engine. Where none can be had, tests
/// are skipped with the reason; with CI=true that is a failure.
/// </summary>
public sealed class EngineFixture : IAsyncLifetime
{
    private string? _missing;
    private bool _isOurs;

    public EngineEndpoint Endpoint { get; private set; } = EngineEndpoint.Parse(null);

    /// <summary>Kept between runs: making the base images takes ten seconds.</summary>
    public static string StoreFolder { get; } = Path.Combine(Repository, ".perf-lab");

    public static string Repository
    {
        get
        {
            var folder = new DirectoryInfo(AppContext.BaseDirectory);
            while (folder is not null && !File.Exists(Path.Combine(folder.FullName, "perf-lab.sln")))
            {
                folder = folder.Parent;
            }

            return folder?.FullName ?? throw new InvalidOperationException("The tests run outside of the repository.");
        }
    }

    public async ValueTask InitializeAsync()
    {
        var host = Environment.GetEnvironmentVariable("DOCKER_HOST");
        if (string.IsNullOrEmpty(host))
        {
            (host, _missing) = await StartOwnAsync();
            _isOurs = host is not null;
        }

        if (_missing is null)
        {
            Endpoint = EngineEndpoint.Parse(host);
            var probe = await EngineProbe.AskAsync(Endpoint, CancellationToken.None, TimeSpan.FromSeconds(5));
            _missing = probe.Usable ? null : probe.Says;
        }
    }

    public ValueTask DisposeAsync() => default; // the engine stays for the next run; `tests/engine/engine down` stops it

    /// <summary>Skips the test when there is no engine, or fails it in CI.</summary>
    public void Require()
    {
        if (_missing is not null && Environment.GetEnvironmentVariable("CI") == "true")
        {
            Assert.Fail("CI needs an engine: " + _missing);
        }

        Assert.SkipWhen(_missing is not null, "no engine: " + _missing);
    }

    /// <summary>For tests that kill the engine: only the private one may be killed.</summary>
    public void RequireOwn()
    {
        Require();
        Assert.SkipUnless(_isOurs, "DOCKER_HOST names an engine that is not ours to kill");
    }

    public DockerSettings Settings(EngineDeadlines? deadlines = null) =>
        new() { StoreFolder = StoreFolder, Endpoint = Endpoint, Deadlines = deadlines ?? new EngineDeadlines() };

    public EngineClient Client() => new(Endpoint);

    /// <summary>Runs the engine script and gives (exit code, output, errors).</summary>
    public static async Task<(int ExitCode, string Output, string Errors)> ScriptAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo(Path.Combine(Repository, "tests", "engine", "engine"), arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, await output, await errors);
    }

    private static async Task<(string? Host, string? Missing)> StartOwnAsync()
    {
        if (!Environment.IsPrivilegedProcess)
        {
            return (null, "DOCKER_HOST is not set, and starting a private engine needs root");
        }

        var (exitCode, output, errors) = await ScriptAsync("up", "--install");
        const string variable = "DOCKER_HOST=";
        return exitCode == 0
            ? (output.Split('\n').Single(line => line.StartsWith(variable, StringComparison.Ordinal))[variable.Length..], null)
            : (null, $"tests/engine/engine up --install ended with {exitCode}: {errors.Trim()}");
    }
}
