namespace PerfLab.Launching.Processes;

/// <summary>
/// The sandbox around a launch where it is installed: no network but loopback, read-only files, own pid, ipc and uts
/// namespaces, no capabilities, nothing outlives it. It has no seccomp filter; cores and memory are limited from outside.
/// </summary>
internal sealed record Bubblewrap(string Program, string SupportFolder)
{
    public const string ResultPath = "/out/result.json";
    private const long TemporaryBytes = 64 << 20;

    // Never in an environment by accident, and the same on every machine: inside, the workload is nobody in particular.
    private const string NumericUser = "65532";

    /// <summary>
    /// What follows the program. <c>--remount-ro /</c> comes last of the mounts because the root would stay writable;
    /// <c>--unshare-user</c> is explicit because <c>--disable-userns</c> wants it.
    /// </summary>
    /// <param name="keepsNetwork">It is started in a network of the launch's own, which holds nothing but a loopback.</param>
    public IReadOnlyList<string> Arguments(string output, LaunchSpec launch, MemoryCgroup? memory, bool keepsNetwork = false) =>
    [
        "--json-status-fd", Invariant($"{LaunchShell.StatusFd}"), "--unshare-user", "--unshare-all", .. keepsNetwork ? ["--share-net"] : Array.Empty<string>(),
        "--disable-userns", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv",
        "--ro-bind", "/usr", "/usr", .. SystemFolders(),
        "--ro-bind-try", "/etc/ssl", "/etc/ssl", "--ro-bind-try", "/etc/alternatives", "/etc/alternatives",
        "--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache",
        "--ro-bind", Path.Combine(SupportFolder, "hosts"), "/etc/hosts", "--ro-bind", Path.Combine(SupportFolder, "passwd"), "/etc/passwd",
        "--proc", "/proc", "--dev", "/dev",
        "--perms", "0700", "--size", TemporaryBytes.ToString(CultureInfo.InvariantCulture), "--tmpfs", "/tmp",
        .. OwnCgroup(memory),
        "--bind", output, "/out", "--ro-bind", launch.Build.Folder, "/app", "--remount-ro", "/", "--chdir", "/app",
        "--hostname", "workload", "--uid", NumericUser, "--gid", NumericUser,
        .. launch.Environment.SelectMany(pair => new[] { "--setenv", pair.Key, pair.Value }),
        .. OutVariables.Of(launch, ResultPath).SelectMany(pair => new[] { "--setenv", pair.Key, pair.Value }),
        "--", .. WithoutFolderVariable(launch), .. launch.Command,
    ];

    /// <summary>Writes the few files that the sandbox needs: without /etc/hosts even "localhost" has no address.</summary>
    public static void WriteSupport(string folder)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, "hosts"), "127.0.0.1 localhost workload\n::1 localhost\n");
        File.WriteAllText(Path.Combine(folder, "passwd"), $"workload:x:{NumericUser}:{NumericUser}::/tmp:/usr/sbin/nologin\n");
    }

    // The runtime sizes its heap by the limit that it sees. Inside its cgroup namespace this cgroup is the root, and is found where roots are.
    private static string[] OwnCgroup(MemoryCgroup? memory) =>
        memory is null ? [] : ["--ro-bind", memory.Folder, memory.IsVersion2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"];

    // bwrap sets PWD behind --clearenv; a workload's environment is exactly what the plan says.
    private static string[] WithoutFolderVariable(LaunchSpec launch) =>
        launch.Environment.Any(pair => pair.Key is "PWD") || launch.Command[0].Contains('=')
            ? []
            : ["/usr/bin/env", "-u", "PWD"];

    /// <summary>/lib, /bin and the like: links where /usr is merged, folders of their own elsewhere.</summary>
    private static IEnumerable<string> SystemFolders() =>
        new[] { "/lib", "/lib64", "/bin", "/sbin" }.SelectMany(folder => new DirectoryInfo(folder) switch
        {
            { Exists: false } => [],
            { LinkTarget: { } target } => ["--symlink", target, folder],
            _ => new[] { "--ro-bind", folder, folder },
        });
}
