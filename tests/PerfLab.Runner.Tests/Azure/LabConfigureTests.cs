using System.CommandLine;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Commands;
using PerfLab.Programs;

namespace PerfLab.Runner.Tests.Azure;

/// <summary>`perf-lab lab configure`: from the stack's outputs to files that the other commands read.</summary>
public sealed class LabConfigureTests : IDisposable
{
    private static readonly string WithPrice = LabFileTests.Sample.Replace("\"size\": \"Standard_D4s_v5\"", "\"size\": \"Standard_D4s_v5\", \"pricePerHour\": 0.19", StringComparison.Ordinal);
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");
    private readonly StringWriter output = new();

    public void Dispose()
    {
        folder.Delete(recursive: true);
        output.Dispose();
    }

    private string At(string name) => Path.Combine(folder.FullName, name);

    private async Task<string> ConfigureAsync(string outputs)
    {
        await File.WriteAllTextAsync(At("outputs.json"), outputs);
        var terminal = new Terminal { Out = output, Error = output, Root = folder.FullName, WorkingFolder = folder.FullName };
        var configuration = new InvocationConfiguration { EnableDefaultExceptionHandler = false, Output = output, Error = output };
        (await LabCommand.Create(terminal).Parse(["configure", "--from", "outputs.json"]).InvokeAsync(configuration, CancellationToken.None)).ShouldBe(0);
        return output.ToString();
    }

    private IReadOnlyList<MachineDefinition> Machines()
    {
        var problems = new List<Problem>();
        var config = LabConfig.Read(folder.FullName, problems);
        problems.ShouldBeEmpty();
        return config!.Machines;
    }

    [Fact]
    public async Task It_writes_both_files_and_the_second_time_nothing_changes()
    {
        const string mine = "schema: perf-lab/config/1\nsuites: { pr: { workloads: [parse] } }\n# mine\nmachines:\n    hosted: { kind: hosted, runs-on: ubuntu-24.04 }    # GitHub's\n\n# rules\ngithub: { suite: pr, machine: hosted, fork-permission: admin, budget: { minutes: 60, per-user-per-day: 3 } }\n";
        await File.WriteAllTextAsync(At("perf-lab.yaml"), mine);

        (await ConfigureAsync(WithPrice)).ShouldContain("perf-lab.yaml, under `machines:`, now has");

        LabFile.Parse(await File.ReadAllBytesAsync(At("lab.json")), [], []).ShouldNotBeNull();
        var written = await File.ReadAllTextAsync(At("perf-lab.yaml"));
        written.ShouldBe(mine.Replace("# GitHub's\n", "# GitHub's\n    lab-1: { kind: azure, size: Standard_D4s_v5, policy: azure, price-per-hour: 0.19 }\n    ryzen: { kind: metal, policy: metal }\n", StringComparison.Ordinal));
        Machines().Select(machine => (machine.Name, machine.PricePerHour)).ShouldBe([("hosted", null), ("lab-1", 0.19), ("ryzen", null)]);
        await ConfigureAsync(WithPrice);
        (await File.ReadAllTextAsync(At("perf-lab.yaml"))).ShouldBe(written);
        File.Exists(At("perf-lab.yaml.new")).ShouldBeFalse();
    }

    [Theory]
    [InlineData("schema: perf-lab/config/1\n")]
    [InlineData("schema: perf-lab/config/1\r\nmachines:\r\n  # mine\r\n  other: { kind: metal, policy: metal }\r\nworkloads: [workloads]\r\n")]
    [InlineData("schema: perf-lab/config/1\nmachines:\n  other:\n    kind: metal\n    policy: metal")]
    public async Task The_lines_go_where_machines_are(string before)
    {
        await File.WriteAllTextAsync(At("perf-lab.yaml"), before);

        await ConfigureAsync(WithPrice);

        Machines().ShouldContain(machine => machine.Name == "lab-1" && machine.Size == "Standard_D4s_v5");
        (await File.ReadAllTextAsync(At("perf-lab.yaml"))).Contains('\r', StringComparison.Ordinal).ShouldBe(before.Contains('\r', StringComparison.Ordinal));
    }

    [Fact]
    public async Task Without_the_file_one_is_made()
    {
        await ConfigureAsync(WithPrice);

        Machines().Count.ShouldBe(2);
    }

    [Fact]
    public async Task What_is_no_block_of_lines_stays_and_is_told()
    {
        const string mine = "schema: perf-lab/config/1\nmachines: { hosted: { kind: hosted, runs-on: ubuntu-24.04 } }\n";
        await File.WriteAllTextAsync(At("perf-lab.yaml"), mine);

        var told = await ConfigureAsync(LabFileTests.Sample);

        told.ShouldContain("has no `machines:` that lines can be added to; under it, it wants\n  lab-1: { kind: azure, size: Standard_D4s_v5, policy: azure }");
        (await File.ReadAllTextAsync(At("perf-lab.yaml"))).ShouldBe(mine);
    }

    [Fact]
    public async Task What_people_wrote_stays_and_what_it_says_otherwise_is_told()
    {
        const string mine = "schema: perf-lab/config/1\nmachines:\n  lab-1: { kind: azure, size: Standard_D8s_v5, policy: azure, price-per-hour: 0.5 }\n  old: { kind: azure, size: Standard_D4s_v5, policy: azure }\n  ryzen: { kind: metal, policy: metal }\n";
        await File.WriteAllTextAsync(At("perf-lab.yaml"), mine);

        var told = await ConfigureAsync(WithPrice);

        told.ShouldContain("perf-lab.yaml says otherwise of lab-1: the stack makes `kind: azure, size: Standard_D4s_v5`");
        told.ShouldContain("perf-lab.yaml names old, which the stack does not make");
        (await File.ReadAllTextAsync(At("perf-lab.yaml"))).ShouldBe(mine);
    }

    [Fact]
    public async Task Outputs_that_are_none_write_nothing()
    {
        await File.WriteAllTextAsync(At("perf-lab.yaml"), "schema: perf-lab/config/1\n");

        (await Should.ThrowAsync<WrongUseException>(() => ConfigureAsync("{}"))).Problems.Count.ShouldBeGreaterThan(3);

        (File.Exists(At("lab.json")), await File.ReadAllTextAsync(At("perf-lab.yaml"))).ShouldBe((false, "schema: perf-lab/config/1\n"));
    }
}
