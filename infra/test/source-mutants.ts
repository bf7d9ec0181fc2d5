/** A change of a source file that nobody may make unnoticed, and the test that fails by it. */
export interface SourceMutant {
  readonly what: string;
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
  /** The test's file, and its name or the beginning of it. */
  readonly by: readonly [file: string, test: string];
}

const MACHINE = 'infra/machine/files', POWER = 'runner/PerfLab.Lab/Azure', TESTS = 'tests/PerfLab.Runner.Tests';

/** Run by hand: one edit, then the named test, which has to fail. What is beside this page's table is that text and test are still there. */
export const SOURCE_MUTANTS: readonly SourceMutant[] = [
  { what: 'a daily shutdown with another task', file: `${POWER}/DailyShutdowns.cs`, right: '"ComputeVmShutdownTask"', wrong: '"ComputeVmShutdown"', by: [`${TESTS}/Azure/WholeRequestTests.cs`, 'The_steps_of_the_workflows_make_use_and_delete_a_machine_and_nothing_is_left'] },
  { what: 'an agent that is installed anew before it is removed', file: 'infra/src/metal.ts', right: ', deleteBeforeReplace: true', wrong: '', by: ['infra/test/runtime/program.test.ts', 'an agent of another name or host is removed before it is installed anew'] },
  { what: 'a lease of the first machine alone', file: 'infra/src/live-lease.ts', right: 'machines.map(async', wrong: 'machines.slice(0, 1).map(async', by: ['infra/test/runtime/refusals.test.ts', 'of any machine stops it, and each holder is told'] },
  { what: 'the firewall without its rule for containers', file: `${MACHINE}/etc/nftables.d/perf-lab.nft`, right: '    ip daddr @platform counter drop\n', wrong: '', by: ['infra/test/machine/firewall.test.ts', 'lets root and the watchdog ask the metadata service, everybody a name, and a container neither'] },
  { what: 'the firewall without its rule for the wire server', file: `${MACHINE}/etc/nftables.d/perf-lab.nft`, right: '    ip daddr 168.63.129.16 tcp dport { 80, 32526 } meta skuid != root counter drop\n', wrong: '', by: ['infra/test/machine/firewall.test.ts', 'lets root and the watchdog ask the metadata service, everybody a name, and a container neither'] },
  { what: 'a runner that may gain rights', file: `${MACHINE}/usr/local/lib/perf-lab/start-runner`, right: ' --no-new-privs', wrong: '', by: [`${TESTS}/MachineContent/ScriptTests.cs`, 'The_runner_gets_its_configuration_by_a_variable_and_nothing_else_sees_it'] },
  { what: 'a runner that starts without the firewall', file: `${MACHINE}/etc/systemd/system/perf-lab-runner.service`, right: 'Requires=perf-lab-firewall.service', wrong: 'Wants=perf-lab-firewall.service', by: ['infra/test/machine/units.test.ts', 'no job starts where the firewall did not'] },
  { what: 'workloads in the slice of the lab', file: `${MACHINE}/etc/docker/daemon.json`, right: '  "cgroup-parent": "perf-lab-workload.slice",\n', wrong: '', by: ['infra/test/machine/docker.test.ts', 'the engine is told exactly this'] },
  { what: 'a watchdog that waits for hours', file: `${MACHINE}/usr/local/lib/perf-lab/watch`, right: '{3:-1800}', wrong: '{3:-18000}', by: [`${TESTS}/Azure/OperationsPageTests.cs`, 'The_page_and_the_watch_script_are_equally_patient'] },
  { what: 'a machine without nftables', file: 'infra/machine/cloud-init.yaml', right: 'docker.io, nftables, jq', wrong: 'docker.io, jq', by: ['infra/test/machine/packages.test.ts', 'has_every_command_that_its_files_call'] },
  { what: 'nodes under test without their taint', file: 'infra/src/cluster.ts', right: '[`perf-lab/pool=${name}:NoSchedule`]', wrong: '[]', by: ['infra/test/rules/cluster.ts', 'nothing_but_launches_lands_on_the_pool_under_test'] },
  { what: 'a boot log fetched in the clear', file: `${POWER}/Instances.cs`, right: '{ Scheme: "https" } address', wrong: '{ } address', by: [`${TESTS}/Azure/LabCommandTests.cs`, 'A_boot_log_at_an_address_without_tls_is_not_fetched'] },
  { what: 'the names of a repository whose tokens have numbers', file: 'infra/bootstrap', right: 'subject=${said:-$subject}', wrong: 'subject=repo:$full', by: [`${TESTS}/MachineContent/BootstrapSubjectTests.cs`, 'What_github_says_is_written'] },
  { what: 'a provider that nobody registers', file: 'infra/bootstrap', right: ' Microsoft.DevTestLab', wrong: '', by: ['infra/test/bootstrap.test.ts', 'registers every provider that the program'] },
  { what: 'a start that fails without a word, tried once', file: 'runner/PerfLab.Lab/Power/MachineStart.cs', right: 'FailureKind.Capacity or FailureKind.Unexplained', wrong: 'FailureKind.Capacity', by: [`${TESTS}/Azure/FailedAllocationTests.cs`, 'It_is_tried_three_times_and_told_for_what_it_most_often_is'] },
  { what: 'a list that is believed to bring instance views', file: `${POWER}/Instances.cs`, right: 'found[i].InstanceView is null ?', wrong: 'found.Count < 0 ?', by: [`${TESTS}/Azure/UnknownsTests.cs`, 'A_request_leaves_nothing_however_Azure_decides_what_nobody_knows'] },
  { what: 'a policy that does not look at scale sets', file: 'infra/src/size-policy.ts', right: '[\'Microsoft.Compute/virtualMachines\', \'Microsoft.Compute/virtualMachineScaleSets\']', wrong: '[\'Microsoft.Compute/virtualMachines\']', by: ['infra/test/rules/machines.ts', 'azure_itself_denies_every_size_but_those_of_the_stack_file'] },
  { what: 'a new size that `lab-provision` fails by half-way', file: 'infra/src/program.ts', right: '  await refuseOtherSizes(', wrong: '  void (', by: ['infra/test/runtime/refusals.test.ts', 'so the program refuses it in the setup workflow before anything is asked for'] },
  { what: 'a missing layer that only the log of a green job tells', file: '.github/actions/lab-up/action.yml', right: '          echo "::warning title=$MACHINE has no daily shutdown::${missing//%/%25}"\n', wrong: '', by: ['tests/workflows/flow/cost-layers.test.ts', 'a machine without the fourth layer is a warning of the run and of its summary'] },
];
