using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>
/// What a pod runs: the workload with exactly its own environment, and after its end a frame in the log with what it left in /out and
/// what the kernel counted. Nothing of it runs while the workload does, but a shell that waits.
/// </summary>
internal static class LaunchScript
{
    public const string ResultPath = "/out/result.json";

    /// <summary>First line of the frame. A workload may print it, too: the last one counts, and it forges only its own.</summary>
    public const string Header = "perf-lab-frame-1";

    /// <summary>Where a pod of several finds the addresses of all: it waits until they are there.</summary>
    public const string GateFolder = "/lab";
    public const string GateFile = "nodes";

    /// <summary>Larger than /out: only a sparse file claims so much.</summary>
    public const long MostOfFile = 64 << 20;

    /// <summary>Of both versions of cgroups; what is there is sent.</summary>
    public static readonly IReadOnlyList<string> Kernel =
    [
        "/sys/fs/cgroup/cpu.stat", "/sys/fs/cgroup/memory.peak", "/sys/fs/cgroup/memory.events",
        "/sys/fs/cgroup/cpuacct/cpuacct.usage", "/sys/fs/cgroup/cpu/cpu.stat", "/sys/fs/cgroup/memory/memory.max_usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.oom_control", "/proc/self/status", "/proc/version",
    ];

    // POSIX sh with coreutils. `env -i`: Kubernetes adds variables of its own (HOSTNAME, KUBERNETES_SERVICE_HOST …), a shell others.
    private static readonly string Text = $$"""
        gate=$1; shift
        if [ "$gate" = wait ]; then
          until [ -s {{GateFolder}}/{{GateFile}} ]; do sleep 0.02; done
          nodes=$(cat {{GateFolder}}/{{GateFile}})
          for word do
            shift
            case $word in {{NodeVariables.Nodes}}=*) word={{NodeVariables.Nodes}}=$nodes;; esac
            set -- "$@" "$word"
          done
        fi
        env -i "$@" </dev/null
        code=$?
        printf '\n{{Header}}\n'
        for file in {{string.Join(' ', Kernel)}}; do
          [ -r "$file" ] && printf 'kernel %s %s\n' "$file" "$(base64 -w 0 <"$file" 2>/dev/null)"
        done
        printf 'kernel cpu %s\n' "$(grep -m 1 '^model name' /proc/cpuinfo | base64 -w 0)"
        for file in /out/*; do
          name=${file#/out/}
          case $name in *[!A-Za-z0-9._-]*) continue;; esac
          if [ -L "$file" ] || [ ! -f "$file" ]; then printf 'other %s\n' "$name"; continue; fi
          size=$(stat -c %s "$file")
          if [ "$size" -gt {{MostOfFile}} ]; then printf 'big %s %s\n' "$name" "$size"; continue; fi
          printf 'file %s %s\n' "$name" "$size"
          base64 -w 12000 "$file"
          printf '.\n'
        done
        printf 'end %s\n' "$code"
        exit $code
        """.ReplaceLineEndings("\n");

    /// <param name="waits">For the addresses of the other nodes.</param>
    /// <param name="environment">Complete and in order.</param>
    public static IReadOnlyList<string> Command(
        bool waits, IEnumerable<KeyValuePair<string, string>> environment, IReadOnlyList<string> program) =>
        ["/bin/sh", "-c", Text, "perf-lab", waits ? "wait" : "go", .. environment.Select(pair => $"{pair.Key}={pair.Value}"), .. program];
}
