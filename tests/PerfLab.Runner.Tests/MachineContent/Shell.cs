using System.Diagnostics;

namespace PerfLab.Runner.Tests.MachineContent;

public sealed record ShellResult(int Exit, string Output);

/// <summary>Runs the real tools on the real files of infra/machine.</summary>
internal static class Shell
{
    public static string Machine { get; } = Path.Combine(Core.Tests.Reporting.Support.Repository.Root, "infra", "machine");

    /// <summary>Skips the test, and says so, where the tool isn't installed.</summary>
    public static void Need(string tool, string package)
    {
        var folders = (Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Append("/usr/sbin");
        Assert.SkipUnless(folders.Any(folder => File.Exists(Path.Combine(folder, tool))), $"{tool} is not installed (Debian package {package}; tests/run installs it as root)");
    }

    public static void NeedRoot() => Assert.SkipUnless(Environment.UserName == "root", "needs root: it makes users and changes owners");

    public static Task<ShellResult> RunAsync(string program, params string[] arguments) => RunAsync(new ProcessStartInfo(program, arguments), input: null);

    public static async Task<ShellResult> RunAsync(ProcessStartInfo start, string? input)
    {
        start.UseShellExecute = false;
        start.RedirectStandardOutput = start.RedirectStandardError = start.RedirectStandardInput = true;
        start.Environment["LC_ALL"] = "C";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        await process.StandardInput.WriteAsync(input ?? "");
        process.StandardInput.Close();
        // Against a script that waits for ever; a busy machine needs more than a minute for the longest.
        using var deadline = new CancellationTokenSource(TimeSpan.FromMinutes(4));
        await process.WaitForExitAsync(deadline.Token);
        return new(process.ExitCode, await output + await error);
    }
}
