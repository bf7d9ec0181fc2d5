using System.Runtime.InteropServices;
using PerfLab.Launching.Docker.Cleaning;

namespace PerfLab.Launching.Docker.Containers;

/// <summary>
/// The one writable place of a launch, fresh for each: as root a small tmpfs, limited in bytes and files; otherwise a plain folder
/// without limits. The last launch's stays until the next one begins or the launcher ends, so that its result can be read.
/// </summary>
internal sealed partial class ResultFolder : IDisposable
{
    // Room for a result, the JIT's list and a trace of one launch; it counts against the workload's own memory limit.
    private const string Limits = "size=64m,nr_inodes=64,uid=65532,gid=65532,mode=0700";
    private const ulong NoSetUid = 2;
    private const ulong NoDevices = 4;
    private const ulong NoExecution = 8;
    private const int Detach = 2;

    private readonly string _home;
    private int _count;
    private string? _current;

    /// <param name="storeFolder">Holds the folder "out"; names in it say who owns them.</param>
    public ResultFolder(string storeFolder, Owner self)
    {
        var all = Directory.CreateDirectory(Path.Combine(storeFolder, "out")).FullName;
        RemoveDead(all);
        _home = Path.Combine(all, Invariant($"{self.Pid}-{self.Started}-{Guid.NewGuid():n}"));
        Directory.CreateDirectory(_home);
        SetMode(_home, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        HostsFile = Path.Combine(_home, "hosts");
        File.WriteAllText(HostsFile, ContainerSpec.Hosts);
        SetMode(HostsFile, Images.TarEntries.Readable); // whatever the umask here: the container's user reads it
        IsLimited = Environment.IsPrivilegedProcess;
    }

    /// <summary>What containers see as /etc/hosts.</summary>
    public string HostsFile { get; }

    /// <summary>Whether a launch can't write more than the limits.</summary>
    public bool IsLimited { get; private set; }

    /// <summary>Takes the last launch's away and gives an empty one.</summary>
    public string Renew()
    {
        Drop();
        var folder = Path.Combine(_home, _count++.ToString(CultureInfo.InvariantCulture));
        Directory.CreateDirectory(folder);
        IsLimited = IsLimited && Mount("perf-lab", folder, "tmpfs", NoSetUid | NoDevices | NoExecution, Limits) == 0;
        if (!IsLimited)
        {
            // The container's user is nobody here; the parent folder keeps everybody else out.
            SetMode(folder, (UnixFileMode)0b111_111_111);
        }

        return _current = folder;
    }

    public void Dispose()
    {
        Drop();
        TryDelete(_home);
    }

    private void Drop()
    {
        if (_current is not null)
        {
            Remove(_current);
            _current = null;
        }
    }

    /// <summary>Folders of processes that are gone: their mounts would stay until the next boot.</summary>
    private static void RemoveDead(string all)
    {
        foreach (var home in Directory.EnumerateDirectories(all))
        {
            var name = Path.GetFileName(home).Split('-');
            if (name.Length == 3
                && int.TryParse(name[0], NumberStyles.None, CultureInfo.InvariantCulture, out var pid)
                && long.TryParse(name[1], NumberStyles.None, CultureInfo.InvariantCulture, out var started)
                && ProcessStat.Of(pid)?.Started != started)
            {
                foreach (var folder in Directory.EnumerateDirectories(home))
                {
                    Remove(folder);
                }

                TryDelete(home);
            }
        }
    }

    private static void SetMode(string path, UnixFileMode mode)
    {
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(path, mode);
        }
    }

    private static void Remove(string folder)
    {
        // Detached first: what a hostile workload left in the tmpfs goes with it and is never walked through.
        _ = Unmount(folder, Detach);
        TryDelete(folder);
    }

    private static void TryDelete(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
        }
        catch (Exception kept) when (kept is IOException or UnauthorizedAccessException)
        {
            // Not root, and the container's user left folders of its own: they stay until somebody with the right cleans the store.
        }
    }

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "mount", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Mount(string source, string target, string type, ulong flags, string data);

    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    [LibraryImport("libc", EntryPoint = "umount2", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Unmount(string target, int flags);
}
