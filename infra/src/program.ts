import * as pulumi from '@pulumi/pulumi';
import { readStack } from './config/stack';
import { Lab } from './lab';
import { outputs } from './outputs';

/** Checks everything, makes the lab, hands out what the runner and the workflows need. */
export function program(): ReturnType<typeof outputs> {
  const { settings, files } = readStack(), config = new pulumi.Config();
  const metalPrivateKey = config.getSecret('metalPrivateKey'), metalRunnerToken = config.getSecret('metalRunnerToken');
  return outputs(new Lab('perf-lab', settings, files, {
    ...(metalPrivateKey ? { metalPrivateKey } : {}),
    ...(metalRunnerToken ? { metalRunnerToken } : {}),
  }));
}
