using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Kubernetes;

namespace PerfLab.Runner.Tests.Execution.Kubernetes;

/// <summary>
/// A stand-in for kubectl with a cluster behind it: nodes that take pods by name, by free cores and by whose pods are there. What it
/// answers is cut from answers of the kit (Kubernetes 1.33); that a real scheduler does the same is shown there (ClusterPlaceTests).
/// </summary>
internal sealed class FakeCluster : IDisposable
{
    /// <summary>Seconds: longer than a pod takes here on a busy machine.</summary>
    public const int Patient = 30;

    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly string program;

    /// <param name="nodes">Each with one free core.</param>
    public FakeCluster(params string[] nodes)
    {
        foreach (var name in new[] { "pods", "jobs", "nodes" })
        {
            folder.CreateSubdirectory(name);
        }

        foreach (var node in nodes)
        {
            Add(node);
        }

        program = Path.Combine(folder.FullName, "kubectl");
        File.WriteAllText(program, Script.ReplaceLineEndings("\n"));
        Executable.Make(program);
    }

    public static Build Build { get; } = new("sha256:x", "/", NeedsShell: false);

    /// <summary>"node instance" of every pod that is there, in the order in which they came.</summary>
    public IReadOnlyList<string> Pods => [.. folder.GetDirectories("pods")[0].GetFiles()
        .OrderBy(file => file.LastWriteTimeUtc).Select(file => File.ReadAllText(file.FullName).Trim())];

    /// <summary>Every job that was made, as it was asked for.</summary>
    public IReadOnlyList<string> Jobs => [.. folder.GetDirectories("jobs")[0].GetFiles()
        .OrderBy(file => file.LastWriteTimeUtc).Select(file => File.ReadAllText(file.FullName))];

    public void Add(string node) => File.WriteAllText(Path.Combine(folder.FullName, "nodes", node), "");

    /// <summary>Loses its power; the cluster takes its pods away.</summary>
    public void Lose(string node) => File.Delete(Path.Combine(folder.FullName, "nodes", node));

    public KubernetesLauncher Launcher(int startSeconds = Patient) => new(
        new ClusterSettings { StartSeconds = startSeconds, Deliver = ["{archive}"] }, folder.FullName, new Kubectl(null, program),
        (_, _) => Task.FromResult("perf-lab/build:1"));

    public async Task<KubernetesLauncher> ReadyAsync(int startSeconds = Patient)
    {
        var launcher = Launcher(startSeconds);
        await launcher.PrepareAsync([Build], TestContext.Current.CancellationToken);
        return launcher;
    }

    public static LaunchSpec Launch(string program = "./app", int cpus = 1) => new()
    {
        Session = "20261123-1",
        Build = Build,
        Command = [program],
        Environment = [new("PATH", "/bin")],
        Resources = new Resources(cpus, 64 << 20, 16),
        Timeout = TimeSpan.FromSeconds(20),
    };

    /// <summary>Ends at once, wherever it runs; gives the node.</summary>
    public static async Task<string> WhereAsync(KubernetesLauncher launcher)
    {
        var end = await launcher.LaunchAsync(Launch(), TestContext.Current.CancellationToken);
        end.How.ShouldBe(EndKind.Exited, end.Reason);
        return end.Evidence["node"]!.ToString();
    }

    public void Dispose() => folder.Delete(recursive: true);

    // One file for each pod, named by its launch, with its node and instance. Only what asks for cores takes some. A job is moved to its
    // place whole: whoever watches would otherwise read half of one, and give its node to a pod of nobody.
    private const string Script = """
        #!/bin/bash
        cd "$(dirname "$0")"
        path=$3
        exec 8<> <(:); nap() { read -rt 0.02 -u 8; }    # sleep would be a process each time, and there are hundreds
        launch() { grep -o "${1}pl-[a-z0-9-]*" <<<"$path" | sed "s/^$1//" | head -1; }
        event() { printf '{"type":"%s","object":{"metadata":{"name":"%s-x","labels":{"perf-lab/node":"only"}%s},"spec":{"nodeName":%s},"status":{%s}}}\n' "$@"; }
        place() { ( flock 9; choose "$1" ) 9>lock; }
        choose() {
          [ -e "pods/$1" ] && return
          job=jobs/$1; own=$(grep -o '"perf-lab/instance":"[^"]*"' $job | head -1 | cut -d'"' -f4)
          pin=$(grep -o '"metadata.name","operator":"In","values":\["[^"]*"' $job | cut -d'"' -f10)
          cores=$(grep -o '"cpu":"[0-9]*"' $job | head -1 | tr -dc 0-9)
          for node in $(ls nodes); do
            [ -n "$pin" ] && [ "$pin" != "$node" ] && continue
            [ "$cores" -gt 1 ] && continue
            grep -q '"operator":"NotIn","values":\["'$own'"' $job && cat pods/* 2>/dev/null | grep "^$node " | grep -qv " $own\$" && continue
            echo "$node $own" > "pods/$1"; return
          done
        }
        case "$1 $2 $3" in
        version*) echo '{"serverVersion":{"gitVersion":"v1.33.13"}}';;
        create*jobs\?dryRun*) cat >/dev/null; echo '{}';;
        create*accessreviews*) cat >/dev/null; echo '{"status":{"allowed":true}}';;
        create*) job=$(cat); path=$job; id=$(launch '"perf-lab\/launch":"'); printf %s "$job" > "new-$id"; mv "new-$id" "jobs/$id"; echo '{}';;
        get*networkpolicies*) echo '{}';;
        get*watch=1*)
          id=$(launch 'launch%3D'); said=
          while :; do
            if [ ! -e "jobs/$id" ]; then nap; continue; fi
            if [ -z "$said" ]; then place "$id"; fi
            if [ -e "pods/$id" ] && node=$(cut -d' ' -f1 "pods/$id") && [ -z "$said" ]; then
              said=yes; event ADDED "$id" '' "\"$node\"" '"phase":"Running","containerStatuses":[{"state":{"running":{}},"started":true}]'
              grep -q '"sleep"' "jobs/$id" || event MODIFIED "$id" '' "\"$node\"" '"phase":"Succeeded","containerStatuses":[{"state":{"terminated":{"exitCode":0,"reason":"Completed"}}}]'
            elif [ -z "$said$told" ]; then
              told=yes; event ADDED "$id" '' null '"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/2 nodes are available: 2 node(s) didn'"'"'t match pod anti-affinity rules."}]'
            elif [ -n "$said" ] && [ -e "pods/$id" ] && [ ! -e "nodes/$node" ] && [ "$said" != lost ]; then
              said=lost; event MODIFIED "$id" ',"deletionTimestamp":"2026-11-23T02:00:00Z"' "\"$node\"" '"conditions":[{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","message":"Taint manager: deleting due to NoExecute taint"}]'
            elif [ -n "$said$told" ] && [ -e "gone-$id" ]; then
              event DELETED "$id" '' null ''; exec sleep 60
            fi
            nap
          done;;
        get*log*) printf '\nperf-lab-frame-1\nfile result.json 2\ne30=\n.\nend 0\n';;
        get*) echo '{"items":[]}';;
        delete*launch%3D*) id=$(launch 'launch%3D'); rm -f "pods/$id"; touch "gone-$id";;
        delete*) ;;
        esac
        """;
}
