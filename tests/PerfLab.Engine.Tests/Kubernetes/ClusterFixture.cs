using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using PerfLab.Building.Manifests;
using PerfLab.Engine.Tests.Support;
using PerfLab.Kubernetes;

namespace PerfLab.Engine.Tests.Kubernetes;

/// <summary>
/// A cluster of three nodes from the kit that lies beside the checkout (../shared/kube, or PERF_LAB_KUBE_KIT): a real API server, scheduler
/// and kubelets. n1 is for what is under test, n2 for those who send, n3 may be taken away. Only with --all; it is gone after the tests.
/// </summary>
public sealed class ClusterFixture : IAsyncLifetime
{
    public const int Nodes = 3;

    private static readonly string Kit = Environment.GetEnvironmentVariable("PERF_LAB_KUBE_KIT") is { Length: > 0 } named ? named
        : Path.Combine(EngineFixture.Repository, "..", "shared", "kube");

    private string? missing;

    /// <summary>One for each checkout: two runs of tests share no cluster.</summary>
    public static string Folder { get; } = "/var/lib/perf-lab-kube-" + Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(EngineFixture.Repository)))[..8];

    private static string Script => Path.Combine(Kit, "kube-lab");

    /// <summary>Settings of a namespace that is set up as docs/operations.md says.</summary>
    public static ClusterSettings Settings => new() { StartSeconds = 30, Deliver = [Script, "load", "--dir", Folder, "{archive}"] };

    public async ValueTask InitializeAsync()
    {
        missing = !Nightly.IsAsked ? "./perf-lab test --all runs it: it starts a cluster"
            : !Environment.IsPrivilegedProcess ? "a cluster on this machine needs root"
            : !File.Exists(Script) ? "the kit with a cluster is not beside the checkout (../shared/kube, or PERF_LAB_KUBE_KIT)"
            : null;
        if (missing is null)
        {
            await StartAsync();
        }
    }

    /// <summary>Also where a node of it was taken away: then it is made anew.</summary>
    public async Task StartAsync()
    {
        var (exit, _, errors) = await RunAsync(Script, "up", "--dir", Folder, "--nodes", $"{Nodes}");
        missing = exit == 0 ? null : "no cluster: " + errors.Trim();
        if (missing is null)
        {
            WriteProgram("kubectl", "kubeconfig");
            await KubectlAsync("apply", "-f", Path.Combine(EngineFixture.Repository, "infra", "cluster", "namespace.yaml"));
            for (var node = 1; node <= Nodes; node++)
            {
                await KubectlAsync("label", "node", $"n{node}", "perf-lab/pool=" + (node == 1 ? "sut" : node == 2 ? "load" : "spare"));
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (missing is null)
        {
            await RunAsync(Script, "down", "--dir", Folder);
        }
    }

    public void Require() => Assert.SkipWhen(missing is not null, missing ?? "");

    /// <param name="login">A kubeconfig in the cluster's folder.</param>
    public KubernetesLauncher Launcher(ClusterSettings? settings = null, string login = "kubectl") =>
        new(settings ?? Settings, EngineFixture.StoreFolder, new Kubectl(null, Path.Combine(Folder, login)));

    /// <summary>As the cluster's owner; fails the test when it fails.</summary>
    public static async Task<string> KubectlAsync(params string[] arguments)
    {
        var (exit, output, errors) = await RunAsync(Path.Combine(Folder, "kubectl"), arguments);
        exit.ShouldBe(0, errors);
        return output;
    }

    /// <summary>A login of its own for a service account of the namespace, as a program that is called like kubectl.</summary>
    public static async Task<string> LoginAsync(string account)
    {
        var token = (await KubectlAsync("create", "token", account, "--namespace", "perf-lab")).Trim();
        return WriteLogin(account, "\"token\": \"", token);
    }

    /// <summary>The owner's kubeconfig with another value behind a text, up to the next quote.</summary>
    public static string WriteLogin(string name, string before, string value)
    {
        var config = File.ReadAllText(Path.Combine(Folder, "kubeconfig"));
        var start = config.IndexOf(before, StringComparison.Ordinal) + before.Length;
        File.WriteAllText(Path.Combine(Folder, name + ".config"), config[..start] + value + config[config.IndexOf('"', start)..]);
        WriteProgram("kubectl-" + name, name + ".config");
        return "kubectl-" + name;
    }

    /// <summary>What perf-lab made and is still there.</summary>
    public static async Task<string> LeftAsync() =>
        (await KubectlAsync("get", "jobs,pods", "--all-namespaces", "--selector", "app.kubernetes.io/managed-by=perf-lab", "--output", "name")).Trim();

    public static async Task<(int Exit, string Output, string Errors)> RunAsync(string program, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            UseShellExecute = false,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return (process.ExitCode, await output, errors);
    }

    private static void WriteProgram(string name, string config)
    {
        var path = Path.Combine(Folder, name);
        File.WriteAllText(path, $"#!/bin/sh\nNO_PROXY='*' no_proxy='*' exec {Folder}/bin/kube kubectl --kubeconfig {Folder}/{config} --cache-dir {Folder}/cache-{name} \"$@\"\n");
        Executable.Make(path);
    }
}
