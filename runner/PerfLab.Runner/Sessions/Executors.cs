using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Kubernetes;
using PerfLab.Launching.Processes;
using PerfLab.Runner.Terminals;

namespace PerfLab.Runner.Sessions;

/// <summary>From the word on the command line to a launcher; says which was taken and why in one line.</summary>
internal sealed class Executors(LabConfig config, Terminal terminal)
{
    /// <summary>The launcher for a plan: commands that somebody typed can only be launched where they lie.</summary>
    public Task<ILauncher> ChooseAsync(string word, RunPlan plan, CancellationToken cancellationToken) =>
        plan.Cells.All(cell => cell.Result != ResultFormat.WallTime) ? ChooseAsync(word, cancellationToken)
        : word is "docker" or "kubernetes" ? throw new WrongUseException(
            [new("--executor", "a command runs where it lies, and no container holds it.",
                "Leave --executor out, or write a workload.yaml with a Dockerfile.")])
        : Task.FromResult<ILauncher>(CommandLauncher.Create());

    public async Task<ILauncher> ChooseAsync(string word, CancellationToken cancellationToken)
    {
        if (word == "process")
        {
            return ProcessLauncher.Create();
        }

        if (word == "kubernetes")
        {
            terminal.Say($"executor: kubernetes, namespace {config.Kubernetes.Namespace}");
            return new KubernetesLauncher(config.Kubernetes, config.Store);
        }

        var engine = await EngineProbe.AskAsync(cancellationToken);
        if (engine.Usable)
        {
            terminal.Say($"executor: docker, {engine.Says}");
            return new DockerLauncher(new DockerSettings { StoreFolder = config.Store, Say = terminal.Say });
        }

        if (word == "docker")
        {
            throw new LabException("starting the docker executor", engine.Says, "start a Docker engine, or set DOCKER_HOST, or use --executor process");
        }

        terminal.Say($"executor: process, because no Docker engine answered ({engine.Says})");
        return ProcessLauncher.Create();
    }

    /// <summary>Another of the same kind, for launches at the same time.</summary>
    /// <param name="first">Of a cluster: it is prepared, and so is the other.</param>
    /// <param name="labCpus">Cores for what the lab itself does meanwhile, where launches run on this machine.</param>
    public ILauncher Another(ILauncher first, IReadOnlyList<int> labCpus) => first switch
    {
        KubernetesLauncher there => there.Beside(),
        DockerLauncher => new DockerLauncher(new DockerSettings { StoreFolder = config.Store, Say = terminal.Say }),
        CommandLauncher => CommandLauncher.Create(),
        _ => ProcessLauncher.Create(new() { LabCpus = labCpus }),
    };
}
