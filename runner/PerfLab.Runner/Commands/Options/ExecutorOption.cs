using System.CommandLine;

namespace PerfLab.Runner.Commands.Options;

internal static class ExecutorOption
{
    public static Option<string> Create()
    {
        var option = new Option<string>("--executor")
        {
            Description = "auto takes docker when an engine answers within a second and a base image can be had, otherwise process; "
                + "kubernetes is taken by name only.",
            DefaultValueFactory = _ => "auto",
        };
        option.AcceptOnlyFromAmong("auto", "docker", "process", "kubernetes");
        return option;
    }
}
