using PerfLab.Core.Reporting;
using PerfLab.Core.Statistics;
using PerfLab.Runner.Commands;
using PerfLab.Runner.Reporting;

namespace PerfLab.Runner.Steps;

/// <summary>Comparison -> text, on the terminal or as a file.</summary>
public static class ReportStep
{
    private const long MostBytes = 64L << 20;

    public static void Print(Terminal terminal, Comparison comparison, ReportContext context, bool json)
    {
        if (json)
        {
            terminal.Out.Write(ComparisonJson.Write(comparison));
            return;
        }

        TerminalReport.Write(Report.From(comparison, context), terminal.Out, terminal.Style);
    }

    public static Comparison Read(string path)
    {
        try
        {
            if (new FileInfo(path).Length > MostBytes)
            {
                throw new LabException($"reading {path}", $"more than {MostBytes >> 20} MiB", "give a comparison.json");
            }

            var reading = ComparisonJson.Read(File.ReadAllBytes(path));
            return reading.Comparison ?? throw new LabException($"reading {path}", string.Join("; ", reading.Problems), "compare again: `./perf-lab compare samples.ndjson --json`");
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new LabException($"reading {path}", exception.Message, "give the path of a comparison.json", exception);
        }
    }
}
