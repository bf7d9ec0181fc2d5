using System.Text;
using PerfLab.Building;
using PerfLab.Building.Runtimes;
using PerfLab.Core.Files;
using PerfLab.Launching.Docker.Engine;
using PerfLab.Launching.Docker.Images;
using PerfLab.Machine.Watching;
using PerfLab.Lab.Power;
using PerfLab.Lab.Azure;

namespace PerfLab.Runner.Tests.Schemas;

/// <summary>What holds for every answer of somebody else's program: it may say more than we know, and what is wrong in it is named.</summary>
public sealed class ForeignFormatLaws
{
    private const ulong Seeds = 200;

    private static readonly Dictionary<string, (FileFormat Format, string Example)> Answers = new()
    {
        ["GitHub's runners"] = (RunnerList.Format, """{"total_count":1,"runners":[{"id":7,"name":"run-1-1-agent","os":"linux","status":"online","busy":false,"labels":[{"name":"x"}]}]}"""),
        ["a machine"] = (AzureCompute.Format, """{"name":"vm","resourceId":"/subscriptions/x","location":"westeurope","vmSize":"Standard_D4s_v5","vmId":"1","tagsList":[{"name":"a","value":"b"}]}"""),
        ["a token"] = (MachineToken.Format, """{"access_token":"t","expires_in":"86399","token_type":"Bearer"}"""),
        ["scheduled events"] = (ScheduledEvents.Format, """{"DocumentIncarnation":1,"Events":[{"EventType":"Freeze","EventStatus":"Started","NotBefore":"","Resources":["vm"]}]}"""),
        ["a cluster"] = (ManagedCluster.Format, """{"properties":{"provisioningState":"Succeeded","powerState":{"code":"Running"}},"tags":{"a":"b"}}"""),
        ["packages"] = (PackSearch.Format, """{"version":2,"problems":[],"searchResult":[{"sourceName":"nuget.org","packages":[{"id":"a","version":"1.0.0"}],"problems":[{"text":"x"}]}]}"""),
        ["a build in the store"] = (KnownBuild.Format, $$"""{"identity":"sha256:{{new string('a', 64)}}","inputs":{"folders":["/a"],"files":[]},"inputsHash":"b"}"""),
        ["an engine's version"] = (EngineAnswer<EngineVersion>.Format, """{"Version":"28.0","ApiVersion":"1.51","MinAPIVersion":"1.24","KernelVersion":"6.8","Components":[{"Name":"Engine"}]}"""),
        ["an engine"] = (EngineAnswer<EngineInfo>.Format, """{"MemoryLimit":true,"CPUSet":true,"NCPU":4,"Driver":"overlay2","SecurityOptions":["name=seccomp"],"Runtimes":{"runc":{"path":"runc"}}}"""),
        ["containers"] = (EngineAnswer<IReadOnlyList<ContainerSummary>>.Format, """[{"Id":"c","Created":1,"State":"exited","Labels":{"a":"b"},"Ports":[{"x":"y"}]}]"""),
        ["a container"] = (EngineAnswer<ContainerDetails>.Format, """{"Id":"c","LogPath":"/log","State":{"Running":false,"ExitCode":137,"OOMKilled":true,"Error":"","Pid":0,"Status":"exited"}}"""),
        ["an image"] = (EngineAnswer<ImageDetails>.Format, """{"Id":"i","Architecture":"amd64","Os":"linux","RootFS":{"Layers":["a"]},"Config":{"Env":["A=B"]}}"""),
        ["images"] = (EngineAnswer<IReadOnlyList<ImageSummary>>.Format, """[{"Id":"i","Size":7,"RepoTags":["a:b"],"Labels":{"a":"b"}}]"""),
        ["an image's configuration"] = (EngineAnswer<ImageConfig>.Format, """{"architecture":"amd64","os":"linux","config":{"Labels":{"a":"b"},"Volumes":{"/v":{}}},"rootfs":{"type":"layers","diff_ids":["a"]}}"""),
        ["an archive of images"] = (EngineAnswer<IReadOnlyList<ArchivedImage>>.Format, """[{"Config":"a.json","RepoTags":["a:b"],"Layers":["a/layer.tar"]}]"""),
        ["progress"] = (EngineAnswer<Progress>.Format, """{"stream":"Step 1","error":"no","aux":{"ID":"sha256:1"}}"""),
    };

    public static TheoryData<string> Names => [.. Answers.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public void the_example_is_read(string name) => Problems(name, Answers[name].Example).ShouldBeEmpty();

    [Theory]
    [MemberData(nameof(Names))]
    public void what_we_do_not_know_is_passed_over(string name)
    {
        var more = Answers[name].Example.Replace("{", """{"x-unknown":[{"a":null}],""", StringComparison.Ordinal);
        Problems(name, more.Replace(",}", "}", StringComparison.Ordinal)).Where(problem => !problem.Contains("x-unknown", StringComparison.Ordinal)).ShouldBeEmpty();
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void damaged_text_is_refused(string name)
    {
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            var text = new Mutation(Answers[name].Example, seed).OfText();
            // A number that is too large, where nobody reads it, is no number of ours.
            if (!text.Contains("1e400", StringComparison.Ordinal))
            {
                Problems(name, text).ShouldNotBeEmpty($"seed {seed}: {text}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void a_mistake_is_a_problem_or_of_no_interest_and_never_an_exception(string name)
    {
        var refused = 0;
        for (var seed = 0UL; seed < Seeds; seed++)
        {
            refused += Math.Min(1, Problems(name, new Mutation(Answers[name].Example, seed).OfSchema()).Count);
        }

        refused.ShouldBeGreaterThan(20);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void null_lists_and_numbers_in_the_place_of_it_all_are_named(string name)
    {
        foreach (var text in new[] { "null", "7", "\"x\"", "[[]]", "{}", "[null]", "", "<html>" })
        {
            // Everything of an engine's abilities, of a machine and of progress may be missing.
            if (text != "{}" || name is not ("an engine" or "a machine" or "progress"))
            {
                Problems(name, text).ShouldNotBeEmpty(text);
            }
        }
    }

    private static IReadOnlyList<string> Problems(string name, string text) => [.. Answers[name].Format.Problems(Encoding.UTF8.GetBytes(text)).Select(problem => problem.ToString())];
}
