using PerfLab.Core.Statistics.Exact;
using PerfLab.Core.Tests.Reporting.Support;

namespace PerfLab.Core.Tests.House;

/// <summary>What others can use of the statistics is written down, so that a change of it is seen in a review.</summary>
public sealed class PublicSurfaceTests
{
    private const string Page = "runner/PerfLab.Core/Statistics/PublicAPI.txt";
    private const string Write =
        "PERF_LAB_WRITE=1 dotnet run --project tests/PerfLab.Core.Tests -c Release -- -class '*PublicSurfaceTests'";

    [Fact]
    public void what_others_can_use_of_the_statistics_is_written_down()
    {
        var surface = $"# Public types and members of the statistics. Written by PublicSurfaceTests: {Write}\n"
            + PublicSurface.Of(typeof(SignedRank).Assembly, "PerfLab.Core.Statistics");
        if (Environment.GetEnvironmentVariable("PERF_LAB_WRITE") == "1")
        {
            File.WriteAllText(Path.Combine(Repository.Root, Page), surface);
            return;
        }

        Repository.Read(Page).ShouldBe(
            surface, $"What others can use of the statistics changed. When that was meant, write it again:\n{Write}");
    }

    [Fact]
    public void a_record_is_its_members_and_not_what_the_compiler_adds() => PublicSurface.Of(typeof(Pair)).ShouldBe("""
        sealed record PublicSurfaceTests.Pair : IDisposable
            const int Most = 3
            Pair(string Name, double? Value)
            string Name { get; init; }
            required string? Note { get; set; }
            double? Value { get; init; }
            void Dispose()
            override string ToString()

        """);

    [Fact]
    public void signatures_are_those_of_the_source() => PublicSurface.Of(typeof(Calls)).ShouldBe("""
        static class PublicSurfaceTests.Calls
            static readonly int[] Empty
            static IReadOnlyList<(string? Name, (int From, int To) Range)>? Ranges { get; }
            static bool Find(string text, out List<string?> found, in int from, ref long at)
            static T First<T>(T[] many, params string[]? others)
            static void Say(string text = "so", string? other = null, double much = 0.5, Way way = Down, TimeSpan wait = default)

        """);

    [Fact]
    public void values_of_an_enumeration_are_numbers_that_files_may_hold() => PublicSurface.Of(typeof(Way)).ShouldBe("""
        enum PublicSurfaceTests.Way
            Up = 0
            Down = 3

        """);

    [Fact]
    public void kinds_of_types_are_told_apart() => new[] { typeof(Spot), typeof(Base), typeof(Derived), typeof(IFace) }
        .Select(type => PublicSurface.Of(type).Split('\n')[0].Replace(nameof(PublicSurfaceTests) + ".", ""))
        .ShouldBe(["readonly record struct Spot", "abstract class Base", "class Derived : Base, IFace", "interface IFace"]);

    [Fact]
    public void types_that_nobody_else_can_use_are_left_out() =>
        PublicSurface.Of(typeof(Pair).Assembly, "PerfLab.Core.Tests.House").ShouldNotContain(nameof(PublicSurface) + "\n");

    public enum Way
    {
        Up,
        Down = 3,
    }

    public interface IFace
    {
        bool Go(bool loud = true);
    }

    public abstract class Base;

    public class Derived : Base, IFace
    {
        public bool Go(bool loud = true) => loud;
    }

    public readonly record struct Spot(int X);

    public sealed record Pair(string Name, double? Value) : IDisposable
    {
        public const int Most = 3;

        public required string? Note { get; set; }

        public void Dispose() => Note = null;

        public override string ToString() => Name;
    }

    public static class Calls
    {
        public static readonly int[] Empty = [];

        public static IReadOnlyList<(string? Name, (int From, int To) Range)>? Ranges => null;

        public static bool Find(string text, out List<string?> found, in int from, ref long at)
        {
            (found, at) = ([text], at + from);
            return false;
        }

        public static T First<T>(T[] many, params string[]? others) => many[others?.Length ?? 0];

        public static void Say(
            string text = "so", string? other = null, double much = 0.5, Way way = Way.Down, TimeSpan wait = default) =>
            _ = (text, other, much, way, wait);
    }
}
