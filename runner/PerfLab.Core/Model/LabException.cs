using PerfLab.Core.Files;

namespace PerfLab.Core.Model;

/// <summary>An error for a person: what was tried, what came back, what to do next. Ends in exit code 1.</summary>
public class LabException(string tried, string cameBack, string doNext, Exception? inner = null)
    : Exception($"{tried}: {cameBack}", inner)
{
    public string Tried { get; } = tried;

    public string CameBack { get; } = cameBack;

    public string DoNext { get; } = doNext;
}

/// <summary>Wrong use: every problem at once. Ends in exit code 2.</summary>
public sealed class WrongUseException(IReadOnlyList<Problem> problems) : Exception(string.Join("; ", problems))
{
    public IReadOnlyList<Problem> Problems { get; } = problems;

    public static void ThrowIfAny(IReadOnlyCollection<Problem> problems)
    {
        if (problems.Count > 0)
        {
            throw new WrongUseException([.. problems]);
        }
    }
}
