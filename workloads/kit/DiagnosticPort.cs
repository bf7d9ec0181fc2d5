using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

namespace PerfLab.WorkloadKit;

/// <summary>
/// The runtime's own diagnostic port, asked from inside: a socket in the temporary folder, so that it works where nothing can come in from
/// outside. Protocol: github.com/dotnet/diagnostics, documentation/design-docs/ipc-protocol.md.
/// </summary>
internal static class DiagnosticPort
{
    private const byte EventPipe = 2, StopTracing = 1, CollectTracing4 = 5, Server = 0xff, Ok = 0;

    // Settings of tiered compilation (event 280) and of the runtime's start; 1 adds the settings of the GC.
    private const long RundownKeyword = 0x10_0000_0001;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    /// <summary>
    /// The rundown of a session that traced nothing: the settings that the runtime runs with. .NET 9 and later answer.
    /// </summary>
    /// <returns>A .nettrace file; null when this runtime does not know the question, or has its port closed.</returns>
    public static byte[]? Rundown()
    {
        using var session = Connect();
        if (session is null)
        {
            return null;
        }

        Send(session, CollectTracing4, Session());
        if (ReadAnswer(session) is not { } id)
        {
            return null;
        }

        // The rundown is written while this is read, and ends with the session.
        var reading = Task.Run(() => ReadToEnd(session));
        using var stopping = Connect();
        if (stopping is null)
        {
            return null;
        }

        Send(stopping, StopTracing, writer => writer.Write(id));
        return ReadAnswer(stopping) is not null && reading.Wait(Patience) ? reading.Result : null;
    }

    private static Action<BinaryWriter> Session() => writer =>
    {
        writer.Write(1); // MB of buffer
        writer.Write(1); // nettrace
        writer.Write(RundownKeyword);
        writer.Write(false); // no stacks
        writer.Write(1); // one provider, which must be one that says nothing
        writer.Write(0L); // keywords
        writer.Write(0); // level
        Text(writer, "perf-lab-nothing");
        Text(writer, ""); // filter
    };

    private static void Text(BinaryWriter writer, string text)
    {
        writer.Write(text.Length + 1);
        writer.Write(Encoding.Unicode.GetBytes(text + "\0"));
    }

    private static NetworkStream? Connect()
    {
        // netstandard2.0 does not name this type; every runtime that has the port has it.
        var type = typeof(Socket).Assembly.GetType("System.Net.Sockets.UnixDomainSocketEndPoint");
        // A process that crashed leaves its socket behind, and numbers of processes come again: the one that answers is ours.
        return type is null ? null : Directory.GetFiles(Path.GetTempPath(), $"dotnet-diagnostic-{Process.GetCurrentProcess().Id}-*-socket")
            .Select(path => Connect((EndPoint)Activator.CreateInstance(type, path)!)).FirstOrDefault(stream => stream is not null);
    }

    private static NetworkStream? Connect(EndPoint port)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified)
        {
            ReceiveTimeout = (int)Patience.TotalMilliseconds,
            SendTimeout = (int)Patience.TotalMilliseconds,
        };
        try
        {
            socket.Connect(port);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch (SocketException)
        {
            socket.Dispose();
            return null;
        }
    }

    private static void Send(Stream stream, byte command, Action<BinaryWriter> content)
    {
        using var payload = new MemoryStream();
        using var writer = new BinaryWriter(payload);
        content(writer);
        writer.Flush();
        using var message = new MemoryStream();
        using var head = new BinaryWriter(message);
        head.Write(Encoding.ASCII.GetBytes("DOTNET_IPC_V1\0"));
        head.Write((ushort)(20 + payload.Length));
        head.Write(EventPipe);
        head.Write(command);
        head.Write((ushort)0);
        head.Write(payload.ToArray());
        head.Flush();
        stream.Write(message.ToArray(), 0, (int)message.Length);
    }

    /// <summary>The number in an answer that says yes; otherwise null.</summary>
    private static long? ReadAnswer(Stream stream)
    {
        using var reader = new BinaryReader(stream, Encoding.ASCII, leaveOpen: true);
        reader.ReadBytes(14);
        var size = reader.ReadUInt16();
        var yes = reader.ReadByte() == Server & reader.ReadByte() == Ok;
        reader.ReadUInt16();
        return yes && size == 28 ? reader.ReadInt64() : null;
    }

    private static byte[] ReadToEnd(Stream stream)
    {
        using var all = new MemoryStream();
        stream.CopyTo(all);
        return all.ToArray();
    }
}
