using PerfLab.Workloads.AkkaRemote;
using PerfLab.Workloads.AkkaRemotePingPong;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch => RemotePingPong.Run(launch, () => new SameProcess()));
