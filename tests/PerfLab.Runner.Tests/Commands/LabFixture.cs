using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>A small lab in a folder of its own, and the program as a function: arguments in, exit code and texts out.</summary>
public sealed class LabFixture : IDisposable
{
    public LabFixture()
    {
        foreach (var file in Directory.EnumerateFiles(Source, "*", SearchOption.AllDirectories))
        {
            var target = Path.Combine(Root, Path.GetRelativePath(Source, file));
            Directory.CreateDirectory(Path.GetDirectoryName(target)!);
            File.Copy(file, target);
        }
    }

    private static string Source => Path.Combine(AppContext.BaseDirectory, "fixtures", "lab");

    public string Root { get; } = Directory.CreateTempSubdirectory("lab-").FullName;

    public string MachineLock => Path.Combine(Root, "machine.lock");

    public async Task<(int Code, string Out, string Error)> RunAsync(string arguments, CancellationToken cancellationToken = default)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var terminal = new Terminal { Out = output, Error = error, Root = Root, WorkingFolder = Root, MachineLock = MachineLock };
        var code = await CommandLine.InvokeAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries), terminal, cancellationToken);
        return (code, output.ToString(), error.ToString());
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);
}
