using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Launching.Docker;

/// <summary>
/// A launcher's own folder on this machine, closed to everybody else: what containers see as /etc/hosts, and what launches left. All of it
/// is written by us.
/// </summary>
internal sealed class OutHome : IDisposable
{
    private readonly string _home;

    /// <param name="storeFolder">Holds the folder "out"; names in it say who owns them.</param>
    public OutHome(string storeFolder, Owner self)
    {
        var all = Directory.CreateDirectory(StoreFiles.ResultsOf(storeFolder)).FullName;
        RemoveDead(all);
        _home = Path.Combine(all, Invariant($"{self.Pid}-{self.Started}-{Guid.NewGuid():n}"));
        Directory.CreateDirectory(_home);
        File.SetUnixFileMode(_home, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        HostsFile = Path.Combine(_home, "hosts");
        File.WriteAllText(HostsFile, ContainerSpec.Hosts);
        File.SetUnixFileMode(HostsFile, Images.TarEntries.Readable); // whatever the umask here: the container's user reads it
    }

    /// <summary>What containers see as /etc/hosts.</summary>
    public string HostsFile { get; }

    /// <summary>Empty folders, one for each program of a launch; those of the launch before are gone.</summary>
    public IReadOnlyList<string> Renew(int count) => Renew("left", count);

    /// <summary>What the lab alone uses.</summary>
    public string Support => Directory.CreateDirectory(Path.Combine(_home, "watch")).FullName;

    /// <summary>An empty folder for the pipes of each arm of a round.</summary>
    public IReadOnlyList<string> RenewPipes(int count) => Renew("turns", count);

    public void Dispose() => StubbornFolder.Remove(_home);

    private string[] Renew(string name, int count)
    {
        StubbornFolder.Remove(Path.Combine(_home, name));
        return [.. Enumerable.Range(0, count)
            .Select(number => Directory.CreateDirectory(Path.Combine(_home, name, Invariant($"{number}"))).FullName)];
    }

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
                StubbornFolder.Remove(home);
            }
        }
    }
}
