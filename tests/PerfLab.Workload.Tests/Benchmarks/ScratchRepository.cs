using System.Diagnostics;

namespace PerfLab.Workload.Tests.Benchmarks;

/// <summary>A folder with a git repository in it, which a test writes and commits.</summary>
/// <param name="folder">What names of files are relative to.</param>
/// <param name="repository">The repository's folder in it; empty: the folder itself.</param>
internal sealed class ScratchRepository(string folder, string repository = "")
{
    public string Folder { get; } = folder;

    public void Write(string name, string text)
    {
        var path = Path.Combine(Folder, name);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllText(path, text);
    }

    /// <summary>All that is there.</summary>
    public void Commit(string message)
    {
        Git("add", "--all");
        Git("commit", "--quiet", "--message", message);
    }

    public void Git(params string[] arguments)
    {
        using var process = Process.Start("git",
            ["-C", Path.Combine(Folder, repository), "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", .. arguments]);
        process.WaitForExit();
        process.ExitCode.ShouldBe(0);
    }
}
