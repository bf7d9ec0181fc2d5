using System.Diagnostics;
using System.Text;

namespace PerfLab.Runner.Tests.MachineContent;

/// <summary>`infra/machine/runner-age` with a stand-in for `gh` that notes what it was asked.</summary>
public sealed class RunnerAgeTests : IDisposable
{
    private readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("perf-lab-test-");

    public void Dispose() => folder.Delete(recursive: true);

    private string Told => Path.Combine(folder.FullName, "told");

    private async Task<ShellResult> LookAsync(string newest, string today, string openIssue = "")
    {
        await File.WriteAllTextAsync(Path.Combine(folder.FullName, "versions"), "RUNNER_VERSION=2.337.0\nRUNNER_SHA256=0\n");
        var gh = Path.Combine(folder.FullName, "gh");
        await File.WriteAllTextAsync(gh, $$"""
            #!/bin/bash
            case "$*" in
              *releases/latest*) echo '{{newest}}' ;;
              *releases/tags/v2.337.0*) echo 2026-10-01T12:00:00Z ;;
              'issue list'*) printf '%s' '{{openIssue}}' ;;
              'issue create'*) printf '%s\n' "$*" >>'{{Told}}' ;;
              *) exit 9 ;;
            esac

            """.ReplaceLineEndings("\n"), new UTF8Encoding(false));
        Executable.Make(gh);
        return await Shell.RunAsync(new ProcessStartInfo(Path.Combine(Shell.Machine, "runner-age"), [Path.Combine(folder.FullName, "versions")])
        {
            Environment =
            {
                ["PATH"] = $"{folder.FullName}:/usr/bin:/bin", ["REPOSITORY"] = "octo/lab",
                ["PERF_LAB_NOW"] = FormattableString.Invariant($"{DateTimeOffset.Parse(today + "T12:00:00Z", System.Globalization.CultureInfo.InvariantCulture).ToUnixTimeSeconds()}"),
            },
        }, null);
    }

    [Theory]
    [InlineData("v2.338.0", "2026-10-20", "", false)]
    [InlineData("v2.338.0", "2026-10-21", "", true)]
    [InlineData("v2.337.0", "2026-12-24", "", false)]
    [InlineData("v2.338.0", "2026-10-25", "7", false)]
    public async Task One_issue_is_opened_when_it_is_20_days_old_and_a_newer_one_is_out(string newest, string today, string open, bool opened)
    {
        var result = await LookAsync(newest, today, open);

        result.Exit.ShouldBe(0, result.Output);
        File.Exists(Told).ShouldBe(opened, result.Output);
    }

    [Fact]
    public async Task The_issue_says_what_to_do()
    {
        await LookAsync("v2.338.0", "2026-10-25");

        var text = await File.ReadAllTextAsync(Told);
        text.ShouldContain("GitHub's runner 2.337.0 is too old soon");
        text.ShouldContain("https://github.com/actions/runner/releases/tag/v2.338.0");
    }

    [Theory]
    [InlineData("<html>")]
    [InlineData("")]
    [InlineData("v1.0.0; reboot")]
    public async Task An_answer_that_is_none_opens_nothing(string newest)
    {
        (await LookAsync(newest, "2026-12-24")).Exit.ShouldNotBe(0);

        File.Exists(Told).ShouldBeFalse();
    }
}
