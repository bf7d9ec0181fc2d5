using System.CommandLine;
using System.ComponentModel;
using System.Diagnostics;
using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab configure`: the stack's outputs become lab.json, its machines lines of perf-lab.yaml.</summary>
internal static class LabConfigureCommand
{
    public static Command Create(Terminal terminal)
    {
        var from = new Option<string?>("--from") { HelpName = "FILE|-", Description = "Outputs that `pulumi stack output --json` printed; left out, it is called." };
        var command = Examples.Command(
            "configure", "Write lab.json from the outputs of the Pulumi stack, and the lines of new machines into perf-lab.yaml.",
            ["./perf-lab lab configure"]).With(from);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            const string toDo = "give the file with what `pulumi stack output --json` printed";
            var bytes = parsed.GetValue(from) is { } named ? InputFile.Read(InputFile.Locate(terminal, named, "--from"), LabOutputs.File.MostBytes, toDo, toDo)
                : Encoding.UTF8.GetBytes(await AskPulumiAsync(terminal.Root, cancellationToken));
            var problems = new List<Problem>();
            var config = LabConfig.Read(terminal.Root, problems);
            var lab = LabFile.Parse(bytes, config?.Machines ?? [], problems);
            WrongUseException.ThrowIfAny(problems);
            var path = Path.Combine(terminal.Root, LabFile.FileName);
            await File.WriteAllTextAsync(path + ".new", Encoding.UTF8.GetString(bytes).TrimEnd() + "\n", cancellationToken);
            File.Move(path + ".new", path, overwrite: true);
            Explain(terminal, lab!, config!.Machines);
            await CompleteAsync(terminal, lab!, config.Machines, cancellationToken);
            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>Machines of the stack that perf-lab.yaml does not name get their lines there; the others stay as people wrote them.</summary>
    private static async Task CompleteAsync(Terminal terminal, LabFile lab, IReadOnlyList<MachineDefinition> known, CancellationToken cancellationToken)
    {
        string[] wanted =
        [
            .. lab.Machines.Where(machine => known.All(definition => definition.Name != machine.Name)).Select(machine =>
                $"{machine.Name}: {{ kind: azure, size: {machine.Size}, policy: azure{(machine.PricePerHour > 0 ? Invariant($", price-per-hour: {machine.PricePerHour}") : "")} }}"),
            .. lab.MetalMachines.Where(name => known.All(definition => definition.Name != name)).Select(name => $"{name}: {{ kind: metal, policy: metal }}"),
        ];
        if (wanted.Length == 0)
        {
            return;
        }

        var path = Path.Combine(terminal.Root, LabConfig.FileName);
        var text = File.Exists(path) ? await File.ReadAllTextAsync(path, cancellationToken) : "schema: perf-lab/config/1\n";
        var more = MachineLines.Add(text, wanted);
        var proposed = path + ".new";
        await File.WriteAllTextAsync(proposed, more ?? "", cancellationToken);
        if (more is null || LabConfig.ProblemsOf(proposed).Count > 0)
        {
            File.Delete(proposed);
            terminal.Out.WriteLine($"{LabConfig.FileName} has no `machines:` that lines can be added to; under it, it wants");
        }
        else
        {
            File.Move(proposed, path, overwrite: true);
            terminal.Out.WriteLine($"{LabConfig.FileName}, under `machines:`, now has");
        }

        foreach (var line in wanted)
        {
            terminal.Out.WriteLine($"  {line}");
        }

        terminal.Out.WriteLine("The prices are assumed (docs/internals/costs.md): write yours there. /benchmark takes the machine that `github: { machine: … }` names.");
    }

    private static void Explain(Terminal terminal, LabFile lab, IReadOnlyList<MachineDefinition> known)
    {
        terminal.Out.WriteLine($"{LabFile.FileName}: stack {lab.Stack}, {lab.Machines.Count} Azure and {lab.MetalMachines.Count} metal machines{(lab.Cluster is null ? "" : ", one cluster")}. It holds no secret: commit it.");
        foreach (var machine in lab.Machines.Where(machine => known.Any(definition => definition.Name == machine.Name && (definition.Kind != "azure" || definition.Size != machine.Size))))
        {
            terminal.Out.WriteLine($"{LabConfig.FileName} says otherwise of {machine.Name}: the stack makes `kind: azure, size: {machine.Size}`");
        }

        foreach (var gone in known.Where(definition => definition.Kind == "azure" && lab.Machines.All(machine => machine.Name != definition.Name)))
        {
            terminal.Out.WriteLine($"{LabConfig.FileName} names {gone.Name}, which the stack does not make: take it out");
        }

        foreach (var machine in lab.Machines.Where(machine => machine.PricePerHour == 0))
        {
            terminal.Out.WriteLine($"{LabConfig.FileName} has no price-per-hour for {machine.Name}: money is shown as \"-\"");
        }

        if (lab.Cluster is { PricePerHour: 0 } cluster)
        {
            terminal.Out.WriteLine($"{LabConfig.FileName} has no machine of size {cluster.Size} with a price-per-hour: the money of {cluster.Name} is shown as \"-\"");
        }
    }

    private static async Task<string> AskPulumiAsync(string folder, CancellationToken cancellationToken)
    {
        const string tried = "asking `pulumi stack output --json`";
        try
        {
            using var pulumi = Process.Start(new ProcessStartInfo("pulumi", ["stack", "output", "--json", "--non-interactive"])
            {
                WorkingDirectory = folder,
                UseShellExecute = false,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
            var error = pulumi.StandardError.ReadToEndAsync(cancellationToken);
            var output = await pulumi.StandardOutput.ReadToEndAsync(cancellationToken);
            await pulumi.WaitForExitAsync(cancellationToken);
            return pulumi.ExitCode == 0 ? output
                : throw new LabException(tried, (await error).Trim(), "log in and choose the stack (`pulumi login`, `pulumi stack select`), or hand over its outputs with --from FILE");
        }
        catch (Win32Exception exception)
        {
            throw new LabException(tried, exception.Message, "install the Pulumi CLI, or hand over what it printed elsewhere with --from FILE", exception);
        }
    }
}
