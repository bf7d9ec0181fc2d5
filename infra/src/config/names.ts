/** A machine's name in perf-lab.yaml, which is also its VM's and its host's: at most 63 characters of a DNS label (Azure takes 64). */
export const NAME = /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
export const NAME_HINT = 'a name: lower-case letters, digits and dashes, at most 63, a letter first';

/** What `infra/machine/metal-agent.sh` takes: GitHub shows it as the runner's label. */
export const METAL_NAME = /^[a-z][a-z0-9-]{0,29}[a-z0-9]$/;
export const METAL_NAME_HINT = 'a name: lower-case letters, digits and dashes, 2 to 31, a letter first';
