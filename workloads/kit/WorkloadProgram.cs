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

    /// <summary>Runs a workload whose body is synchronous.</summary>
    /// <param name="arguments">The command line: <c>name=value</c> sets a parameter when a person runs the program by hand.</param>
    /// <param name="body">Reads its parameters, checks its answer, measures and reports.</param>
    /// <returns>The exit code: <see cref="Measured"/>, <see cref="Failed"/> or <see cref="Refused"/>.</returns>
    public static int Run(string[] arguments, Action<Launch> body)
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

    /// <summary>Runs a workload whose body is asynchronous; otherwise as <see cref="Run(string[], Action{Launch})"/>.</summary>
    public static int Run(string[] arguments, Func<Launch, Task> body) =>
        Run(arguments, launch => body(launch).GetAwaiter().GetResult());
}
