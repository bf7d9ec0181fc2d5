using PerfLab.Core.Model;

namespace PerfLab.Launching;

/// <summary>Nothing that launches could run on is free: waiting helps, or another node.</summary>
public sealed class NoPlaceException(string tried, string cameBack, string doNext) : LabException(tried, cameBack, doNext);
