using System.Diagnostics;
using System.Globalization;
using Akka.Actor;
using PerfLab.Workloads.AkkaRemote;

namespace PerfLab.Workloads.AkkaRemoteTwoProcesses;

/// <summary>
/// The echo actors live in a process of their own: this program, started with <see cref="Argument"/>. It gets one word a line and answers
/// with one line; when its input ends, because this process let go or died, it exits.
/// </summary>
internal sealed class OtherProcess : IEchoSide
{
    /// <summary>The command line that makes this program the other process.</summary>
    public const string Argument = "--echo-side";

    // A socket, a pipe or a file of the launch that two processes can't share. The JIT's list goes with its file: without one the JIT writes it
    // to standard output, between the answers.
    private static readonly string[] OnlyForOne = ["DiagnosticPorts", "EventPipe", "JitStdOutFile", "JitDisasmSummary", "PerfMap"];

    private readonly Process _process;

    public OtherProcess()
    {
#pragma warning disable CA1839 // Environment.ProcessPath is missing in .NET Core 3.1.
        var start = new ProcessStartInfo(Process.GetCurrentProcess().MainModule!.FileName!, Argument)
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
#pragma warning restore CA1839
        foreach (var name in start.Environment.Keys.Where(name => Array.Exists(OnlyForOne, word => name.Contains(word, StringComparison.Ordinal))).ToArray())
        {
            start.Environment.Remove(name);
        }

        _process = Process.Start(start)!;
        Description = Ask(EchoProgram.Describe);
    }

    public string Description { get; }

    public Address Start() => Address.Parse(Ask(EchoProgram.Start));

    public void Stop() => Ask(EchoProgram.Stop);

    public long AllocatedElsewhere() => long.Parse(Ask(EchoProgram.Allocated), CultureInfo.InvariantCulture);

    public void Dispose()
    {
        _process.StandardInput.Close();
        if (!_process.WaitForExit((int)Remoting.Patience.TotalMilliseconds))
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    private string Ask(string word)
    {
        _process.StandardInput.WriteLine(word);
        _process.StandardInput.Flush();
        var answer = _process.StandardOutput.ReadLineAsync();
        return answer.Wait(Remoting.Patience) && answer.Result is { } line
            ? line
            : throw new InvalidOperationException($"the other process was told '{word}' and "
                + (_process.HasExited ? $"ended with {_process.ExitCode}." : $"said nothing for {Remoting.Patience.TotalSeconds} s."));
    }
}
