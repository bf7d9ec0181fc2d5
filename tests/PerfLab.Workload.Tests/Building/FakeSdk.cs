using PerfLab.Building.Tools;
using PerfLab.Building;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;

namespace PerfLab.Workload.Tests.Building;

/// <summary>
/// A workload in a temporary folder, and a stand-in for the SDK that "compiles" it by copying its sources: what the builder does around
/// a publish is tested in milliseconds. Files in the control folder tell the stand-in to misbehave.
/// </summary>
public sealed class FakeSdk : IDisposable
{
    private const string Script = """
        #!/bin/sh
        control=$(dirname "$0")
        if [ -f global.json ]; then
          echo "10.0.400 [/usr/share/dotnet/sdk]"
          printf 'A compatible .NET SDK was not found.\n\nRequested SDK version: 8.0.100\nglobal.json file: %s/global.json\n\nInstalled SDKs:\n' "$PWD" >&2
          exit 155
        fi
        if [ "$1" = --version ]; then echo 10.0.400; exit; fi
        while [ $# -gt 0 ]; do
          case "$1" in
            -o) out=$2; shift ;;
            *.csproj) project=$1 ;;
            -p:PerfLabInputs=*) inputs=${1#*=} ;;
          esac
          shift
        done
        echo started >> "$control/publishes"
        mkdir -p "$out"
        cat "$(dirname "$project")"/*.cs > "$out/app"
        { echo "project $project"; cat "$control/more-inputs" 2>/dev/null; } > "$inputs"
        if [ -f "$control/hang" ]; then sleep 600 & echo $! > "$control/child"; wait; fi
        if [ -f "$control/touch" ]; then touch "$(dirname "$project")/Program.cs"; fi
        if [ -f "$control/slow" ]; then sleep 0.3; fi
        if [ -f "$control/warning" ]; then cat "$control/warning"; fi
        if [ -f "$control/output" ]; then cat "$control/output"; exit 1; fi
        """;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("perf-lab-fake-sdk-");

    public FakeSdk()
    {
        Directory.CreateDirectory(Workload);
        File.WriteAllText(Path.Combine(Workload, "App.csproj"), "<Project />");
        Write("Program.cs", "one");
        File.WriteAllText(Dotnet, Script);
        Executable.Make(Dotnet);
    }

    public string Root => _folder.FullName;
    public string Workload => Path.Combine(Root, "repository", "workload");
    public string Store => Path.Combine(Root, "store");
    public string Dotnet => Path.Combine(Root, "dotnet");

    public int Publishes => File.Exists(Path.Combine(Root, "publishes")) ? File.ReadAllLines(Path.Combine(Root, "publishes")).Length : 0;

    public BuildRecipe Recipe => new()
    {
        Workload = "fake",
        Folder = Workload,
        Kind = BuildKind.Dotnet,
        Project = "App.csproj",
        TargetFramework = "net10.0",
        RuntimePatch = "10.0.14",
    };

    public Builder NewBuilder() => new(Store, new DotnetCli(Dotnet));

    /// <summary>Writes a source that is older than any build.</summary>
    public void Write(string name, string text)
    {
        var file = Path.Combine(Workload, name);
        Directory.CreateDirectory(Path.GetDirectoryName(file)!);
        File.WriteAllText(file, text);
        File.SetLastWriteTimeUtc(file, DateTime.UtcNow.AddHours(-1));
    }

    public void Tell(string what, string text = "") => File.WriteAllText(Path.Combine(Root, what), text);

    /// <summary>Builds and expects bits.</summary>
    public async Task<Build> BuildAsync(Func<BuildRecipe, BuildRecipe>? with = null)
    {
        var result = await NewBuilder().BuildAsync((with ?? (recipe => recipe))(Recipe), CancellationToken.None);
        return result.Build.ShouldNotBeNull(result.Failure ?? result.Unavailable);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
