namespace PerfLab.Core.Statistics.Stages;

/// <summary>What is said of a (cell, arm) pair. The words in files are kebab-case: "identical-build", "too-noisy".</summary>
public enum Verdict { Regressed, Improved, Unchanged, Undecided, IdenticalBuild, TooNoisy, Failed, Unavailable }
