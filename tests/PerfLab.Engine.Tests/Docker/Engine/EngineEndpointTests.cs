using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class EngineEndpointTests
{
    [Theory]
    [InlineData(null, "unix:///var/run/docker.sock")]
    [InlineData("", "unix:///var/run/docker.sock")]
    [InlineData("unix:///run/user/1000/docker.sock", "unix:///run/user/1000/docker.sock")]
    [InlineData("tcp://127.0.0.1:2375", "tcp://127.0.0.1:2375")]
    [InlineData("tcp://engine", "tcp://engine:2375")]
    public void DOCKER_HOST_means_what_it_means_to_docker(string? dockerHost, string endpoint) =>
        EngineEndpoint.Parse(dockerHost).ToString().ShouldBe(endpoint);

    [Theory]
    [InlineData("ssh://user@host")]
    [InlineData("npipe:////./pipe/docker_engine")]
    [InlineData("unix://relative")]
    [InlineData("nonsense")]
    public void Ways_that_are_not_spoken_are_named_with_those_that_are(string dockerHost) =>
        Should.Throw<FormatException>(() => EngineEndpoint.Parse(dockerHost)).Message
            .ShouldBe($"DOCKER_HOST is \"{dockerHost}\"; perf-lab speaks unix:///path/to/docker.sock and tcp://host:port. "
                + "Set one of these, or unset it for /var/run/docker.sock.");

    [Theory]
    [InlineData("1.41", "1.12", "1.41")]
    [InlineData("1.47", "1.24", "1.47")]
    [InlineData("1.99", "1.44", "1.51")]
    public void The_newest_version_that_both_know_is_spoken(string newest, string oldest, string spoken) =>
        EngineClient.Negotiate(new EngineVersion("x", newest, oldest, "")).ShouldBe(spoken);

    [Theory]
    [InlineData("1.40", "1.12", "Update the engine.")]
    [InlineData("1.99", "1.90", "Update perf-lab.")]
    [InlineData("one", "1.12", "is no API version")]
    public void Where_there_is_no_common_version_it_is_said_who_is_too_old(string newest, string oldest, string words) =>
        Should.Throw<EngineException>(() => EngineClient.Negotiate(new EngineVersion("x", newest, oldest, ""))).Message.ShouldContain(words);
}
