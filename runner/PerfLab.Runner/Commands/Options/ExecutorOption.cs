using System.CommandLine;

namespace PerfLab.Runner.Commands.Options;

internal static class ExecutorOption
{
    public static Option<string> Create()
    {
        var option = new Option<string>("--executor")
        {
            Description = "auto takes docker when an engine answers within a second, otherwise process.",
            DefaultValueFactory = _ => "auto",
        };
        option.AcceptOnlyFromAmong("auto", "docker", "process");
        return option;
    }
}
