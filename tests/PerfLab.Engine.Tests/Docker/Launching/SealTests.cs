using System.Net;
using System.Net.Sockets;
using PerfLab.Engine.Tests.Support;
using PerfLab.Launching;

namespace PerfLab.Engine.Tests.Docker.Launching;

public sealed class SealTests(EngineFixture engine)
{
    [Fact]
    public async Task No_address_outside_of_the_container_can_be_reached()
    {
        using var listener = new TcpListener(IPAddress.Any, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var answer = await AnswerAsync($$"""
            for target in 169.254.169.254/80 168.63.129.16/80 10.0.0.1/22 192.168.0.1/22 1.1.1.1/53 example.com/80 127.0.0.1/{{port}}; do
              if (exec 3<>/dev/tcp/$target) 2>/dev/null; then echo "reached $target"; fi
            done
            echo "links: $(ls /sys/class/net)"
            echo "routes: $(tail -n +2 /proc/net/route | wc -l)"
            cat /etc/hosts
            readlink /proc/self/ns/net
            """);
        var lines = answer.Split('\n');
        lines[^1].ShouldStartWith("net:[");
        lines[^1].ShouldNotBe(File.ResolveLinkTarget("/proc/self/ns/net", returnFinalTarget: false)!.Name, StringComparer.Ordinal);
        string.Join('\n', lines[..^1]).ShouldBe("links: lo\nroutes: 0\n127.0.0.1 localhost bench");
    }

    [Fact]
    public async Task Nothing_can_be_written_but_tmp_and_the_result()
    {
        var answer = await AnswerAsync("""
            for place in / /app /etc /usr /bin /var /var/tmp /home /root /dev /dev/shm /proc /proc/self /sys /sys/fs/cgroup /run /mnt; do
              if (echo x > $place/intruder) 2>/dev/null; then echo "wrote $place"; fi
            done
            for file in /proc/sysrq-trigger /proc/sys/kernel/hostname /proc/sys/vm/drop_caches /sys/power/state /etc/passwd /app/run.sh; do
              if (echo x > $file) 2>/dev/null; then echo "wrote $file"; fi
            done
            for file in /proc/kcore /dev/kmsg /var/run/docker.sock /run/docker.sock /dev/mem; do
              if (head -c 1 $file >/dev/null) 2>/dev/null; then echo "read $file"; fi
            done
            echo x > /tmp/x && echo tmp
            """);
        answer.ShouldBe("tmp");
    }

    [Fact]
    public async Task Nothing_can_be_gained_inside()
    {
        var answer = await AnswerAsync("""
            mknod /tmp/null c 1 3 2>/dev/null && echo mknod
            chroot /tmp /bin/true 2>/dev/null && echo chroot
            nice -n -5 true 2>/dev/null; renice 2>/dev/null
            chown 0 /tmp 2>/dev/null && echo chown
            cp /bin/true /tmp/true && /tmp/true 2>/dev/null && echo executed from tmp
            find / -xdev -perm /6000 2>/dev/null
            grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp|Uid|Gid):' /proc/self/status | tr '\t' ' '
            ulimit -c
            cat /proc/swaps | wc -l >/dev/null
            """);
        answer.ShouldBe("""
            Uid: 65532 65532 65532 65532
            Gid: 65532 65532 65532 65532
            CapPrm: 0000000000000000
            CapEff: 0000000000000000
            CapBnd: 0000000000000000
            NoNewPrivs: 1
            Seccomp: 2
            0
            """);
    }

    [Fact]
    public async Task Tmp_and_result_hold_no_more_than_their_limits()
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync("""
            head -c 100M /dev/zero > /tmp/full 2>/dev/null || echo "tmp $(stat -c %s /tmp/full)"
            rm /tmp/full
            head -c 100M /dev/zero > /out/full 2>/dev/null || echo "out $(stat -c %s /out/full)"
            rm /out/full
            i=0; while : > /out/$i; do i=$((i+1)); done 2>/dev/null; echo "files $([ $i -lt 64 ] && echo limited)"
            exit 1
            """);
        end.Tail.ShouldBe("tmp 67108864\nout 67108864\nfiles limited");
    }

    [Fact]
    public async Task The_environment_is_what_the_launch_says_and_three_constants()
    {
        var answer = await AnswerAsync("env | grep -v -e ^PWD= -e ^SHLVL= -e ^_= | sort");
        answer.ShouldBe("""
            DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1
            HOME=/tmp
            HOSTNAME=bench
            LANG=C.UTF-8
            PATH=/usr/bin:/bin
            PERF_LAB_RESULT=/out/result.json
            """);
    }

    [Fact]
    public async Task A_launch_gets_the_cores_that_it_was_given()
    {
        var last = Environment.ProcessorCount - 1;
        var answer = await AnswerAsync("grep Cpus_allowed_list /proc/self/status | tr -d '\\t'; nproc", spec => spec with { Cpus = $"{last}" });
        answer.ShouldBe($"Cpus_allowed_list:{last}\n1");
    }

    [Theory]
    [NightlyData("mkfifo $PERF_LAB_RESULT")]
    [NightlyData("ln -s /etc/shadow $PERF_LAB_RESULT")]
    [InlineData("mkdir -p $PERF_LAB_RESULT/a/b && chmod 0 $PERF_LAB_RESULT/a")]
    [NightlyData("truncate -s 1T $PERF_LAB_RESULT")]
    public async Task What_a_launch_leaves_instead_of_a_result_is_reported_untouched_and_gone_before_the_next(string script)
    {
        await using var launches = Launches.On(engine);
        var first = await launches.RunAsync(script);
        first.How.ShouldBe(EndKind.Exited);
        new FileInfo(first.ResultFile).LinkTarget.ShouldBe(script.StartsWith("ln", StringComparison.Ordinal) ? "nowhere" : null, "what stands for it leads nowhere");
        (await launches.RunAsync("ls -A /out; exit 1")).Tail.ShouldBeEmpty();
        Path.Exists(first.ResultFile).ShouldBeFalse();
    }

    /// <summary>What a script prints, through the result file.</summary>
    private async Task<string> AnswerAsync(string script, Func<LaunchSpec, LaunchSpec>? change = null)
    {
        await using var launches = Launches.On(engine);
        var end = await launches.RunAsync($"{{\n{script}\n}} > $PERF_LAB_RESULT", change);
        end.How.ShouldBe(EndKind.Exited, end.Tail);
        return (await File.ReadAllTextAsync(end.ResultFile)).Trim();
    }
}
