namespace PerfLab.Core.Model;

/// <summary>How long something takes, as people say it.</summary>
public static class RoughTime
{
    /// <summary>"40 s" below a minute and a half, then "12 min".</summary>
    public static string Of(double seconds) => seconds < 90 ? Invariant($"{seconds:0} s") : Invariant($"{seconds / 60:0} min");
}
