using System;
using System.IO;
using System.Net.Sockets;

namespace PerfLab.WorkloadKit;

/// <summary>
/// Asks the runtime for the settings that it runs with and leaves the answer where the lab looks for it. What can't be had is left out: the
/// lab says what is missing, and a launch does not fail because a runtime is too old to tell.
/// </summary>
internal static class SettingsProof
{
    public static void Write(string path)
    {
        try
        {
            if (DiagnosticPort.Rundown() is { } rundown)
            {
                File.WriteAllBytes(path, rundown);
            }
        }
        catch (Exception missing) when (missing is IOException or SocketException or UnauthorizedAccessException or AggregateException)
        {
            // No temporary folder, a port that closed, a full disk.
        }
    }
}
