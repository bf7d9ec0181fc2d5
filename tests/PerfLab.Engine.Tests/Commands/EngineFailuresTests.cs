using PerfLab.Core.Model;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker.Images;
using PerfLab.Runner.Tests.Commands;

namespace PerfLab.Engine.Tests.Commands;

/// <summary>What a person reads when the engine, or the base of its containers, is at fault.</summary>
public sealed class EngineFailuresTests : IDisposable
{
    private readonly LabFixture _lab = new();

    public void Dispose() => _lab.Dispose();

    [Theory]
    [InlineData("500 Internal Server Error", """{"message":"the disk is broken"}""", "it answered 500: the disk is broken", "see what the engine's log says")]
    [InlineData("200 OK", "<html>", "line 1, byte 1: is not strict JSON", "see with `docker info`")]
    public async Task A_fault_of_the_engine_is_explained_like_every_other_failure(string status, string body, string cameBack, string toDo)
    {
        Nightly.Only("20 seconds");
        await using var engine = new FakeEngine(line => line.Contains("/version", StringComparison.Ordinal) ? null : FakeAnswer.Of(status, body));
        using var program = _lab.Start("run behaving --executor docker", ("DOCKER_HOST", engine.Endpoint.ToString()));
        var error = await program.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await program.WaitForExitAsync(TestContext.Current.CancellationToken);
        program.ExitCode.ShouldBe(ExitCode.Failed, error);
        error.ShouldContain("perf-lab: asking the Docker engine for GET /");
        error.ShouldContain("\n  came back: " + cameBack);
        error.ShouldContain("\n  to do:     " + toDo);
        error.ShouldNotContain("unexpected");
    }

    [Fact]
    public void A_base_image_that_can_not_be_had_is_explained_like_every_other_failure() =>
        new BaseImageMissingException("mmdebstrap is not installed", "install it").ShouldBeAssignableTo<LabException>()!.DoNext.ShouldBe("install it");
}
