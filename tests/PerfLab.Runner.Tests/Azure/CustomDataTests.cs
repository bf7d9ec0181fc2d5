using System.Text;
using PerfLab.Core.Model;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Azure;

public sealed class CustomDataTests
{
    private static readonly Lease Lease = new(new LeaseHolder(4711, 2), new DateTimeOffset(2026, 11, 2, 9, 0, 0, TimeSpan.Zero));

    /// <summary>The shape of GitHub's encoded_jit_config, with nothing in it.</summary>
    public static string Jit { get; } = Convert.ToBase64String(Encoding.UTF8.GetBytes("""{".runner":"eyJhIjoxfQ==",".credentials":"eyJiIjoyfQ==",".credentials_rsaparams":"e30="}"""));

    [Fact]
    public void A_boot_brings_all_of_the_machine_the_configuration_the_lease_and_the_start_of_one_unit()
    {
        var text = Encoding.UTF8.GetString(Convert.FromBase64String(CustomData.For(Jit + "\n", Lease)));

        text.ShouldStartWith("#cloud-config\n");
        text.ShouldContain($"  - path: /run/perf-lab/jit\n    permissions: \"0600\"\n    owner: root:root\n    content: \"{Jit}\"\n", Case.Sensitive, "nobody else reads it");
        text.ShouldContain("content: \"4711/2/2026-11-02T09:00:00Z\"");
        text.ShouldEndWith("\n  - [systemctl, start, --no-block, perf-lab-runner.service]\n");
        text.ShouldContain("/opt/perf-lab/machine/install.sh");
    }

    [Fact]
    public void Without_a_configuration_nothing_of_GitHubs_runs_there()
    {
        var text = Encoding.UTF8.GetString(Convert.FromBase64String(CustomData.For(null, Lease)));

        text.ShouldContain("content: \"4711/2/2026-11-02T09:00:00Z\"");
        text.ShouldNotContain("path: /run/perf-lab/jit");
        text.ShouldNotContain("start, --no-block");
    }

    [Theory]
    [InlineData("")]
    [InlineData("eyJhIjoxfQ==")]
    [InlineData("\"\nruncmd: [reboot]\n# eyIucnVubmVyIjoiIn0gICAgICAgICAgICAgICAg")]
    [InlineData("W10gICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAg")]
    public void What_is_not_a_runner_configuration_is_refused_and_not_repeated(string text)
    {
        var error = Should.Throw<LabException>(() => CustomData.For(text, Lease));

        error.CameBack.ShouldBe("it is not base 64 of a JSON object with .runner and .credentials");
    }

    [Fact]
    public void More_than_Azure_takes_is_refused_before_anything_starts()
    {
        var huge = Convert.ToBase64String(Encoding.UTF8.GetBytes($$"""{".runner":"{{new string('x', 49_000)}}",".credentials":""}"""));

        Should.Throw<LabException>(() => CustomData.For(huge, Lease)).CameBack.ShouldContain("65535");
    }

    /// <summary>Not over the runner's part alone, and not over what base 64 makes of it (87,380 characters).</summary>
    [Fact]
    public void The_limit_is_that_of_the_whole_cloud_config_before_base_64()
    {
        var around = Convert.FromBase64String(CustomData.For(Jit, Lease)).Length - Jit.Length;
        var longest = (65_535 - around) / 4 * 4;

        Convert.FromBase64String(CustomData.For(JitOf(longest), Lease)).Length.ShouldBe(around + longest);
        Should.Throw<LabException>(() => CustomData.For(JitOf(longest + 4), Lease)).CameBack.ShouldEndWith("bytes, Azure takes 65535");
    }

    /// <param name="characters">Of its base 64: a multiple of four.</param>
    private static string JitOf(int characters)
    {
        const string before = "{\".runner\":\"", after = "\",\".credentials\":\"\"}";
        return Convert.ToBase64String(Encoding.UTF8.GetBytes(before + new string('x', (characters / 4 * 3) - before.Length - after.Length) + after));
    }
}
