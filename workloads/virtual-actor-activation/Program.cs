using PerfLab.Workloads.VirtualActorActivation;
using PerfLab.Workloads.VirtualActors;
using PerfLab.WorkloadKit;

return WorkloadProgram.Run(args, launch => ActorProgram.Run(launch, ActivationTest.Of(launch)));
