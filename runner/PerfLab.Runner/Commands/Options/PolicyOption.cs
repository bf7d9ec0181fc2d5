using System.CommandLine;
using PerfLab.Machine.Facts;

namespace PerfLab.Runner.Commands.Options;

/// <summary>`--policy`: how strict a session is about its machine (docs/machines.md).</summary>
internal static class PolicyOption
{
    public static Option<HygienePolicy?> Create()
    {
        var option = new Option<HygienePolicy?>("--policy")
        {
            Description = "How strict about the machine: any (a laptop, CI; nothing is refused), hosted (GitHub's own runner), azure or "
                + "metal; default: what /etc/perf-lab/machine.conf says, else any.",
            HelpName = "any|hosted|azure|metal",
        };
        // An enumeration's own parser takes numbers, too, and names its type in errors.
        option.AcceptOnlyFromAmong("any", "hosted", "azure", "metal");
        return option;
    }
}
