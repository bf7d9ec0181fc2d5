using System.CommandLine;
using PerfLab.Core.Model;
using PerfLab.Programs;
using PerfLab.Reports.Site;
using PerfLab.History;
using PerfLab.Runner.Flow;
using PerfLab.Runner.Keeping;

namespace PerfLab.Runner.Commits;

/// <summary>`site`: the whole history as static files.</summary>
internal static class SiteCommand
{
    /// <summary>Written into every site: a folder with anything else and without it is none of ours to overwrite.</summary>
    private const string Mark = "perf-lab-site.txt";

    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("folder") { Description = "Gets the site; an older site there is replaced." };
        var repository = new Option<string?>("--repository")
        {
            Description = "Where commits are linked, as https://github.com/OWNER/NAME; without it they are shown as text.",
            HelpName = "URL",
        };
        var name = new Option<string>("--name")
        {
            Description = "Title of the site.",
            HelpName = "NAME",
            DefaultValueFactory = _ => "perf-lab",
        };
        var command = Examples.Command(
            "site", "Write the history as static pages: what moved, a page for each series and session, any two side by side. "
                + "For GitHub Pages, or a plain folder.",
            ["./perf-lab site public --repository https://github.com/me/my-library"]).With(folder, repository, name);
        command.SetAction((parsed, cancellationToken) =>
        {
            var settings = new SiteSettings(Repository(parsed.GetValue(repository)), parsed.GetValue(name)!);
            var target = Path.GetFullPath(Path.Combine(terminal.WorkingFolder, parsed.GetValue(folder)!));
            var lab = Lab.Open(terminal);
            using var store = LabHistory.Open(lab.Config);
            var reader = new SiteReader(store);
            var history = reader.Read(size => lab.Config.Machines.FirstOrDefault(machine => machine.Size == size)?.PricePerHour);
            var (files, bytes) = Write(target, new SiteMaker(history, settings).Files(reader.Series(), reader.Problems), cancellationToken);
            terminal.Out.WriteLine(Invariant($"{files} files, {bytes / 1e6:0.0} MB: {Path.Combine(target, "index.html")}"));
            foreach (var problem in reader.Problems)
            {
                terminal.Say($"left out: {UntrustedText.Line(problem, UntrustedText.MaxChars)}");
            }

            return Task.FromResult(ExitCode.Done);
        });
        return command;
    }

    private static string? Repository(string? text)
    {
        if (text is null)
        {
            return null;
        }

        return Uri.TryCreate(text, UriKind.Absolute, out var address)
            && address is { Scheme: "https", UserInfo: "", Query: "", Fragment: "", AbsolutePath.Length: > 1 }
            ? address.GetLeftPart(UriPartial.Path).TrimEnd('/')
            : throw new WrongUseException([new("--repository", $"'{UntrustedText.Line(text)}' is no address of a repository.",
            "Example: --repository https://github.com/me/my-library")]);
    }

    /// <summary>Into a folder beside it first, then in place of the old one: who looks meanwhile sees one whole site.</summary>
    private static (int Files, long Bytes) Write(string target, IEnumerable<SiteFile> files, CancellationToken cancellationToken)
    {
        if (Directory.Exists(target) && Directory.EnumerateFileSystemEntries(target).Any() && !File.Exists(Path.Combine(target, Mark)))
        {
            throw new LabException($"writing a site to {target}", "the folder holds other files",
                "name an empty folder, or one that does not exist");
        }

        var building = target + ".building";
        DeleteIfThere(building);
        var (count, bytes) = (0, 0L);
        foreach (var file in files.Append(new(Mark, "A site of perf-lab: `perf-lab site` replaces this folder.\n"))
            .Append(new(".nojekyll", "")))
        {
            cancellationToken.ThrowIfCancellationRequested();
            var path = Path.Combine(building, file.Path);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            var content = Encoding.UTF8.GetBytes(file.Content);
            File.WriteAllBytes(path, content);
            (count, bytes) = (count + 1, bytes + content.Length);
        }

        DeleteIfThere(target);
        Directory.Move(building, target);
        return (count, bytes);
    }

    private static void DeleteIfThere(string folder)
    {
        if (Directory.Exists(folder))
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
