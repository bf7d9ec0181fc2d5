import * as pulumi from '@pulumi/pulumi';
import { readStack } from './src/config/stack';
import { Lab } from './src/lab';
import { outputs } from './src/outputs';

// Check everything, make the lab, hand out what the runner and the workflows need.
const config = new pulumi.Config();
const { settings, files } = readStack();
const metalPrivateKey = config.getSecret('metalPrivateKey'), metalRunnerToken = config.getSecret('metalRunnerToken');

export = outputs(new Lab('perf-lab', settings, files, {
  ...(metalPrivateKey ? { metalPrivateKey } : {}),
  ...(metalRunnerToken ? { metalRunnerToken } : {}),
}));
