using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>The programs of this launch, and which of them this one is. A launch of one program has none.</summary>
public sealed class LaunchNodes
{
    private readonly string? _readyFile;

    private LaunchNodes(IReadOnlyList<LaunchNode> all, LaunchNode? self, string cluster, string? readyFile)
    {
        All = all;
        Self = self;
        Cluster = cluster;
        _readyFile = readyFile;
    }

    /// <summary>In the order in which they were started; empty when this is the only program.</summary>
    public IReadOnlyList<LaunchNode> All { get; }

    /// <summary>This program; null when it is the only one.</summary>
    public LaunchNode? Self { get; }

    /// <summary>An id that no other launch has: what a framework calls its cluster, so that launches never mix.</summary>
    public string Cluster { get; }

    /// <summary>The nodes of one role.</summary>
    public IReadOnlyList<LaunchNode> Of(string role) => [.. All.Where(node => node.Role == role)];

    /// <summary>Says that other nodes may talk to this one: the next role is started.</summary>
    public void Ready()
    {
        if (_readyFile is not null)
        {
            File.WriteAllText(_readyFile, "");
        }
    }

    internal static LaunchNodes From(LaunchSettings settings)
    {
        var nonce = settings.Text("PERF_LAB_NONCE") ?? Guid.NewGuid().ToString("N");
        var cluster = "c" + nonce.Substring(0, Math.Min(12, nonce.Length));
        var all = (settings.Text("PERF_LAB_NODES") ?? "").Split([' '], StringSplitOptions.RemoveEmptyEntries).Select(LaunchNode.Parse).ToArray();
        var name = settings.Text("PERF_LAB_NODE");
        var self = all.FirstOrDefault(node => node.Name == name);
        if (self is null && (all.Length > 0 || name is not null))
        {
            throw new RefusedException($"PERF_LAB_NODE is '{name}', which is not among PERF_LAB_NODES.");
        }

        return new LaunchNodes(all, self, cluster, settings.Text("PERF_LAB_READY"));
    }
}
