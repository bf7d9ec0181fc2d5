namespace PerfLab.Programs;

/// <summary>How a report is laid out as text.</summary>
/// <param name="Width">Columns.</param>
/// <param name="Colours">Colours and bold, as ANSI sequences.</param>
/// <param name="Ascii">Nothing but ASCII, for pipes and files of unknown encoding.</param>
public sealed record TerminalStyle(int Width, bool Colours, bool Ascii)
{
    /// <summary>Whether all is told; otherwise what answers the question, and a line that says what else there is.</summary>
    public bool ShowsDetails { get; init; }

    /// <summary>Wide enough for one line a row, as grep likes it: what a pipe or a file gets.</summary>
    public const int PipeWidth = 200;

    /// <summary>What standard output can show right now. NO_COLOR (https://no-color.org) and TERM=dumb are respected.</summary>
    public static TerminalStyle OfStandardOutput()
    {
        if (Console.IsOutputRedirected)
        {
            return new TerminalStyle(PipeWidth, Colours: false, Ascii: true);
        }

        var colours = string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"))
            && Environment.GetEnvironmentVariable("TERM") != "dumb";
        return new TerminalStyle(ConsoleWidth(), colours, Ascii: Console.OutputEncoding.CodePage != 65001);
    }

    /// <summary>Columns of the terminal, 80 where it does not say: some answer 0, or throw, when asked.</summary>
    public static int ConsoleWidth()
    {
        try
        {
            return Console.WindowWidth >= 40 ? Console.WindowWidth : 80;
        }
        catch (IOException)
        {
            return 80;
        }
    }
}
