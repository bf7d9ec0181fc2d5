using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Cleaning;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Commands.Options;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`clean`: removes what perf-lab made and can make again; sessions are results and stay.</summary>
internal static class CleanCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = Examples.Command("clean", "Remove builds, base images and, where an engine answers, the containers and images that perf-lab made. Sessions are kept.", ["./perf-lab clean"]);
        command.SetAction(async (_, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            using var machine = MachineLock.Take(terminal.MachineLock);
            var builds = RemoveFolder(lab.BuildStoreFolder) + RemoveFolder(SourceCommits.FolderOf(lab.Config));
            terminal.Out.WriteLine($"builds: {Size(builds)}");
            CleanResults(lab, terminal);
            if ((await EngineProbe.AskAsync(cancellationToken)).Usable)
            {
                await using var docker = new DockerLauncher(new DockerSettings { StoreFolder = lab.Config.Store });
                var removed = await docker.CleanAsync(cancellationToken);
                terminal.Out.WriteLine(Invariant($"docker: {removed.Containers.Count} containers, {removed.Images.Count} images and base files: {Size(removed.Bytes)}"));
                foreach (var problem in removed.Problems)
                {
                    terminal.Out.WriteLine($"docker: still there: {problem}");
                }
            }
            else
            {
                terminal.Out.WriteLine("docker: no engine answers, nothing looked at there");
            }

            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>What launches left where a session ended before it could take that away.</summary>
    private static void CleanResults(Lab lab, Terminal terminal)
    {
        var (removed, bytes, kept) = StubbornFolder.RemoveAll(
            StoreFiles.Results(lab.Config.Store).Concat(ProcessLauncher.DeadFolders(Path.GetTempPath())));
        terminal.Out.WriteLine(Invariant($"results of launches: {removed} folders of old sessions: {Size(bytes)}"));
        foreach (var folder in kept)
        {
            terminal.Out.WriteLine(
                $"results of launches: still there: {folder} holds files of another user, left by an older perf-lab: sudo rm -rf {folder}");
        }
    }

    private static long RemoveFolder(string folder)
    {
        if (!Directory.Exists(folder))
        {
            return 0;
        }

        var bytes = new DirectoryInfo(folder).EnumerateFiles("*", SearchOption.AllDirectories).Sum(file => file.Length);
        Directory.Delete(folder, recursive: true);
        return bytes;
    }

    private static string Size(long bytes) => Invariant($"{bytes / (1024.0 * 1024):0.0} MiB");
}
