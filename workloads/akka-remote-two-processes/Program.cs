using PerfLab.Workloads.AkkaRemote;
using PerfLab.Workloads.AkkaRemoteTwoProcesses;
using PerfLab.WorkloadKit;

return args is [OtherProcess.Argument]
    ? EchoProgram.Run()
    : WorkloadProgram.Run(args, launch => RemotePingPong.Run(launch, () => new OtherProcess()));
