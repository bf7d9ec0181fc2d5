/** Regions of Microsoft's public list of Dsv5 regions that we allow; checked against no live subscription. */
const DSV5_REGIONS = [
  'australiaeast', 'brazilsouth', 'canadacentral', 'centralindia', 'centralus', 'eastus', 'eastus2', 'francecentral', 'germanywestcentral',
  'japaneast', 'koreacentral', 'northeurope', 'southcentralus', 'southeastasia', 'swedencentral', 'switzerlandnorth', 'uksouth', 'westeurope',
  'westus2', 'westus3',
] as const;

/** What may be rented. A size outside this list is refused: results of different sizes must never meet in one series. */
export const SIZES: Readonly<Record<string, { readonly vcpus: number; readonly regions: readonly string[] }>> = {
  Standard_D4s_v5: { vcpus: 4, regions: DSV5_REGIONS },
  Standard_D8s_v5: { vcpus: 8, regions: DSV5_REGIONS },
  Standard_D16s_v5: { vcpus: 16, regions: DSV5_REGIONS },
};

export const REGION = /^[a-z0-9]{3,30}$/;
export const DEFAULT_SIZE = 'Standard_D4s_v5';
/** One core with its sibling for the lab, one whole core for the workload. With SMT off: two of each, for server GC doesn't run on one. */
const LEAST_VCPUS = 4;

/** What is wrong with a machine of this size, or nothing. */
export function sizeProblem(size: string, location: string, vcpusPerCore?: number): string | undefined {
  const known = SIZES[size];
  if (!known) return `"${size}" is not one of ${Object.keys(SIZES).join(', ')}`;
  if (vcpusPerCore === 1 && known.vcpus / 2 < LEAST_VCPUS) {
    return `"${size}" with vcpusPerCore 1 leaves ${known.vcpus / 2} vCPUs, ${LEAST_VCPUS} are needed: use Standard_D8s_v5`;
  }
  if (REGION.test(location) && !known.regions.includes(location)) {
    return `"${size}" is not on our list for "${location}"; listed are ${known.regions.join(', ')}`
      + ` (to add one: az vm list-skus --location ${location} --size ${size}, then infra/src/config/sizes.ts)`;
  }
  return undefined;
}
