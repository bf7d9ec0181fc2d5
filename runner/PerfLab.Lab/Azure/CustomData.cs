using System.Reflection;
using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Lab.Azure;

/// <summary>
/// What a machine reads at its first boot: all that makes an ordinary image a machine of the lab (infra/machine, which travels with this
/// program), the runner's one-shot configuration, and the lease. The blob works once and is worthless afterwards; it's still never shown.
/// </summary>
public static class CustomData
{
    /// <summary>Azure takes 64 KiB, counted before base 64.</summary>
    private const int MostBytes = 65_535;

    /// <summary>
    /// Where infra/machine/cloud-init.yaml takes more files, and the line after which it runs programs, to the end of the file.
    /// </summary>
    private const string Files = "\nwrite_files:\n", Programs = "\nruncmd:\n";

    private static readonly Lazy<string> MachineContent = new(() =>
    {
        using var stream = Assembly.GetExecutingAssembly().GetManifestResourceStream("cloud-init.yaml")!;
        using var reader = new StreamReader(stream);
        return reader.ReadToEnd();
    });

    /// <returns>Base 64 of a cloud-config.</returns>
    /// <param name="jit">GitHub's `encoded_jit_config`; null for a machine on which nothing of GitHub's runs.</param>
    /// <param name="lease">For the watchdog, which can't read the scale set's tags.</param>
    public static string For(string? jit, Lease lease)
    {
        var bytes = Encoding.UTF8.GetBytes(CloudConfig(jit?.Trim(), lease));
        if (bytes.Length > MostBytes)
        {
            throw Wrong(Invariant($"with it the cloud-config has {bytes.Length} bytes, Azure takes {MostBytes}"));
        }

        return Convert.ToBase64String(bytes);
    }

    internal static string CloudConfig(string? jit, Lease lease)
    {
        if (jit is not null && !IsJitConfig(jit))
        {
            throw Wrong("it is not base 64 of a JSON object with .runner and .credentials");
        }

        var files = Entry("lease", "0644", lease.ToString()) + (jit is null ? "" : Entry("jit", "0600", jit));
        var start = jit is null ? "" : "  - [systemctl, start, --no-block, perf-lab-runner.service]\n";
        var content = MachineContent.Value;
        var at = content.IndexOf(Files, StringComparison.Ordinal);
        return at > 0 && content.IndexOf(Programs, at, StringComparison.Ordinal) > 0
            ? content.Insert(at + Files.Length, files) + start
            : throw new InvalidOperationException("infra/machine/cloud-init.yaml has no write_files before its runcmd");
    }

    private static string Entry(string name, string mode, string content) =>
        $"  - path: /run/perf-lab/{name}\n    permissions: \"{mode}\"\n    owner: root:root\n    content: \"{content}\"\n";

    private static bool IsJitConfig(string text)
    {
        var bytes = new byte[text.Length];
        if (text.Length is < 40 or > MostBytes || text.Any(letter => !char.IsAsciiLetterOrDigit(letter) && letter is not ('+' or '/' or '='))
            || !Convert.TryFromBase64String(text, bytes, out var length))
        {
            return false;
        }

        return JitConfig.Format.Read(bytes.AsMemory(0, length)).Value is not null;
    }

    /// <summary>Files of the runner, by name; more may come.</summary>
    private sealed record JitConfig([property: JsonPropertyName(".runner")] JsonElement Runner, [property: JsonPropertyName(".credentials")] JsonElement Credentials)
    {
        public static FileFormat<JitConfig> Format { get; } = new("", "a runner's configuration") { IsForeign = true };
    }

    private static LabException Wrong(string cameBack) =>
        new("reading the runner's JIT configuration", cameBack, "hand over the member encoded_jit_config of GitHub's answer, as it is, in a file or on stdin");
}
