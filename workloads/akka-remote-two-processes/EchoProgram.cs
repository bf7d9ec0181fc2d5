using System.Globalization;
using System.Runtime;
using System.Runtime.InteropServices;
using Akka.Actor;
using PerfLab.Workloads.AkkaRemote;

namespace PerfLab.Workloads.AkkaRemoteTwoProcesses;

/// <summary>What the other process does: one word a line comes in, one line goes out, until the input ends.</summary>
internal sealed class EchoProgram
{
    public const string Describe = "describe";
    public const string Start = "start";
    public const string Stop = "stop";
    public const string Allocated = "allocated";

    private ActorSystem? _system;

    public static int Run()
    {
        var answers = Console.Out;
        Console.SetOut(Console.Error); // Akka.NET logs to the console.
        var program = new EchoProgram();
        while (Console.In.ReadLine() is { } word)
        {
            answers.WriteLine(program.Answer(word));
        }

        return 0;
    }

    private string Answer(string word) => word switch
    {
        Describe => $"another process, {RuntimeInformation.FrameworkDescription}, server GC {GCSettings.IsServerGC}, {Environment.ProcessorCount} processors",
        Start => Begin(),
        Stop => End(),
        Allocated => GC.GetTotalAllocatedBytes(precise: true).ToString(CultureInfo.InvariantCulture),
        _ => throw new ArgumentOutOfRangeException(nameof(word), word, "unknown word"),
    };

    private string Begin()
    {
        _system = Remoting.Listen("SystemB");
        return Remoting.AddressOf(_system).ToString();
    }

    private string End()
    {
        Remoting.Terminate(_system!);
        return "stopped";
    }
}
