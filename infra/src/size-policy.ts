import * as authorization from '@pulumi/azure-native/authorization';
import * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';

const ASSIGNMENT = 'perf-lab-machine-sizes', PARAMETER = 'listOfAllowedSKUs';

/**
 * Azure's built-in policy on sizes looks at virtual machines alone, and what the lab writes is a scale set: this looks at both, by the
 * aliases that Microsoft documents for them. A write that names no size changes none.
 */
const RULE = {
  if: {
    anyOf: ['Microsoft.Compute/virtualMachines', 'Microsoft.Compute/virtualMachineScaleSets'].map(type => ({
      allOf: [
        { field: 'type', equals: type }, { field: `${type}/sku.name`, exists: 'true' }, { field: `${type}/sku.name`, notIn: `[parameters('${PARAMETER}')]` },
      ],
    })),
  },
  then: { effect: 'deny' },
};

const sizesOf = ({ machines }: Settings): string[] => [...new Set(machines.map(machine => machine.size))].sort();

/** Who makes machines could make large ones: Azure itself denies every size but those of the stack file, whoever asks. */
export function allowOnlyOurSizes(group: pulumi.Output<string>, settings: Settings, options: pulumi.CustomResourceOptions): void {
  const name = `perf-lab-sizes-${settings.stack}`;    // definitions belong to a subscription, which may hold several labs
  const definition = new authorization.PolicyDefinition('sizes', {
    policyDefinitionName: name, displayName: `perf-lab: sizes of machines and scale sets (${settings.stack})`, policyType: authorization.PolicyType.Custom, mode: 'Indexed',
    parameters: { [PARAMETER]: { type: authorization.ParameterType.Array, metadata: { displayName: 'Allowed sizes' } } }, policyRule: RULE,
  }, options);
  new authorization.PolicyAssignment('sizes', {
    scope: group, policyAssignmentName: ASSIGNMENT, displayName: 'perf-lab: machines of the lab\'s sizes only',
    policyDefinitionId: `/subscriptions/${settings.subscriptionId}/providers/Microsoft.Authorization/policyDefinitions/${name}`,
    enforcementMode: authorization.EnforcementMode.Default, parameters: { [PARAMETER]: { value: sizesOf(settings) } },
  }, { ...options, dependsOn: [definition] });
}

/**
 * The fence stays the owner's: `lab-provision` is Contributor, which may write nothing of Microsoft.Authorization but what its second role
 * allows, the lab's assignments. What it would fail by half-way is told before anything is made, with who can do it.
 */
export async function refuseOtherSizes(settings: Settings, caller: string | undefined, options: pulumi.InvokeOptions): Promise<void> {
  if (caller !== 'lab-provision') return;
  const scope = `/subscriptions/${settings.subscriptionId}/resourceGroups/perf-lab-${settings.stack}`;
  const allowed = await allowedIn(scope, options), wanted = sizesOf(settings);
  if (allowed.join() === wanted.join()) return;
  throw new pulumi.RunError(`the sizes of machines change: Azure's policy allows ${allowed.join(', ') || 'none'}, the stack file has ${wanted.join(', ')}.\n`
    + 'Only an owner may change that policy, on purpose. Nothing was changed. As the owner: GITHUB_TOKEN=$(gh auth token) pulumi up --policy-pack infra/policy');
}

async function allowedIn(scope: string, options: pulumi.InvokeOptions): Promise<readonly string[]> {
  try {
    const there = await authorization.getPolicyAssignment({ scope, policyAssignmentName: ASSIGNMENT }, options);
    return (there.parameters?.[PARAMETER]?.value ?? []) as string[];
  } catch (error) {
    if (/\b(PolicyAssignmentNotFound|ResourceNotFound)\b|\b404\b/.test(String(error))) return [];
    throw error;
  }
}
