namespace PerfLab.Machine.Facts;

/// <summary>How strict a session is about its machine.</summary>
public enum HygienePolicy
{
    /// <summary>A laptop, CI: nothing is refused, and only what makes a round meaningless voids it.</summary>
    Any,

    /// <summary>One of GitHub's own runners: nothing is refused, and what nobody can set up there is no warning.</summary>
    Hosted,

    /// <summary>A virtual machine of fixed size.</summary>
    Azure,

    /// <summary>A machine of one's own.</summary>
    Metal,
}

public static class HygienePolicies
{
    /// <summary>Somebody keeps the machine for measuring: what is wrong with it is refused, what happens there strikes a round.</summary>
    public static bool IsLab(this HygienePolicy policy) => policy is HygienePolicy.Azure or HygienePolicy.Metal;
}
