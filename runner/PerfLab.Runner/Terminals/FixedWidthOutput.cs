using Spectre.Console;

namespace PerfLab.Runner.Terminals;

/// <summary>An output of a width that we chose: the same report has the same bytes wherever it is written.</summary>
internal sealed class FixedWidthOutput(TextWriter writer, int width) : IAnsiConsoleOutput
{
    public TextWriter Writer { get; } = writer;

    // The styles were decided by the caller; nothing else may follow from this.
    public bool IsTerminal => false;
    public int Width { get; } = width;
    public int Height => 24;

    public void SetEncoding(Encoding encoding)
    {
        // The writer's encoding is its owner's.
    }
}
