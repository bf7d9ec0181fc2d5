namespace PerfLab.Machine.Hygiene.Rows;

/// <summary>Every row of the table, in its order.</summary>
internal static class HygieneTable
{
    public static IReadOnlyList<HygieneRow> Rows { get; } =
    [
        new CpuRow(), new BootRow(), new HypervisorRow(), new KernelRow(), new MitigationsRow(), new SpeculationRow(), new GovernorRow(), new BoostRow(),
        new SmtRow(), new CpuSplitRow(), new IdleRow(), new InterruptsRow(), new AddressSpaceRow(), new HugePagesRow(), new NumaRow(), new SwapRow(),
        new WatchdogRow(), new ClockSourceRow(), new ClockStepRow(), new StealRow(), new PressureRow(), new QuotaRow(), new PreemptionRow(),
        new MemoryKillsRow(), new ThermalRow(), new FrequencyRow(), new KernelMessagesRow(), new LoadRow(), new JobsRow(), new DiskRow(),
        new ExecutorRow(), new DotNetRow(), new SelfTestRow(), new PausesRow(), new MaintenanceRow(),
    ];
}
