using PerfLab.Core.Evidence;
using PerfLab.Core.Model;

namespace PerfLab.Core.Tests.Evidence;

/// <summary>What a launch says of `cpus=` and `memory=`, and what is refused.</summary>
public sealed class LimitClaimsTests
{
    private const long Mebibyte = 1 << 20;

    [Fact]
    public void the_processors_that_the_program_sees_are_the_proof()
    {
        var proof = Of(new(1, null), new() { Processors = 1, GivenProcessors = 1 });
        proof.Disagreements.ShouldBeEmpty();
        proof.Indirect.ShouldBeEmpty();
        proof.ToJson()["cpus"]!.ToJsonString().ShouldBe("""{"planned":"1","is":"1","by":"Environment.ProcessorCount","strength":"direct"}""");
    }

    [Fact]
    public void a_program_that_sees_others_is_refused() =>
        Of(new(1, null), new() { Processors = 2 }).Disagreements
            .ShouldBe(["planned cpus=1, runtime reports 2 (Environment.ProcessorCount)"]);

    [Fact]
    public void a_machine_that_gave_fewer_is_refused_where_the_program_says_nothing() =>
        Of(new(2, null), new() { GivenProcessors = 1 }).Disagreements.ShouldBe(["planned cpus=2, but it was given 1"]);

    [Fact]
    public void where_nothing_says_anything_it_is_not_proven()
    {
        var proof = Of(new(2, 256 * Mebibyte), new());
        proof.Disagreements.ShouldBeEmpty();
        proof.Indirect.ShouldBe(["cpus", "memory"]);
        proof.ToJson()["memory"]!.ToJsonString().ShouldBe("""{"planned":"256MiB","is":null,"by":null,"strength":"none"}""");
    }

    [Theory]
    [InlineData(256, 192, "direct")] // three quarters, as the runtime does by itself
    [InlineData(16, 20, "direct")] // never below 20 MiB
    [InlineData(1024, 384, "indirect")] // something narrower holds it
    [InlineData(256, 100, "indirect")] // a limit of the project's own
    public void the_heap_that_the_gc_counts_on_is_the_proof(int limit, int heap, string strength)
    {
        var proof = Of(new(null, limit * Mebibyte), new() { GcMemoryBytes = heap * Mebibyte });
        proof.Disagreements.ShouldBeEmpty();
        proof.ToJson()["memory"]!["strength"]!.GetValue<string>().ShouldBe(strength);
        proof.Indirect.Contains("memory", StringComparer.Ordinal).ShouldBe(strength == "indirect");
    }

    [Fact]
    public void a_program_that_does_not_see_its_limit_is_refused() =>
        Of(new(null, 256 * Mebibyte), new() { GcMemoryBytes = 31_744 * Mebibyte }).Disagreements
            .ShouldBe(["planned memory=256MiB, runtime reports 31GiB (its GC counts on 31GiB)"]);

    [Fact]
    public void what_nobody_asked_for_is_not_looked_at() => Of(null, new() { Processors = 2, GcMemoryBytes = 1 }).Settings.ShouldBeEmpty();

    [Fact]
    public void a_program_without_a_jit_is_held_to_its_limits_too() =>
        Of(new(1, null), new() { CompiledMethods = 0, Processors = 4 }).Disagreements.ShouldNotBeEmpty();

    private static LaunchProof Of(AskedLimits? limits, Observation seen) => LaunchProof.Of(null, [], seen, limits);
}
