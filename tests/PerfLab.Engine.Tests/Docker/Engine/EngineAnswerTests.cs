using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

/// <summary>Answers of real engines say much more than we ask, and null where Go has nothing.</summary>
public sealed class EngineAnswerTests
{
    [Fact]
    public void What_we_do_not_know_is_passed_over_and_null_is_empty()
    {
        var images = EngineAnswer<IReadOnlyList<ImageSummary>>.Format.Read(
            """[{"Containers":-1,"Created":1,"Id":"sha256:1","Labels":null,"ParentId":"","RepoDigests":[],"RepoTags":null,"Size":7,"SharedSize":-1}]""").Value.ShouldNotBeNull();
        (images[0].Bytes, images[0].Tags.Count, images[0].Labels.Count, images[0].Name).ShouldBe((7, 0, 0, "sha256:1"));

        var image = EngineAnswer<ImageDetails>.Format.Read(
            """{"Id":"i","RootFS":{"Type":"layers","Layers":["a"]},"Config":{"Volumes":{"/data":{}},"Env":null,"Cmd":null},"Architecture":"amd64","Os":"linux"}""").Value.ShouldNotBeNull();
        (image.DiffIds[0], image.Volumes[0], image.Environment.Count, image.System).ShouldBe(("a", "/data", 0, "linux"));
    }

    [Fact]
    public void A_container_in_a_list_has_a_time_and_labels()
    {
        var list = EngineAnswer<IReadOnlyList<ContainerSummary>>.Format.Read("""[{"Id":"c","Names":["/x"],"Created":60,"State":"exited","Labels":{"perf-lab.run":"s"}}]""").Value.ShouldNotBeNull();
        (list[0].State, list[0].Labels["perf-lab.run"], list[0].Created).ShouldBe(("exited", "s", DateTimeOffset.UnixEpoch.AddMinutes(1)));
    }

    [Fact]
    public void What_an_engine_can_not_do_is_said()
    {
        var info = EngineAnswer<EngineInfo>.Format.Read("""{"MemoryLimit":true,"SwapLimit":false,"CPUSet":false,"SecurityOptions":["name=apparmor"]}""").Value.ShouldNotBeNull();
        new EngineFacts(new("28.0", "1.51"), "1.51", info, "0-1").Warnings(EngineEndpoint.Parse("unix:///run/docker.sock")).ShouldBe(
        [
            "The engine can't keep containers from swapping on this machine.",
            "The engine can't pin containers to cores on this machine.",
            "The engine runs containers without a seccomp filter.",
        ]);
    }

    [Fact]
    public void An_end_without_a_code_is_no_end_with_code_0()
    {
        EngineAnswer<EndedContainer>.Format.Read("{}").Value.ShouldBeNull();
        EngineAnswer<ContainerDetails>.Format.Read("""{"Id":"c","State":{}}""").Value.ShouldBeNull();
        EngineAnswer<EndedContainer>.Format.Read("""{"StatusCode":3}""").Value!.StatusCode.ShouldBe(3);
    }
}
