using PerfLab.Core.Planning;

namespace PerfLab.Core.Tests.House;

public class CoreIsPureTests
{
    [Fact]
    public void the_core_references_nothing_but_the_base_library() =>
        typeof(Planner).Assembly.GetReferencedAssemblies()
            .Select(reference => reference.Name!)
            .Where(name => !name.StartsWith("System.", StringComparison.Ordinal))
            .ShouldBeEmpty();

    [Fact]
    public void the_core_has_no_way_to_files_processes_or_the_network() =>
        typeof(Planner).Assembly.GetReferencedAssemblies()
            .Select(reference => reference.Name!)
            .Intersect(["System.IO.FileSystem", "System.Diagnostics.Process", "System.Net.Http", "System.Net.Sockets", "System.Console"])
            .ShouldBeEmpty();
}
