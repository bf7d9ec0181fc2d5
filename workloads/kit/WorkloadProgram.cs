using System;
using System.Threading.Tasks;

namespace PerfLab.WorkloadKit;

/// <summary>The frame of every workload: settings in, body, one result out, an exit code.</summary>
public static class WorkloadProgram
{
    /// <summary>Exit code of a launch that measured and wrote its result.</summary>
    public const int Measured = 0;

    /// <summary>Exit code of a launch that failed: a wrong answer, an exception, a result that can't be written.</summary>
    public const int Failed = 1;

    /// <summary>Exit code of a launch that was asked for something it does not offer; nothing was measured.</summary>
    public const int Refused = 2;

    /// <summary>Runs a workload.</summary>
    /// <param name="arguments">The command line: <c>name=value</c> sets a parameter when a person runs the program by hand.</param>
    /// <param name="body">Reads its parameters, checks its answer, measures and reports.</param>
    /// <returns>The exit code: <see cref="Measured"/>, <see cref="Failed"/> or <see cref="Refused"/>.</returns>
    public static int Run(string[] arguments, Action<Launch> body)
    {
        var exitCode = Report(arguments, body);
        ListedEnd.Prepare();
        return exitCode;
    }

    /// <summary>
    /// Does not compile, where an asynchronous body would otherwise become an <c>async void</c>: after an <c>await</c> the body would sleep
    /// through the measurement on a thread of the pool, which on two CPUs starts with two, and the workload would run with one of them missing.
    /// </summary>
    [Obsolete("The body of a workload is synchronous: wait for tasks with GetAwaiter().GetResult(), so that it measures from the main thread and not from one of the pool's.", error: true)]
    public static int Run(string[] arguments, Func<Launch, Task> body) => throw new NotSupportedException();

    private static int Report(string[] arguments, Action<Launch> body)
    {
        try
        {
            var launch = Launch.From(arguments, Environment.GetEnvironmentVariables());
            body(launch);
            launch.WriteResult();
            return Measured;
        }
        catch (RefusedException refused)
        {
            Console.Error.WriteLine(refused.Message);
            return Refused;
        }
        catch (WrongAnswerException wrong)
        {
            Console.Error.WriteLine("wrong answer, nothing was reported: " + wrong.Message);
            return Failed;
        }
        catch (Exception failure)
        {
            // The edge of the program: the lab shows the last lines of what a failed launch printed.
            Console.Error.WriteLine(failure);
            return Failed;
        }
    }
}
