using System;

namespace PerfLab.WorkloadKit;

/// <summary>The launch was asked for something it does not offer (a parameter, a mode, a duration). Exit code 2.</summary>
public sealed class RefusedException : Exception
{
    public RefusedException(string message) : base(message) { }
}

/// <summary>The program under measurement gave a wrong answer: its speed means nothing. Exit code 1.</summary>
public sealed class WrongAnswerException : Exception
{
    public WrongAnswerException(string message) : base(message) { }
}
