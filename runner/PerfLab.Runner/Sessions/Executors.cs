using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Core.Planning.Plans;
using PerfLab.Launching;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker.Images;
using PerfLab.Kubernetes;
using PerfLab.Launching.Processes;
using PerfLab.Programs;

namespace PerfLab.Runner.Sessions;

/// <summary>From the word on the command line to a launcher; says which was taken and why in one line.</summary>
internal sealed class Executors(LabConfig config, Terminal terminal)
{
    private readonly HashSet<string> _said = new(StringComparer.Ordinal);
    private bool _isSilent;

    /// <summary>The launcher for a plan: commands that somebody typed can only be launched where they lie.</summary>
    /// <param name="basePack">Of `--bases`: what stands under the builds came with them.</param>
    public Task<ILauncher> ChooseAsync(string word, RunPlan plan, CancellationToken cancellationToken, string? basePack = null) =>
        WhereItLies(word, plan) is { } here ? Task.FromResult(here) : ChooseAsync(word, plan, basePack, cancellationToken);

    /// <summary>The launcher for what is not planned yet: programs in containers.</summary>
    public Task<ILauncher> ChooseAsync(string word, CancellationToken cancellationToken) => ChooseAsync(word, null, null, cancellationToken);

    /// <summary>The same for a look at programs before anything is planned: which it was is said when something is.</summary>
    public async Task<ILauncher> ChooseSilentlyAsync(string word, CancellationToken cancellationToken) =>
        await new Executors(config, terminal) { _isSilent = true }.ChooseAsync(word, cancellationToken);

    /// <summary>No base image is asked for: for builds alone, which an engine may have to make, and for a dry run.</summary>
    public async Task<ILauncher> WithoutBaseAsync(string word, RunPlan plan, CancellationToken cancellationToken) =>
        WhereItLies(word, plan) ?? await ByWordAsync(word, null, cancellationToken);

    /// <summary>What the launcher of a dry run does not have yet, to end a line with; empty where it has all.</summary>
    public static string WhatIsMissing(ILauncher launcher, RunPlan plan) => launcher is DockerLauncher docker && !docker.HasBases(plan)
        ? ", when it can make or pull a base image for the containers (`./perf-lab doctor` tries it)" : "";

    /// <summary>Once: a command may choose for its builds and for its launches.</summary>
    private void Say(string line)
    {
        if (!_isSilent && _said.Add(line))
        {
            terminal.Say(line);
        }
    }

    private static ILauncher? WhereItLies(string word, RunPlan plan) =>
        plan.Cells.All(cell => cell.Result != ResultFormat.WallTime) ? null
        : word is "docker" or "kubernetes" ? throw new WrongUseException(
            [new("--executor", "commands run on this machine; docker and kubernetes need a workload.",
                "Leave --executor out, or write a workload.yaml with a Dockerfile.")])
        : CommandLauncher.Create();

    /// <summary>Also what the containers stand on is asked for now: who can't have it is told before anything is built.</summary>
    private async Task<ILauncher> ChooseAsync(string word, RunPlan? plan, string? basePack, CancellationToken cancellationToken)
    {
        var launcher = await ByWordAsync(word, basePack, cancellationToken);
        if (launcher is not DockerLauncher docker)
        {
            return launcher;
        }

        try
        {
            var from = await docker.EnsureBasesAsync(plan, cancellationToken);
            Say(from.Length == 0 ? "base image: the plan's own" : $"base image: {from}");
            return docker;
        }
        catch (BaseImageMissingException missing) when (word == "auto" && basePack is null)
        {
            await docker.DisposeAsync();
            Say("executor: process, because no base image for containers can be had here. "
                + $"{missing.CameBack} To have containers: {missing.DoNext}");
            return ProcessLauncher.Create();
        }
        catch
        {
            await docker.DisposeAsync();
            throw;
        }
    }

    private async Task<ILauncher> ByWordAsync(string word, string? basePack, CancellationToken cancellationToken)
    {
        if (word == "process")
        {
            return ProcessLauncher.Create();
        }

        if (word == "kubernetes")
        {
            Say($"executor: kubernetes, namespace {config.Kubernetes.Namespace}");
            return new KubernetesLauncher(config.Kubernetes, config.Store);
        }

        // Who named it waits as for any other answer of it; who left the choice should not.
        var engine = await EngineProbe.AskAsync(cancellationToken, word == "docker" ? new EngineDeadlines().Greeting : null);
        if (engine.Usable)
        {
            Say($"executor: docker, {engine.Says}");
            return new DockerLauncher(new DockerSettings
            {
                StoreFolder = config.Store,
                Say = Say,
                BaseImage = config.BaseImage,
                BasePack = basePack,
            });
        }

        if (word == "docker")
        {
            throw new LabException(
                "starting the docker executor", engine.Says, "start a Docker engine, or set DOCKER_HOST, or use --executor process");
        }

        Say($"executor: process, because no Docker engine answered ({engine.Says})");
        return ProcessLauncher.Create();
    }
}
