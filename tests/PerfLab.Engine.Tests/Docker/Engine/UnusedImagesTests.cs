using System.Collections.Concurrent;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching.Docker;
using PerfLab.Launching.Docker.Engine;

namespace PerfLab.Engine.Tests.Docker.Engine;

public sealed class UnusedImagesTests(EngineFixture engine)
{
    private static readonly DateTimeOffset LongAgo = new(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);

    [Fact]
    public async Task A_session_removes_what_none_has_used_for_two_weeks_and_keeps_its_own_and_the_unmarked()
    {
        Nightly.Only("10 seconds");
        engine.Require();
        using var client = engine.Client();
        var unique = Guid.NewGuid().ToString("n");
        var said = new List<string>();
        await using var launches = Launches.On(engine);
        await using var session = new DockerLauncher(engine.Settings() with { Say = said.Add });
        var (old, mine, unmarked) = (launches.Script($"echo old {unique}"), launches.Script($"echo mine {unique}"), launches.Script($"echo unmarked {unique}"));
        await launches.Launcher.PrepareAsync([old, mine, unmarked], CancellationToken.None);
        var ids = new[] { old, mine, unmarked }.Select(launches.Launcher.ImageOf).ToList();
        try
        {
            foreach (var id in ids)
            {
                await ForgetAsync(client, id);
            }

            foreach (var id in ids.Take(2))
            {
                await client.TagImageAsync(id, LastUse.Repository, LastUse.Tag(id, LongAgo), CancellationToken.None);
            }

            await session.PrepareAsync([mine], CancellationToken.None);

            (await client.InspectImageAsync(ids[0], CancellationToken.None)).ShouldBeNull();
            (await client.InspectImageAsync(ids[2], CancellationToken.None)).ShouldNotBeNull();
            var kept = await FindAsync(client, ids[1]);
            LastUse.TagsOf(kept).ShouldHaveSingleItem();
            (DateTimeOffset.UtcNow - LastUse.Of(kept)!.Value).TotalDays.ShouldBeInRange(0, 2);
            // Another session on this engine may have come first; then the line is that one's.
            said.ShouldAllBe(line => line.StartsWith("removed 1 image that no session has used for 14 days (", StringComparison.Ordinal));
        }
        finally
        {
            foreach (var id in ids)
            {
                await client.RemoveImageAsync(id, CancellationToken.None);
            }
        }
    }

    [Theory]
    [InlineData("200 OK", "removed 1 image that no session has used for 14 days (")]
    [InlineData("409 Conflict", "perf-lab/build:old was last used on 2001-01-01 and can't be removed")]
    [InlineData(null, "the clean-up of old images stopped: asking the Docker engine for ")]
    public async Task What_is_removed_and_what_cannot_be_is_a_line_and_no_error(string? status, string line)
    {
        var asked = new ConcurrentQueue<string>();
        await using var fake = new FakeEngine(request =>
        {
            asked.Enqueue(request);
            return request.Contains("/version") ? null
                : request.StartsWith("GET", StringComparison.Ordinal) && request.Contains("/images/json") ? FakeAnswer.Of("200 OK", Images)
                : request.StartsWith("DELETE", StringComparison.Ordinal) && request.Contains("/images/sha256%3Aold") ? status is null ? new("") : FakeAnswer.Of(status, """{"message":"image is being used by running container"}""")
                : FakeAnswer.Of("201 Created", "");
        });
        using var client = new EngineClient(fake.Endpoint);
        var said = new List<string>();

        await new UnusedImages(client, TimeProvider.System, said.Add).RemoveAsync(["sha256:used"], CancellationToken.None);

        said.ShouldHaveSingleItem().ShouldStartWith(line);
        asked.Where(request => request.StartsWith("DELETE", StringComparison.Ordinal)).ShouldAllBe(request => request.Contains("old") || request.Contains("20010101"));
        asked.ShouldContain(request => request.StartsWith("POST", StringComparison.Ordinal) && request.Contains("sha256%3Aused/tag"));
    }

    private const string Images = """
        [{"Id":"sha256:used","Size":1,"RepoTags":["perf-lab/build:used","perf-lab/used:20010101-used"],"Labels":{"perf-lab.build":"sha256:1"}},
         {"Id":"sha256:old","Size":1,"RepoTags":["perf-lab/used:20010101-old","perf-lab/build:old"],"Labels":{"perf-lab.build":"sha256:2"}},
         {"Id":"sha256:unmarked","Size":1,"RepoTags":null,"Labels":{"perf-lab.build":"sha256:3"}}]
        """;

    private static async Task<ImageSummary> FindAsync(EngineClient client, string id) =>
        (await client.ListImagesAsync(Labels.Build, CancellationToken.None)).Single(image => image.Id == id);

    /// <summary>Takes the marks away that the preparation has set.</summary>
    private static async Task ForgetAsync(EngineClient client, string id)
    {
        foreach (var tag in LastUse.TagsOf(await FindAsync(client, id)))
        {
            await client.RemoveImageAsync(tag, CancellationToken.None);
        }
    }
}
