using System.CommandLine;
using PerfLab.Runner.Machine;

namespace PerfLab.Runner.Commands;

/// <summary>`--policy`: how strict a session is about its machine (docs/machine.md).</summary>
internal static class PolicyOption
{
    public static Option<HygienePolicy?> Create() => new("--policy")
    {
        Description = "How strict about the machine: any (a laptop, CI), azure or metal; default: what /etc/perf-lab/machine.conf says, else any.",
        HelpName = "any|azure|metal",
    };
}
