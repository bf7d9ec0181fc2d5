using System.Collections.Concurrent;
using System.Reflection;
using PerfLab.Engine.Tests.Docker;
using PerfLab.Engine.Tests.Support;
using Xunit.v3;

[assembly: EngineTurn]

namespace PerfLab.Engine.Tests.Support;

/// <summary>
/// The private engine is shared by every test run on this machine, also of other checkouts. Some tests kill it, or remove all that perf-lab
/// made in it: they wait until no other run has a test at work, and the others wait for them. Without this, a container of a test here vanished
/// (404) when a test there cleaned up.
/// </summary>
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class EngineTurnAttribute : BeforeAfterTestAttribute
{
    private static readonly string LockFile = Path.Combine(Path.GetTempPath(), "perf-lab-engine-tests.lock");
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(10);
    private readonly ConcurrentDictionary<string, FileStream> _held = new(StringComparer.Ordinal);

    public override void Before(MethodInfo methodUnderTest, IXunitTest test)
    {
        var alone = methodUnderTest.DeclaringType == typeof(AloneTests);
        var deadline = DateTime.UtcNow + Patience;
        while (true)
        {
            try
            {
                _held[test.UniqueID] = alone
                    ? new FileStream(LockFile, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None)
                    : new FileStream(LockFile, FileMode.OpenOrCreate, FileAccess.Read, FileShare.ReadWrite);
                return;
            }
            catch (IOException) when (DateTime.UtcNow < deadline)
            {
                Thread.Sleep(100);
            }
        }
    }

    public override void After(MethodInfo methodUnderTest, IXunitTest test)
    {
        if (_held.TryRemove(test.UniqueID, out var held))
        {
            held.Dispose();
        }
    }
}
