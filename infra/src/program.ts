import { Provider } from '@pulumi/azure-native/provider';
import * as pulumi from '@pulumi/pulumi';
import { readStack } from './config/stack';
import { Lab } from './lab';
import { refuseWhileLeased } from './live-lease';
import { outputs } from './outputs';
import { refuseOtherSizes } from './size-policy';

/** Checks everything, makes the lab, hands out what the runner and the workflows need. */
export async function program(): Promise<ReturnType<typeof outputs>> {
  const { settings, files } = readStack(), config = new pulumi.Config();
  const metalPrivateKey = config.getSecret('metalPrivateKey'), metalRunnerToken = config.getSecret('metalRunnerToken');
  // Only the subscription that the configuration names, whichever the command line is logged in to.
  const azure = new Provider('azure', { subscriptionId: settings.subscriptionId, tenantId: settings.tenantId, location: settings.location });
  await refuseWhileLeased(settings, { provider: azure });
  await refuseOtherSizes(settings, process.env['PERF_LAB_CALLER'], { provider: azure });
  return outputs(new Lab('perf-lab', settings, files, {
    ...(metalPrivateKey ? { metalPrivateKey } : {}),
    ...(metalRunnerToken ? { metalRunnerToken } : {}),
  }, { providers: [azure] }));
}
