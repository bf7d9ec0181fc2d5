using System.Net;
using System.Net.Sockets;
using System.Text;
using PerfLab.WorkloadKit;

namespace PerfLab.Workloads.VirtualActors;

/// <summary>
/// How the first client tells the other nodes what to do: one line with the launch's nonce and a word, one line back. A node of another
/// launch, or something else on the port, gives itself away by the nonce.
/// </summary>
internal sealed class Control : IDisposable
{
    private const string Wrong = "another launch's nonce";
    private readonly TaskCompletionSource _told = new();
    private readonly TcpListener _listener;
    private readonly string _nonce;
    private readonly Func<string, string> _answer;

    private Control(TcpListener listener, string nonce, Func<string, string> answer) => (_listener, _nonce, _answer) = (listener, nonce, answer);

    /// <param name="answer">Word -> one line; called on a thread of its own for each line, so it may take its time.</param>
    public static Control Listen(LaunchNode self, string nonce, Func<string, string> answer)
    {
        var control = new Control(new TcpListener(IPAddress.Parse(self.Host), self.Port), nonce, answer);
        control._listener.Start();
        new Thread(control.Accept) { IsBackground = true, Name = "control" }.Start();
        return control;
    }

    /// <summary>Returns when this node was told to end.</summary>
    public void WaitForEnd() => _told.Task.GetAwaiter().GetResult();

    /// <summary>Waits until a node listens: nodes of one role are started together.</summary>
    public static void Await(LaunchNode node, TimeSpan patience)
    {
        var clock = System.Diagnostics.Stopwatch.StartNew();
        while (true)
        {
            try
            {
                using var socket = new TcpClient();
                socket.Connect(node.Host, node.Port);
                return;
            }
            catch (SocketException failure)
            {
                if (clock.Elapsed > patience)
                {
                    throw new WrongAnswerException($"{node.Name} at {node.Host}:{node.Port} did not come within {patience.TotalSeconds} s: {failure.Message}");
                }
            }

            Thread.Sleep(10);
        }
    }

    /// <exception cref="WrongAnswerException">The node belongs to another launch, or ended before it answered.</exception>
    public static string Ask(LaunchNode node, string nonce, string word)
    {
        try
        {
            using var socket = new TcpClient();
            socket.Connect(node.Host, node.Port);
            using var stream = socket.GetStream();
            using var writer = new StreamWriter(stream, new UTF8Encoding(false), leaveOpen: true) { AutoFlush = true };
            using var reader = new StreamReader(stream, leaveOpen: true);
            writer.WriteLine($"{nonce} {word}");
            return reader.ReadLine() switch
            {
                null => throw new WrongAnswerException($"{node.Name} ended before it answered '{word}'."),
                Wrong => throw new WrongAnswerException($"{node.Name} at {node.Host}:{node.Port} belongs to another launch: it has another nonce."),
                var line => line,
            };
        }
        catch (Exception failure) when (failure is SocketException or IOException)
        {
            throw new WrongAnswerException($"{node.Name} at {node.Host}:{node.Port} does not answer '{word}': {failure.Message}");
        }
    }

    public void Dispose() => _listener.Dispose();

    private void Accept()
    {
        try
        {
            while (true)
            {
                var socket = _listener.AcceptTcpClient();
                new Thread(() => Answer(socket)) { IsBackground = true, Name = "control answer" }.Start();
            }
        }
        catch (Exception stopped) when (stopped is SocketException or InvalidOperationException)
        {
            // The node ends.
        }
    }

    private void Answer(TcpClient socket)
    {
        try
        {
            using var stream = socket.GetStream();
            using var reader = new StreamReader(stream);
            using var writer = new StreamWriter(stream, new UTF8Encoding(false)) { AutoFlush = true };
            var line = reader.ReadLine() ?? "";
            if (line == $"{_nonce} {Cluster.Stop}")
            {
                writer.WriteLine();
                _told.TrySetResult(); // not before the answer is out: then the program ends
                return;
            }

            writer.WriteLine(line.StartsWith(_nonce + " ", StringComparison.Ordinal) ? _answer(line[(_nonce.Length + 1)..]) : Wrong);
        }
        catch (IOException)
        {
            // Whoever asked is gone: it looked whether somebody listens, or its node has ended, which the lab sees.
        }
        finally
        {
            socket.Dispose();
        }
    }
}
