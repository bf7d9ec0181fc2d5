using PerfLab.Building.Runtimes;
using PerfLab.Building.Tools;
using PerfLab.Core.Model;

namespace PerfLab.Workload.Tests.Building;

/// <summary>A package source that serves what a test says, or is silent: a script in the SDK's place that answers `dotnet package search`.</summary>
public abstract class PackageSourceTests : IDisposable
{
    protected const string Runtime = "Microsoft.NETCore.App.Runtime.linux-x64", AspNetCore = "Microsoft.AspNetCore.App.Runtime.linux-x64";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-runtimes-");

    protected SettableClock Clock { get; } = new();

    public void Dispose()
    {
        _folder.Delete(recursive: true);
        GC.SuppressFinalize(this);
    }

    private const string SilentAnswer = """{"searchResult":[{"sourceName":"the-feed","problems":[{"text":"Unable to load the service index"}],"packages":[]}]}""";

    protected RuntimeCatalog Silent() => new(Store, new DotnetCli(Script($"echo '{SilentAnswer}'\n")), Clock) { Packages = Packages };

    protected string Store => Path.Combine(_folder.FullName, "store");
    protected string Packages => Path.Combine(_folder.FullName, "packages");

    protected static PerfLab.Core.Model.Workload Workload(IReadOnlyList<string> runtimes, bool aspNetCore = false) => new()
    {
        Name = aspNetCore ? "web" : "console",
        Summary = "",
        Folder = "/",
        Build = new() { Kind = BuildKind.Dotnet, Project = "x.csproj", Runtimes = runtimes, AspNetCore = aspNetCore },
        Command = ["./x"],
        Modes = [new("steady", [new("throughput", "1/s", Better.Higher, Primary: true)])],
        Launch = new(0, 1, 10),
        Resources = new(2, 1L << 30, 64),
    };

    protected RuntimeCatalog Catalog(params (string Id, string Versions)[] packs) => Catalog(packs, sameIl: false);

    protected RuntimeCatalog Catalog((string Id, string Versions)[] packs, bool sameIl) =>
        new(Store, new DotnetCli(Dotnet(packs)), Clock) { Packages = Packages, SameIl = sameIl };

    // A stand-in for the SDK whose one package source has these versions.
    protected string Dotnet((string Id, string Versions)[] packs) => Script(
        "[ \"$1 $2 $4 $5 $6 $7\" = 'package search --exact-match --prerelease --format json' ] || exit 7\n"
        + "case \"$3\" in\n" + string.Concat(packs.Select(pack => $"{pack.Id}) versions='{pack.Versions}' ;;\n")) + "esac\n"
        + "for version in $versions; do packages=\"$packages${packages:+,}{\\\"id\\\":\\\"$3\\\",\\\"version\\\":\\\"$version\\\"}\"; done\n"
        + "echo \"{\\\"version\\\":2,\\\"problems\\\":[],\\\"searchResult\\\":[{\\\"sourceName\\\":\\\"the-feed\\\",\\\"packages\\\":[$packages]}]}\"\n");

    protected string Script(string body)
    {
        var file = Path.Combine(_folder.FullName, Guid.NewGuid().ToString("n"));
        File.WriteAllText(file, "#!/bin/sh\n" + body);
        Executable.Make(file);
        return file;
    }

    protected void Unpack(string patch)
    {
        var folder = Directory.CreateDirectory(Path.Combine(Packages, Runtime.ToLowerInvariant(), patch));
        File.WriteAllText(Path.Combine(folder.FullName, ".nupkg.metadata"), "{}");
    }

    protected sealed class SettableClock : TimeProvider
    {
        public DateTimeOffset Now { get; set; } = new(2026, 11, 21, 0, 0, 0, TimeSpan.Zero);

        public override DateTimeOffset GetUtcNow() => Now;
    }
}
