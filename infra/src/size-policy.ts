import * as authorization from '@pulumi/azure-native/authorization';
import type * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';

/** Azure's built-in policy "Allowed virtual machine size SKUs", by its public GUID. */
export const ALLOWED_SIZES = 'cccc23c7-8427-4f53-ad12-b6a63eb452b3';

/** Who makes machines could make large ones: Azure itself denies every size but those of the stack file, whoever asks. */
export function allowOnlyOurSizes(group: pulumi.Output<string>, { machines }: Settings, options: pulumi.CustomResourceOptions): authorization.PolicyAssignment {
  const sizes = [...new Set(machines.map(machine => machine.size))].sort();
  return new authorization.PolicyAssignment('sizes', {
    scope: group, policyAssignmentName: 'perf-lab-sizes', displayName: 'perf-lab: machines of the lab\'s sizes only',
    policyDefinitionId: `/providers/Microsoft.Authorization/policyDefinitions/${ALLOWED_SIZES}`,
    enforcementMode: authorization.EnforcementMode.Default, parameters: { listOfAllowedSKUs: { value: sizes } },
  }, options);
}
