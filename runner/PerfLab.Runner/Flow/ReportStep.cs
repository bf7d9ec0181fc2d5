using PerfLab.Programs;
using PerfLab.Reports;
using PerfLab.Core.Statistics.Rows;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Flow;

/// <summary>Comparison -> text, on the terminal or as a file.</summary>
internal static class ReportStep
{
    public static void Print(Terminal terminal, Comparison comparison, ReportContext context, OutputSettings output)
    {
        if (output.Json)
        {
            terminal.Out.Write(Comparison.File.Write(comparison));
            return;
        }

        TerminalReport.Write(Report.From(comparison, context), terminal.Out, output.Of(terminal.Style));
    }

    public static Comparison Read(string path) =>
        InputFile.Read(Comparison.File, path, "give the path of a comparison.json or of its session's folder, or - for standard input; "
            + "`./perf-lab compare SESSION --json` writes one");
}
