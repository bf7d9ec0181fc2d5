using PerfLab.Core.Model;
using PerfLab.Core.Reporting;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Sessions;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Flow;

/// <summary>Comparison -> text, on the terminal or as a file.</summary>
public static class ReportStep
{
    private const long MostBytes = 64L << 20;

    public static void Print(Terminal terminal, Comparison comparison, ReportContext context, bool json)
    {
        if (json)
        {
            terminal.Out.Write(Comparison.File.Write(comparison));
            return;
        }

        TerminalReport.Write(Report.From(comparison, context), terminal.Out, terminal.Style);
    }

    public static Comparison Read(string path)
    {
        var bytes = InputFile.Read(path, MostBytes, toDo: "give the path of a comparison.json, or - for standard input", whenTooLarge: "give a comparison.json");
        var reading = Comparison.File.Read(bytes);
        return reading.Value ?? throw new LabException(
            $"reading {InputFile.Name(path)}", string.Join("; ", reading.Problems), "compare again: `./perf-lab compare samples.ndjson --json`");
    }
}
