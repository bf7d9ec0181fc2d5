using System;
using System.Text;
using BenchmarkDotNet.Loggers;

namespace PerfLab.BenchmarkDriver;

/// <summary>What BenchmarkDotNet says, kept in memory: a launch prints only what somebody has to read. Of very much, the beginning.</summary>
internal sealed class TextLog : ILogger
{
    private const int MostCharacters = 8 << 20;

    private readonly StringBuilder _text = new();

    public string Id => nameof(TextLog);

    public int Priority => 0;

    public string Text => _text.ToString();

    public void Write(LogKind logKind, string text)
    {
        if (_text.Length < MostCharacters)
        {
            _text.Append(text);
        }
    }

    public void WriteLine() => Write(LogKind.Default, "\n");

    public void WriteLine(LogKind logKind, string text) => Write(logKind, text + "\n");

    public void Flush()
    {
    }

}
