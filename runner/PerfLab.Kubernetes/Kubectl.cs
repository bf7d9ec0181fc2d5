using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;
using PerfLab.Core.Files;

namespace PerfLab.Kubernetes;

/// <summary>
/// Calls of the API server through the kubectl program, which knows every kubeconfig, client certificate and login. Paths of the API go in
/// and JSON comes out (--raw): no table for people is read, and nothing is asked for that was not named.
/// </summary>
/// <param name="program">Name or path.</param>
internal sealed partial class Kubectl(string? context, string program = "kubectl")
{
    /// <summary>The longest that one call may take.</summary>
    public static readonly TimeSpan Deadline = TimeSpan.FromSeconds(20);

    /// <summary>Of an API server, of which a member or two is read.</summary>
    public static readonly FileFormat<JsonObject> Answer = new("", "an answer of the API server") { IsForeign = true };

    private const int MostOfErrors = 600;

    /// <param name="asked">What is tried, for the error: "listing jobs".</param>
    /// <exception cref="ClusterException">It failed.</exception>
    public async Task<JsonObject> GetAsync(string asked, string path, CancellationToken cancellationToken) =>
        Json(asked, await CallAsync(asked, ["get", "--raw", path], null, cancellationToken));

    /// <exception cref="ClusterException">It failed.</exception>
    public async Task<JsonObject> CreateAsync(string asked, string path, JsonObject what, CancellationToken cancellationToken) =>
        Json(asked, await CallAsync(asked, ["create", "--raw", path, "-f", "-"], what.ToJsonString(), cancellationToken));

    /// <summary>Also of a whole collection, when the path has a selector.</summary>
    /// <exception cref="ClusterException">It failed.</exception>
    public Task DeleteAsync(string asked, string path, CancellationToken cancellationToken) =>
        CallAsync(asked, ["delete", "--raw", path], null, cancellationToken);

    /// <summary>Anything else that kubectl does.</summary>
    /// <exception cref="ClusterException">It failed.</exception>
    public async Task<string> CallAsync(string asked, IEnumerable<string> arguments, string? input, CancellationToken cancellationToken)
    {
        using var bytes = new MemoryStream();
        IEnumerable<string> bounded = [.. arguments, Invariant($"--request-timeout={Deadline.TotalSeconds:0}s")];
        await CopyAsync(asked, bounded, input, bytes, int.MaxValue, cancellationToken);
        return Encoding.UTF8.GetString(bytes.GetBuffer(), 0, (int)bytes.Length);
    }

    /// <summary>What the answer has, at most so many bytes of it.</summary>
    /// <exception cref="ClusterException">It failed.</exception>
    public async Task CopyAsync(
        string asked, IEnumerable<string> arguments, string? input, Stream to, long most, CancellationToken cancellationToken)
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(Deadline + TimeSpan.FromSeconds(5));
        using var process = Start(asked, arguments);
        try
        {
            var errors = process.StandardError.ReadToEndAsync(deadline.Token);
            await SendAsync(process, input, deadline.Token);
            await CopyAtMostAsync(process.StandardOutput.BaseStream, to, most, deadline.Token);
            var said = await errors;
            await process.WaitForExitAsync(deadline.Token);
            if (process.ExitCode != 0)
            {
                throw Failure(asked, said);
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw new ClusterException(ClusterFault.TimedOut, asked, Invariant($"no answer within {Deadline.TotalSeconds:0} s"));
        }
        finally
        {
            Kill(process);
        }
    }

    /// <summary>A call that goes on until somebody kills it; its output is read by the caller.</summary>
    /// <exception cref="ClusterException">There is no kubectl.</exception>
    public Process Start(string asked, IEnumerable<string> arguments)
    {
        IEnumerable<string> all = context is null ? arguments : ["--context", context, .. arguments];
        try
        {
            return Process.Start(new ProcessStartInfo(program, all)
            {
                UseShellExecute = false,
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            })!;
        }
        catch (Win32Exception missing)
        {
            throw new ClusterException(ClusterFault.NoKubectl, asked, $"the program kubectl could not be started: {missing.Message}");
        }
    }

    public static void Kill(Process process)
    {
        try
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true); // a login of its own may have been started by it
                process.WaitForExit(TimeSpan.FromSeconds(1));
            }
        }
        catch (Exception gone) when (gone is InvalidOperationException or Win32Exception)
        {
            // It has ended.
        }
    }

    /// <summary>What kubectl said when it failed, as a fault.</summary>
    internal static ClusterException Failure(string asked, string errors)
    {
        var text = errors.Trim();
        text = text.Length == 0 ? "kubectl failed without a word" : text.Length > MostOfErrors ? text[^MostOfErrors..] : text;
        var answer = ServerSaid().Match(text);
        // These are not the server's own words: something on the way gave up.
        return answer.Success && answer.Groups["reason"].Value is var reason and not ("Timeout" or "ServiceUnavailable" or "InternalError")
            ? new(ClusterFault.Refused, asked, answer.Groups["said"].Value.Trim(), reason)
            : new(ClusterFault.Unreachable, asked, text);
    }

    private static JsonObject Json(string asked, string text)
    {
        var answer = Answer.Read(text);
        return answer.Value
            ?? throw new ClusterException(ClusterFault.Unreachable, asked, $"the answer is not JSON ({answer.Problems[0]})");
    }

    private static async Task SendAsync(Process process, string? input, CancellationToken cancellationToken)
    {
        try
        {
            await process.StandardInput.WriteAsync((input ?? "").AsMemory(), cancellationToken);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It ended before it had read everything; its own words say why.
        }
    }

    private static async Task CopyAtMostAsync(Stream from, Stream to, long most, CancellationToken cancellationToken)
    {
        var buffer = new byte[1 << 16];
        for (var left = most; left > 0;)
        {
            var count = await from.ReadAsync(buffer.AsMemory(0, (int)Math.Min(buffer.Length, left)), cancellationToken);
            if (count == 0)
            {
                return;
            }

            await to.WriteAsync(buffer.AsMemory(0, count), cancellationToken);
            left -= count;
        }

        await from.CopyToAsync(Stream.Null, cancellationToken);
    }

    [GeneratedRegex(
        @"Error from server \((?<reason>[A-Za-z]+)\): (?<said>.+)", RegexOptions.Singleline | RegexOptions.ExplicitCapture, 1000)]
    private static partial Regex ServerSaid();
}
