import * as compute from '@pulumi/azure-native/compute';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';

/** As runner/PerfLab.Lab/Azure/Lease.cs has it: runId/attempt/expiry, and nobody's lease is longer. */
const LEASE = /^(\d{1,19}\/\d{1,9})\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)$/, LONGEST_MS = 7 * 3_600_000;

/** Who has a live lease by this tag; nothing when nobody has. */
export function holderOf(tag: string | undefined, now: number): { readonly run: string; readonly until: string } | undefined {
  const [, run, until] = LEASE.exec(tag ?? '') ?? [], expiry = Date.parse(until ?? '');
  return run && until && now < expiry && expiry - now <= LONGEST_MS ? { run, until } : undefined;
}

/**
 * An update writes a scale set whole: capacity and custom data go back to what the state remembers, so the machine of a running request
 * would be deleted under it. Throws with the holder's name while a lease is live.
 */
export async function refuseWhileLeased({ stack, machines }: Settings, options: pulumi.InvokeOptions): Promise<void> {
  const held = await Promise.all(machines.map(async ({ name }) => {
    const holder = holderOf(await leaseTag(`perf-lab-${stack}`, name, options), Date.now());
    return holder ? [`${name} is held by run ${holder.run} until ${holder.until}`] : [];
  }));
  const problems = held.flat();
  if (problems.length > 0) {
    throw new pulumi.RunError(`a request is running:\n  ${problems.join('\n  ')}\nNothing was changed. Run it again after that, or end the request first: perf-lab lab stop NAME --force`);
  }
}

async function leaseTag(resourceGroupName: string, vmScaleSetName: string, options: pulumi.InvokeOptions): Promise<string | undefined> {
  try {
    return (await compute.getVirtualMachineScaleSet({ resourceGroupName, vmScaleSetName }, options)).tags?.['perf-lab:lease'];
  } catch (error) {
    // Before the first update there is none; anything else must not look like that.
    if (/\b(ResourceNotFound|ResourceGroupNotFound)\b|\b404\b/.test(String(error))) return undefined;
    throw error;
  }
}
