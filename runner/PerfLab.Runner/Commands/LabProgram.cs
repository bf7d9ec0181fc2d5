using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Machine.Kernel;
using PerfLab.Programs;

namespace PerfLab.Runner.Commands;

/// <summary>
/// `lab` is a program of its own, because of its libraries, which have no place where something is measured. This process becomes it: id,
/// streams, signals and exit code need nobody in between.
/// </summary>
internal static class LabProgram
{
    /// <summary>The name of its files without their endings.</summary>
    public const string Name = "perf-lab-lab";

    private const string Word = "lab", OwnProject = "/PerfLab.Runner/", ItsProject = "/PerfLab.Lab/";

    /// <summary>For the list of commands and for names that come near. What follows `lab`, that program alone knows.</summary>
    public static Command Listed()
    {
        var command = new Command(Word, "The machines of the lab in Azure: what they do, what they cost, and that they stop.");
        command.SetAction(NotInFront);
        return command;
    }

    /// <summary>Whether a command line is that program's, or the unfinished one that a shell asks about.</summary>
    public static bool IsMeant(IReadOnlyList<string> arguments) => arguments switch
    {
        [var asked, var line] when asked.StartsWith("[suggest", StringComparison.Ordinal) =>
            CommandOf(line.Split(' ', StringSplitOptions.RemoveEmptyEntries).Skip(1)) == Word,
        _ => CommandOf(arguments) == Word,
    };

    /// <summary>Comes back only when that program can't be started, with the exit code.</summary>
    public static int Become(IReadOnlyList<string> arguments)
    {
        var here = AppContext.BaseDirectory;
        var cameBack = Find(here) is not { } program ? $"there is no {Name}.dll in {here}"
            // With a runtime of its own there need be no `dotnet`; without one it runs in the runtime that runs this.
            : HasOwnRuntime(here) ? OtherProgram.Become(Path.ChangeExtension(program, null), arguments)
            : OtherProgram.Become(DotNet, ["exec", program, .. arguments]);
        return Invocation.Explain(
            new LabException("starting the program of the machines in Azure", cameBack, "take all files of a release, or build it anew"),
            Terminal.OfThisProcess(arguments), verbose: false);
    }

    /// <summary>Its assembly: beside this one where both were published, else where its project was built as this one was.</summary>
    /// <param name="folder">Of this program, with a slash at its end.</param>
    /// <returns>Null when it is in neither place.</returns>
    internal static string? Find(string folder)
    {
        var at = folder.LastIndexOf(OwnProject, StringComparison.Ordinal);
        string[] folders = at < 0 ? [folder] : [folder, folder[..at] + ItsProject + folder[(at + OwnProject.Length)..]];
        return folders.Select(one => Path.Combine(one, Name + ".dll")).FirstOrDefault(File.Exists);
    }

    private static bool HasOwnRuntime(string folder) => File.Exists(Path.Combine(folder, "System.Private.CoreLib.dll"));

    // The runtime lies in shared/NAME/VERSION below the program that started it.
    private static string DotNet =>
        Path.GetFullPath("../../../dotnet", System.Runtime.InteropServices.RuntimeEnvironment.GetRuntimeDirectory());

    private static string? CommandOf(IEnumerable<string> words) => words.FirstOrDefault(word => word is not ['-' or '[', ..]);

    private static int NotInFront(ParseResult parsed) =>
        throw new WrongUseException([new("lab", "stands first: ./perf-lab lab --help")]);
}
