using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;
using PerfLab.Programs;

namespace PerfLab.Lab.Commands;

/// <summary>`lab start`: a lease, and a machine made for it.</summary>
internal static class LabStartCommand
{
    private const int MostBlobCharacters = 100_000;

    public static Command Create(Terminal terminal, Func<AzureAccess> access)
    {
        var name = new Argument<string>("machine") { Description = "Its name in lab.json; the cluster has one too." };
        var minutes = new Option<int>("--minutes") { Description = "Length of the lease: after that, watchdog and reaper end the machine, and the reaper the cluster. At most 420.", DefaultValueFactory = _ => 120 };
        var jit = new Option<string?>("--jit") { HelpName = "FILE|-", Description = "The runner's one-shot configuration (encoded_jit_config): the machine boots with it. Without it nothing of GitHub's runs there. Never an argument: `ps` shows those." };
        var holder = new HolderOption();
        var command = Examples.Command(
            "start", "Take the lease of a machine and make it, from its exact image, for this lease alone. Waits for a machine that another run is about to give back.",
            ["./perf-lab lab start azure-d4s --minutes 150 --jit - < jit.txt"]).With(name, minutes, jit);
        holder.AddTo(command);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (parsed.GetValue(minutes) is var length && (length < 5 || length > Lease.Longest.TotalMinutes))
            {
                throw new WrongUseException([new("--minutes", $"{length} is not between 5 and {Lease.Longest.TotalMinutes:0}")]);
            }

            var lab = LabMachines.Open(terminal, access);
            var machine = lab.Named(parsed.GetValue(name)!);
            if (machine is AzureCluster && parsed.GetValue(jit) is not null)
            {
                throw new WrongUseException([new("--jit", $"{machine.Name} is a cluster: it has no runner")]);
            }

            var blob = parsed.GetValue(jit) is { } source ? ReadBlob(terminal, source) : null;
            var request = new StartRequest(machine, holder.Read(parsed).ToStart(), TimeSpan.FromMinutes(length)) { CustomData = machine is AzureCluster ? null : lease => CustomData.For(blob, lease) };
            CheckBefore(request, terminal);
            var taken = await lab.Start.RunAsync(request, cancellationToken);
            terminal.Out.WriteLine($"{machine.Name} runs for {taken.Holder} until {Lease.TimeText(taken.Expiry)}, at {Money.PerHour(machine)}: at most {Money.For(machine, length)}");
            return ExitCode.Done;
        });
        return command;
    }

    /// <summary>A bad blob is found before anything costs money.</summary>
    private static void CheckBefore(StartRequest request, Terminal terminal) => request.CustomData?.Invoke(new Lease(request.Holder, terminal.Clock.GetUtcNow()));

    private static string ReadBlob(Terminal terminal, string source)
    {
        using var reader = source == "-" ? Console.In : Open(Path.Combine(terminal.WorkingFolder, source));
        var buffer = new char[MostBlobCharacters];
        return new string(buffer, 0, reader.ReadBlock(buffer));
    }

    private static StreamReader Open(string path) => File.Exists(path) ? new StreamReader(path) : throw new WrongUseException([new("--jit", $"there is no file {path}")]);
}
