namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>systemd ignores an order after a unit that doesn't exist, without a word: so every name must be somebody's.</summary>
public sealed class UnitNameTests
{
    private static readonly string[] Relations = ["After", "Before", "Requires", "Requisite", "Wants", "BindsTo", "PartOf", "Upholds", "Conflicts", "OnFailure", "OnSuccess", "WantedBy", "RequiredBy", "Also"];

    /// <summary>Of systemd itself, and of the package docker.io.</summary>
    private static readonly string[] OfTheDistribution = ["network-online.target", "network-pre.target", "local-fs.target", "multi-user.target", "systemd-sysusers.service", "docker.service"];

    private static readonly string Folder = Path.Combine(Shell.Machine, "files", "etc", "systemd", "system");

    private static Dictionary<string, string> Units() => Directory.GetFiles(Folder).ToDictionary(file => Path.GetFileName(file), File.ReadAllText);

    private static IEnumerable<string> Unknown(IReadOnlyDictionary<string, string> units) =>
        from unit in units
        from line in unit.Value.Split('\n')
        let parts = line.Split('=', 2)
        where parts.Length == 2 && Relations.Contains(parts[0])
        from name in parts[1].Split(' ', StringSplitOptions.RemoveEmptyEntries)
        where !units.ContainsKey(name) && !OfTheDistribution.Contains(name)
        select $"{unit.Key}: {parts[0]}={name}";

    [Fact]
    public void Every_unit_that_another_names_exists() => Unknown(Units()).ShouldBeEmpty();

    [Fact]
    public void A_name_that_nobody_has_would_be_found()
    {
        var units = Units();
        units["perf-lab-reset.service"] = units["perf-lab-reset.service"].Replace("perf-lab-metal-runner", "perf-lab-metall-runner");

        Unknown(units).ShouldHaveSingleItem().ShouldBe("perf-lab-reset.service: Before=perf-lab-metall-runner.service");
    }

    [Fact]
    public async Task Every_unit_that_the_installer_enables_exists()
    {
        var named = (await File.ReadAllTextAsync(Path.Combine(Shell.Machine, "install.sh"))).Split([' ', '(', ')', ';', '\n'], StringSplitOptions.RemoveEmptyEntries)
            .Where(word => word.StartsWith("perf-lab-", StringComparison.Ordinal) && word.EndsWith(".service", StringComparison.Ordinal)).Distinct().ToList();

        named.Count.ShouldBeGreaterThan(3);
        named.ShouldBeSubsetOf(Units().Keys);
    }
}
