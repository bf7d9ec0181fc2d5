using System.Text.Json.Serialization;
using PerfLab.Core.Files;
using PerfLab.Core.Model;

namespace PerfLab.Power.Azure;

/// <summary>
/// What a reimaged machine reads at its first boot: the runner's one-shot configuration, the lease, and "start". Everything else is in
/// the image. The blob works once and is worthless afterwards; it's still never shown.
/// </summary>
public static class CustomData
{
    /// <summary>Azure takes 64 KiB, counted before base 64.</summary>
    private const int MostBytes = 65_535;

    /// <returns>Base 64 of a cloud-config.</returns>
    /// <param name="jit">GitHub's `encoded_jit_config`.</param>
    /// <param name="lease">For the watchdog, while the machine's tags can't be read.</param>
    public static string For(string jit, Lease lease)
    {
        var text = CloudConfig(jit.Trim(), lease);
        var bytes = Encoding.UTF8.GetBytes(text);
        if (bytes.Length > MostBytes)
        {
            throw Wrong(Invariant($"the cloud-config has {bytes.Length} bytes, Azure takes {MostBytes}"));
        }

        return Convert.ToBase64String(bytes);
    }

    internal static string CloudConfig(string jit, Lease lease)
    {
        if (!IsJitConfig(jit))
        {
            throw Wrong("it is not base 64 of a JSON object with .runner and .credentials");
        }

        return $"""
            #cloud-config
            write_files:
              - path: /run/perf-lab/jit
                permissions: "0600"
                owner: "root:root"
                content: "{jit}"
              - path: /run/perf-lab/lease
                permissions: "0644"
                owner: "root:root"
                content: "{lease}"
            runcmd:
              - [systemctl, start, --no-block, perf-lab-runner.service]

            """.ReplaceLineEndings("\n");
    }

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
