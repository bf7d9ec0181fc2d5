using System.ComponentModel;
using System.Diagnostics;
using PerfLab.Building;
using PerfLab.Building.Manifests;
using PerfLab.Core.Model;
using PerfLab.Launching.Docker.Images;
using PerfLab.Launching;

namespace PerfLab.Kubernetes;

/// <summary>
/// Brings builds to where the cluster's nodes find them: as images that we write ourselves, handed to the program that perf-lab.yaml names
/// (a registry's own client, or whatever loads images into nodes). It runs for every session: what nodes have can't be seen from here.
/// </summary>
internal sealed class BuildDelivery(ClusterSettings cluster, string storeFolder)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);

    private readonly BaseImages bases = new(storeFolder, new DebianPackages());

    /// <returns>The image's name with its tag, as nodes know it.</returns>
    /// <exception cref="LabException">It could not be made or delivered.</exception>
    public async Task<string> BringAsync(Build build, CancellationToken cancellationToken)
    {
        // A shell in every image: it reads the result when the program has ended.
        var scratch = Directory.CreateDirectory(Path.Combine(storeFolder, "tmp")).FullName;
        var archive = Path.Combine(scratch, $"{Guid.NewGuid():n}.image.tar");
        try
        {
            var under = await bases.GetAsync(BaseKind.Shell, cancellationToken);
            var layer = Path.Combine(scratch, $"{Guid.NewGuid():n}.layer");
            using var image = await WorkloadImage.MakeAsync(under, build, layer, cancellationToken);
            await using (var file = new FileStream(archive, FileMode.CreateNew))
            {
                await image.WriteArchiveAsync(file, cancellationToken);
            }

            var name = $"{cluster.Image}:{ArchiveForm.Tag(image.Id).Split(':')[1]}";
            var words = cluster.Deliver.Select(word => word.Replace("{archive}", archive).Replace("{image}", name));
            await RunAsync([.. words], cancellationToken);
            return name;
        }
        finally
        {
            File.Delete(archive);
        }
    }

    private static async Task RunAsync(IReadOnlyList<string> words, CancellationToken cancellationToken)
    {
        var said = string.Join(' ', words);
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(Patience);
        using var process = Start(words);
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(deadline.Token);
            var errors = await process.StandardError.ReadToEndAsync(deadline.Token);
            await output;
            await process.WaitForExitAsync(deadline.Token);
            if (process.ExitCode != 0)
            {
                throw Failure($"`{said}` ended with {process.ExitCode}: {OutputTail.Last(errors).Trim()}");
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw Failure(Invariant($"`{said}` did not end within {Patience.TotalMinutes:0} minutes"));
        }
        finally
        {
            Kubectl.Kill(process);
        }
    }

    private static Process Start(IReadOnlyList<string> words)
    {
        try
        {
            return Process.Start(new ProcessStartInfo(words[0], words.Skip(1))
            {
                UseShellExecute = false,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        }
        catch (Win32Exception missing)
        {
            throw Failure($"{words[0]} could not be started: {missing.Message}");
        }
    }

    private static LabException Failure(string cameBack) => new(
        "bringing a build to the nodes of the cluster", cameBack,
        "run that command by hand, and see `kubernetes: { deliver: … }` in perf-lab.yaml (docs/operations.md)");
}
