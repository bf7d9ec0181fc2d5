using System.Diagnostics;

namespace PerfLab.Runner.Tests.History;

/// <summary>
/// A PostgreSQL of our own on a private socket, from the distribution's package; started by the first test that asks, and gone with the tests.
/// Where there is none, its tests are skipped by name.
/// </summary>
public sealed class Postgres : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("pl-pg-").FullName;
    private readonly Lock _lock = new();
    private Process? _server;
    private int _databases;

    /// <summary>Why there is none; null when there is.</summary>
    public static string? Missing { get; } = Bin is null ? "no PostgreSQL server in /usr/lib/postgresql: apt-get install postgresql" : null;

    private static string? Bin => Directory.Exists("/usr/lib/postgresql")
        ? Directory.GetDirectories("/usr/lib/postgresql").Order().Select(folder => Path.Combine(folder, "bin")).LastOrDefault(bin => File.Exists(Path.Combine(bin, "postgres")))
        : null;

    public int ServerId => _server!.Id;

    /// <summary>The connection string of a database that is empty.</summary>
    public string NewDatabase()
    {
        lock (_lock)
        {
            _server ??= Start();
            var name = $"h{++_databases}";
            Run($"{Bin}/createdb -h {_folder} -U lab {name}");
            return $"Host={_folder};Username=lab;Database={name};Timeout=10";
        }
    }

    public void Dispose()
    {
        if (_server is { HasExited: false })
        {
            // "fast": sessions are ended.
            Run($"kill -INT $(head -1 {_folder}/data/postmaster.pid)");
            _server.WaitForExit(10_000);
        }

        _server?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private Process Start()
    {
        // The server refuses to run as root, so it runs as the package's user.
        var asUser = Environment.IsPrivilegedProcess ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : "";
        if (asUser.Length > 0)
        {
            Run($"chown postgres {_folder}");
        }

        Run($"{asUser}{Bin}/initdb -D {_folder}/data -U lab -A trust -E UTF8 --locale=C.UTF-8 --no-sync");
        var server = Process.Start(new ProcessStartInfo("/bin/sh",
            ["-c", $"exec {asUser}{Bin}/postgres -D {_folder}/data -k {_folder} -c listen_addresses= -c fsync=off -c max_connections=20 >{_folder}/log 2>&1"]))!;
        for (var attempt = 0; attempt < 100 && !File.Exists(Path.Combine(_folder, ".s.PGSQL.5432")); attempt++)
        {
            Thread.Sleep(100);
        }

        Run($"for i in $(seq 50); do {Bin}/pg_isready -q -h {_folder} && exit 0; sleep 0.1; done; cat {_folder}/log; exit 1");
        return server;
    }

    private static void Run(string command)
    {
        using var process = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", $"exec 2>&1; cd /; {command}"]) { RedirectStandardOutput = true, UseShellExecute = false })!;
        var said = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        process.ExitCode.ShouldBe(0, said);
    }
}

[CollectionDefinition("history")]
public sealed class HistoryCollection : ICollectionFixture<Postgres>;
