using System.Text;
using PerfLab.Building.Changes;

namespace PerfLab.Workload.Tests.Changes;

/// <summary>A list of compiled methods proves something only when it is whole and of this build.</summary>
public sealed class JitListTests(Lab lab)
{
    private static readonly Adversary Program = Adversary.All.Single(one => one.Name == "body");

    [Fact]
    public void what_ran_is_listed_and_what_did_not_is_not()
    {
        var listed = Make().Listed("E0");
        listed.ShouldContain("[App]L::F(Int32):Int32");
        listed.ShouldContain("[App]Entries::E0():Object");
        listed.ShouldNotContain("[App]Other::Work(Int32):Int32");
    }

    [Theory]
    [InlineData(0.5, "cut")] // in the middle of a line
    [InlineData(0.999, "cut")]
    public void a_list_that_is_cut_proves_nothing(double share, string why)
    {
        var program = Make();
        var list = program.List("E0");
        JitList.Of(list.AsSpan(0, (int)(list.Length * share)), program.Content).Problem!.ShouldContain(why);
    }

    [Fact]
    public void a_list_that_was_cut_between_two_lines_proves_nothing()
    {
        var program = Make();
        var lines = Encoding.UTF8.GetString(program.List("E0")).Split('\n');
        var ended = Array.FindIndex(lines, line => line.Contains("Program:Ended"));
        Read(program, lines[..ended]).ShouldBe("its list of methods ends before the benchmark did");
    }

    [Theory]
    [InlineData("9999: JIT compiled L:Gone(int) [Tier0, IL size=4, code size=9]", "its list names a method that its build does not have")]
    [InlineData("9999: JIT compiled L:F(int) [Tier0, IL size=400, code size=9]", "its list names a method that its build does not have")]
    [InlineData("9999: JIT compiled Emitted.Proxy:F(int) [Tier0, IL size=4, code size=9]", "it runs types that are made while it runs")]
    [InlineData("   1: JIT compiled System.Object:.ctor() [Tier0, IL size=1, code size=9]", "two processes wrote into its list of methods")]
    [InlineData("hello", "its list of methods has lines that are none of the JIT's")]
    public void a_line_that_can_not_be_true_proves_nothing(string line, string why)
    {
        var program = Make();
        var lines = Encoding.UTF8.GetString(program.List("E0")).Split('\n');
        Read(program, [line, .. lines]).ShouldBe(why);
    }

    [Fact]
    public void a_method_that_the_runtime_writes_for_itself_proves_nothing()
    {
        var adversary = Adversary.All.Single(one => one.Name == "cold target behind an UnsafeAccessor");
        var source = adversary.Base.Replace("x > 1000", "x > 0", StringComparison.Ordinal);
        var program = CompiledProgram.Make(Path.Combine(lab.NewFolder(), "base"), source);
        JitList.Of(program.List("E0"), program.Content).Problem.ShouldBe("its list names a method that its build does not have");
    }

    private static string? Read(CompiledProgram program, string[] lines) =>
        JitList.Of(Encoding.UTF8.GetBytes(string.Join('\n', lines.Where(line => line.Length > 0)) + "\n"), program.Content).Problem;

    private CompiledProgram Make() => CompiledProgram.Make(Path.Combine(lab.NewFolder(), "base"), Program.Base);
}
