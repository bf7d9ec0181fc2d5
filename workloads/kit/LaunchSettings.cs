using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;

namespace PerfLab.WorkloadKit;

/// <summary>The launch's settings as text: <c>PERF_LAB_*</c> from the environment, <c>name=value</c> from the command line.</summary>
internal sealed class LaunchSettings
{
    private readonly IDictionary _environment;

    private LaunchSettings(IDictionary environment, IReadOnlyDictionary<string, string> parameters)
    {
        _environment = environment;
        Parameters = parameters;
    }

    /// <summary>Text by parameter name, as the manifest spells it.</summary>
    public IReadOnlyDictionary<string, string> Parameters { get; }

    public static LaunchSettings From(string[] arguments, IDictionary environment, string prefix)
    {
        var parameters = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var name in environment.Keys.Cast<string>().Where(name => name.StartsWith(prefix, StringComparison.Ordinal)))
        {
            // The manifest's in-flight travels as PERF_LAB_PARAM_IN_FLIGHT; manifest names have no underscore, so this has one way back.
            parameters[name.Substring(prefix.Length).ToLowerInvariant().Replace('_', '-')] = (string)environment[name]!;
        }

        foreach (var argument in arguments)
        {
            var equals = argument.IndexOf('=');
            if (equals < 1)
            {
                throw new RefusedException($"argument '{argument}' is not name=value; parameters are given like in-flight=100.");
            }

            parameters[argument.Substring(0, equals)] = argument.Substring(equals + 1);
        }

        return new LaunchSettings(environment, parameters);
    }

    /// <summary>The setting's text; null when it is absent or empty.</summary>
    public string? Text(string name) => _environment[name] is string { Length: > 0 } text ? text : null;

    public TimeSpan Duration(string name, TimeSpan standard) => Text(name) is { } text ? Durations.Parse(name, text) : standard;
}
