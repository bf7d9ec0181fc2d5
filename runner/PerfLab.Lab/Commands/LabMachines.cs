using PerfLab.Building.Manifests;
using PerfLab.Core.Files;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;
using PerfLab.Lab.Power;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>lab.json and what acts on its machines and its cluster, wired for one command.</summary>
internal sealed class LabMachines
{
    private const string ToDo = "`pulumi up` builds the lab, then `perf-lab lab configure` writes the file (docs/operations.md)";

    private readonly PowerLimits limits = new();

    private LabMachines(Terminal terminal, LabFile file, AzureAccess access)
    {
        File = file;
        Machines = new ScaleSets(access, terminal.Clock, limits, terminal.Say);
        Power = new AzurePower(Machines, new Clusters(access, terminal.Clock, limits, terminal.Say));
        Stop = new MachineStop(Power, terminal.Clock, limits, terminal.Say);
        Start = new MachineStart(Power, Stop, terminal.Clock, limits, terminal.Say);
        Reaper = new Reaper(Power, Stop, terminal.Clock, limits);
    }

    public LabFile File { get; }
    public ScaleSets Machines { get; }
    public IPower Power { get; }
    public MachineStart Start { get; }
    public MachineStop Stop { get; }
    public Reaper Reaper { get; }

    public static LabMachines Open(Terminal terminal, Func<AzureAccess> access)
    {
        var problems = new List<Problem>();
        var file = Read(terminal, problems);
        WrongUseException.ThrowIfAny(problems);
        return new(terminal, file!, access());
    }

    public AzureResource Named(string name)
    {
        if (File.Resources.FirstOrDefault(known => known.Name == name) is { } found)
        {
            return found;
        }

        throw new WrongUseException([new(LabFile.FileName, File.MetalMachines.Contains(name, StringComparer.Ordinal)
            ? $"\"{name}\" is a bare-metal agent: it is always on, and lab commands do not switch it"
            : $"names no machine or cluster \"{name}\". Valid: {string.Join(", ", File.Resources.Select(known => known.Name))}")]);
    }

    private static LabFile? Read(Terminal terminal, ICollection<Problem> problems)
    {
        var path = Path.Combine(terminal.Root, LabFile.FileName);
        if (!System.IO.File.Exists(path))
        {
            throw new LabException($"reading {LabFile.FileName}", "there is none beside perf-lab.yaml", ToDo);
        }

        return LabConfig.Read(terminal.Root, problems) is { } config ? LabFile.Parse(InputFile.Read(path, LabOutputs.File.MostBytes, ToDo, ToDo), config.Machines, problems) : null;
    }
}
