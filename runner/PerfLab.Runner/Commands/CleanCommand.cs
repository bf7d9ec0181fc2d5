using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Processes;
using PerfLab.Programs;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Waiting;

namespace PerfLab.Runner.Commands;

/// <summary>`clean`: removes what perf-lab made and can make again; sessions are results and stay.</summary>
internal static class CleanCommand
{
    /// <summary>Root file systems that perf-lab's own tests make; they mark one that they use.</summary>
    private static readonly string[] OfTests = ["machines", "hosts"];

    public static Command Create(Terminal terminal)
    {
        var show = new Option<bool>("--dry-run") { Description = "Show what it would take, and remove nothing." };
        var command = Examples.Command("clean",
            "Remove builds, base images and, where an engine answers, the containers and images that perf-lab made. Sessions are kept, "
                + "and so are the builds of one that can be resumed.",
            ["./perf-lab clean", "./perf-lab clean --dry-run"]).With(show);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var lab = Lab.Open(terminal);
            using var machine = MachineLock.Take(terminal.MachineLock);
            var isShown = parsed.GetValue(show);
            CleanBuilds(lab, isShown);
            CleanRoots(lab, isShown);
            if (isShown)
            {
                terminal.Out.WriteLine("docker: not looked at; what perf-lab made there goes too");
                return ExitCode.Done;
            }

            CleanResults(lab, terminal);
            await CleanDockerAsync(lab, terminal, cancellationToken);
            return ExitCode.Done;
        });
        return command;
    }

    private static void CleanBuilds(Lab lab, bool isShown)
    {
        var needed = NeededBuilds.Of(lab.Config, lab.Terminal.Clock.GetUtcNow().UtcDateTime);
        var all = OldBuilds.All(lab.Config);
        var goes = all.Where(folder => !needed.Contains(folder.Path)).ToList();
        Tell(lab, "builds", isShown, goes);
        if (goes.Count < all.Count)
        {
            var stays = all.Except(goes).ToList();
            lab.Terminal.Out.WriteLine($"builds: still there: {OldBuilds.Told(stays)} of sessions that `run --resume` can go on with; "
                + "remove their folders to let them go");
        }

        if (!isShown && goes.Count == all.Count)
        {
            Remove(lab.BuildStoreFolder); // and what is known of them
            Remove(SourceCommits.FolderOf(lab.Config));
        }
    }

    private static void CleanRoots(Lab lab, bool isShown)
    {
        var now = lab.Terminal.Clock.GetUtcNow().UtcDateTime;
        foreach (var place in OfTests.Select(name => new DirectoryInfo(Path.Combine(lab.Config.Store, name))).Where(place => place.Exists))
        {
            var files = place.EnumerateFiles("*.tar").Select(file => new StoredFolder(file.FullName, file.Length, file.LastWriteTimeUtc));
            var goes = StoredFolder.Below(place.FullName).Concat(files)
                .Where(root => now - root.LastUsed > TimeSpan.FromDays(1)).ToList();
            if (goes.Count > 0)
            {
                Tell(lab, $"root file systems of tests ({place.Name})", isShown, goes);
            }
        }
    }

    private static void Tell(Lab lab, string what, bool isShown, IReadOnlyList<StoredFolder> folders)
    {
        var stays = isShown ? [] : folders.Where(folder => !folder.Remove()).ToList();
        var bytes = OldBuilds.Size(folders.Except(stays).Sum(folder => folder.Bytes));
        lab.Terminal.Out.WriteLine(isShown ? $"{what}: would take {OldBuilds.Told(folders)}" : $"{what}: {bytes}");
        stays.ForEach(folder => lab.Terminal.Out.WriteLine($"{what}: still there: {folder.Path}"));
    }

    private static async Task CleanDockerAsync(Lab lab, Terminal terminal, CancellationToken cancellationToken)
    {
        if (!(await EngineProbe.AskAsync(cancellationToken)).Usable)
        {
            terminal.Out.WriteLine("docker: no engine answers, nothing looked at there");
            return;
        }

        await using var docker = new DockerLauncher(new DockerSettings { StoreFolder = lab.Config.Store });
        var removed = await docker.CleanAsync(cancellationToken);
        terminal.Out.WriteLine(Invariant($"docker: {removed.Containers.Count} containers, {removed.Images.Count} images ")
            + $"and base files: {OldBuilds.Size(removed.Bytes)}");
        foreach (var problem in removed.Problems)
        {
            terminal.Out.WriteLine($"docker: still there: {problem}");
        }
    }

    /// <summary>What launches left where a session ended before it could take that away.</summary>
    private static void CleanResults(Lab lab, Terminal terminal)
    {
        var (removed, bytes, kept) = StubbornFolder.RemoveAll(
            StoreFiles.Results(lab.Config.Store).Concat(ProcessLauncher.DeadFolders(Path.GetTempPath())));
        terminal.Out.WriteLine(Invariant($"results of launches: {removed} folders of old sessions: {OldBuilds.Size(bytes)}"));
        foreach (var folder in kept)
        {
            terminal.Out.WriteLine(
                $"results of launches: still there: {folder} holds files of another user, left by an older perf-lab: sudo rm -rf {folder}");
        }
    }

    private static void Remove(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
