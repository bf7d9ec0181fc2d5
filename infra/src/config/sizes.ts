import { text } from './values';

/** Regions of Microsoft's public list of Dsv5 regions that we allow; checked against no live subscription. */
const DSV5_REGIONS = [
  'australiaeast', 'brazilsouth', 'canadacentral', 'centralindia', 'centralus', 'eastus', 'eastus2', 'francecentral', 'germanywestcentral',
  'japaneast', 'koreacentral', 'northeurope', 'southcentralus', 'southeastasia', 'swedencentral', 'switzerlandnorth', 'uksouth',
  'westeurope', 'westus2', 'westus3',
] as const;

/** What may be rented. A size outside this list is refused: results of different sizes must never meet in one series. */
export const SIZES: Readonly<Record<string, { readonly vcpus: number; readonly regions: readonly string[] }>> = {
  Standard_D4s_v5: { vcpus: 4, regions: DSV5_REGIONS },
  Standard_D8s_v5: { vcpus: 8, regions: DSV5_REGIONS },
  Standard_D16s_v5: { vcpus: 16, regions: DSV5_REGIONS },
};

/** One core with its sibling for the lab, one whole core for the workload. With SMT off: two of each, for server GC doesn't run on one. */
const LEAST_VCPUS = 4;

export const size = text(`one of ${Object.keys(SIZES).join(', ')}`, text => Object.hasOwn(SIZES, text)).default('Standard_D4s_v5');

/** What is wrong with a machine of this size without SMT, or nothing. */
export function smtProblem(size: string): string | undefined {
  const left = (SIZES[size]?.vcpus ?? 0) / 2;
  return left >= LEAST_VCPUS ? undefined
    : `"${size}" with vcpusPerCore 1 leaves ${left} vCPUs, ${LEAST_VCPUS} are needed: use Standard_D8s_v5`;
}

export function regionProblem(size: string, location: string): string | undefined {
  const regions = SIZES[size]?.regions ?? [];
  return regions.includes(location) ? undefined : `"${size}" is not on our list for "${location}"; listed are ${regions.join(', ')}`
    + ` (to add one: az vm list-skus --location ${location} --size ${size}, then infra/src/config/sizes.ts)`;
}
