using System.ComponentModel;
using System.Runtime.InteropServices;

namespace PerfLab.Machine.Kernel;

/// <summary>
/// A network with nothing in it but its own loopback, which several programs can share and nobody else can reach. Making one takes root
/// (CAP_SYS_ADMIN). It lasts until it is disposed of and its last program has ended.
/// </summary>
internal sealed partial class NetworkNamespace : IDisposable
{
    private const int NewNetwork = 0x40000000;
    private const int Internet = 2;
    private const int Datagram = 2;
    private const nuint SetInterfaceFlags = 0x8914;
    private const short UpAndRunning = 0x41;
    private readonly int descriptor;

    private NetworkNamespace(int descriptor) => this.descriptor = descriptor;

    /// <summary>A new one, or why there can't be one here.</summary>
    public static (NetworkNamespace? Network, string? Problem) TryCreate()
    {
        (NetworkNamespace?, string?) made = default;
        // Leaving the machine's network moves the calling thread, for good: so a thread of its own, which ends.
        var mover = new Thread(() => made = Create()) { Name = "network namespace" };
        mover.Start();
        mover.Join();
        return made;
    }

    /// <summary>Moves the calling thread into it, and with it every program that the thread starts. It can't go back.</summary>
    public bool Enter() => Join(descriptor, NewNetwork) == 0;

    public void Dispose() => _ = Libc.Close(descriptor);

    private static (NetworkNamespace? Network, string? Problem) Create()
    {
        if (Leave(NewNetwork) != 0)
        {
            var why = new Win32Exception(Marshal.GetLastPInvokeError()).Message;
            return (null, $"the kernel refuses a network namespace ({why}); it takes root");
        }

        if (RaiseLoopback() is { } problem)
        {
            return (null, problem);
        }

        var opened = Libc.Open("/proc/thread-self/ns/net", Libc.CloseOnExec);
        return opened < 0 ? (null, "the new network namespace can't be opened") : (new NetworkNamespace(opened), null);
    }

    private static unsafe string? RaiseLoopback()
    {
        var socket = Socket(Internet, Datagram | Libc.CloseOnExec, 0);
        if (socket < 0)
        {
            return "no socket can be opened in the new network namespace";
        }

        var request = new InterfaceRequest { Flags = UpAndRunning };
        "lo"u8.CopyTo(new Span<byte>(request.Name, 16));
        var result = Control(socket, SetInterfaceFlags, &request);
        _ = Libc.Close(socket);
        return result == 0 ? null : "the loopback of the new network namespace can't be switched on";
    }

    [LibraryImport("libc", EntryPoint = "unshare", SetLastError = true)]
    private static partial int Leave(int flags);
    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int Join(int descriptor, int kind);
    [LibraryImport("libc", EntryPoint = "socket", SetLastError = true)]
    private static partial int Socket(int family, int kind, int protocol);
    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    private static unsafe partial int Control(int descriptor, nuint request, InterfaceRequest* argument);

    /// <summary>struct ifreq: a name and, here, flags.</summary>
    [StructLayout(LayoutKind.Sequential, Size = 40)]
    private unsafe struct InterfaceRequest
    {
        public fixed byte Name[16];
        public short Flags;
    }
}
