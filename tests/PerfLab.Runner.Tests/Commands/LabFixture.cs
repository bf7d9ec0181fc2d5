using System.Diagnostics;
using PerfLab.Programs;
using PerfLab.Runner.Commands;

namespace PerfLab.Runner.Tests.Commands;

/// <summary>A small lab in a folder of its own, and the program as a function: arguments in, exit code and texts out.</summary>
public sealed class LabFixture : IDisposable
{
    /// <summary>The files of one session, measured when the first test asks for it: most only need that there is one.</summary>
    private static readonly Lazy<Task<Dictionary<string, byte[]>>> Measured = new(MeasureAsync);

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

    /// <summary>Where the person stands; null: at the root.</summary>
    public string? WorkingFolder { get; set; }

    public string MachineLock => Path.Combine(Root, "machine.lock");

    /// <summary>How <see cref="AddMeasuredSessionAsync"/>'s session was measured.</summary>
    public static string MeasuredAs =>
        "run behaving --base time=100 --head time=105 --rounds 0+13 --executor process --seed 7 --out session";

    /// <summary>What is called; the program that measures, where nothing else is said.</summary>
    public Func<string[], Terminal, CancellationToken, Task<int>> Program { get; set; } = CommandLine.InvokeAsync;

    /// <summary>By which its sessions wait.</summary>
    public TimeProvider Clock { get; set; } = TimeProvider.System;

    /// <summary>Is told each line on stderr as it comes: for what has to happen at a certain moment.</summary>
    public Action<string?> Hears { get; set; } = _ => { };

    public Task<(int Code, string Out, string Error)> RunAsync(string arguments, CancellationToken cancellationToken = default) =>
        RunWordsAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries), cancellationToken);

    /// <summary>The same for words that hold blanks.</summary>
    public async Task<(int Code, string Out, string Error)> RunWordsAsync(string[] arguments, CancellationToken cancellationToken = default)
    {
        using var output = new StringWriter();
        using var error = new HeardWriter(line => Hears(line));
        var terminal = new Terminal
        {
            Out = output,
            Error = error,
            Root = Root,
            WorkingFolder = WorkingFolder ?? Root,
            MachineLock = MachineLock,
            Clock = Clock,
            // Hundreds of sessions are run so, and a self-test takes as much as all else of one. It is done in a process of its own (Start).
            SelfTestRepeats = 0,
        };
        var code = await Program(arguments, terminal, cancellationToken);
        return (code, output.ToString(), error.ToString());
    }

    /// <summary>A session in the folder `session` in which head is 5 % slower, as <see cref="MeasuredAs"/> makes it.</summary>
    public async Task AddMeasuredSessionAsync()
    {
        foreach (var (name, content) in await Measured.Value)
        {
            Directory.CreateDirectory(Path.Combine(Root, "session"));
            await File.WriteAllBytesAsync(Path.Combine(Root, "session", name), content);
        }
    }

    /// <summary>The real program as a process of its own: for signals, and for an environment of its own.</summary>
    public Process Start(string arguments, params (string Name, string Value)[] environment)
    {
        // A script that starts the tests in the background makes them, and what they start, deaf to the interrupt that some of them send.
        var start = new ProcessStartInfo("env", ["--default-signal=INT", "dotnet", "exec", typeof(CommandLine).Assembly.Location, .. arguments.Split(' ')])
        {
            WorkingDirectory = Root,
            UseShellExecute = false,
            RedirectStandardError = true,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["PERF_LAB_ROOT"] = Root;
        start.Environment["TMPDIR"] = Root;
        foreach (var (name, value) in environment)
        {
            start.Environment[name] = value;
        }

        return Process.Start(start)!;
    }

    private static async Task<Dictionary<string, byte[]>> MeasureAsync()
    {
        using var lab = new LabFixture();
        var (code, _, error) = await lab.RunAsync(MeasuredAs);
        code.ShouldBe(0, error);
        return Directory.GetFiles(Path.Combine(lab.Root, "session")).ToDictionary(file => Path.GetFileName(file), File.ReadAllBytes);
    }

    public void Dispose() => Directory.Delete(Root, recursive: true);

    private sealed class HeardWriter(Action<string?> hears) : StringWriter
    {
        public override void WriteLine(string? value)
        {
            base.WriteLine(value);
            hears(value);
        }
    }
}
