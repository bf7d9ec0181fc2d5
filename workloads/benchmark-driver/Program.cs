using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Text.Json;
using PerfLab.WorkloadKit;

namespace PerfLab.BenchmarkDriver;

/// <summary>`list` writes which benchmarks there are; without a word, the one that the parameter `benchmark` names is run.</summary>
internal static class Program
{
    private static int Main(string[] arguments)
    {
        // BenchmarkDotNet asks lscpu and dotnet what machine it is on. They would cost time, and dotnet would write over the proof of this launch.
        Environment.SetEnvironmentVariable("PATH", "");
        if (arguments.Length == 1 && arguments[0] == "list")
        {
            return List();
        }

        var code = WorkloadProgram.Run(arguments, BenchmarkRun.Measure);
        Ended();
        return code;
    }

    /// <summary>The last that is compiled: a list of compiled methods without it was cut.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Ended()
    {
    }

    private static int List()
    {
        var problems = new List<string>();
        var found = Benchmarks.Find(_ => true, problems).Select(found => new { name = found.Name, categories = found.Case.Descriptor.Categories }).ToList();
        var text = JsonSerializer.Serialize(new { benchmarks = found, problems });
        if (Environment.GetEnvironmentVariable("PERF_LAB_RESULT") is { Length: > 0 } file)
        {
            File.WriteAllText(file, text);
        }
        else
        {
            Console.Out.WriteLine(text);
        }

        return 0;
    }
}
