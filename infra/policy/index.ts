import { PolicyPack } from '@pulumi/policy';
import { CLUSTERS } from './rules/cluster';
import { COST } from './rules/cost';
import { IDENTITIES } from './rules/identities';
import { KEYS } from './rules/keys';
import { MACHINES } from './rules/machines';
import { NETWORK } from './rules/network';
import { REPOSITORY } from './rules/repository';

// What a lab may never be, whoever writes its program; README.md lists the rules and how to enforce them.
new PolicyPack('perf-lab', { policies: [...NETWORK, ...MACHINES, ...IDENTITIES, ...KEYS, ...COST, ...CLUSTERS, ...REPOSITORY] });
