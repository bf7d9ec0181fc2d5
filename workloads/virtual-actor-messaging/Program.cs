using PerfLab.Workloads.VirtualActorMessaging;
using PerfLab.Workloads.VirtualActors;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch => ActorProgram.Run(launch, MessagingTest.Of(launch)));
