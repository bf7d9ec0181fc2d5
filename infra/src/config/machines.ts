import { Fields } from './fields';
import { NAME, NAME_HINT } from './names';
import type { MachineSettings } from './settings';
import { DEFAULT_SIZE, sizeProblem } from './sizes';

export const MOST_MACHINES = 10;

export function readMachines(top: Fields, location: string): MachineSettings[] {
  return top.list('machines', [1, MOST_MACHINES], 'machines').map((entry, i) => readMachine(Fields.of(`machines[${i}]`, entry, top.problems), location));
}

function readMachine(fields: Fields, location: string): MachineSettings {
  const vcpusPerCore = fields.has('vcpusPerCore') ? fields.whole('vcpusPerCore', [1, 2]) as 1 | 2 : undefined;
  const machine: MachineSettings = {
    name: fields.text('name', NAME_HINT, NAME),
    size: readSize(fields, location, vcpusPerCore),
    diskGiB: fields.whole('diskGiB', [32, 1024], 64),
    ...(vcpusPerCore ? { vcpusPerCore } : {}),
  };
  fields.refuseUnknown();
  return machine;
}

export function readSize(fields: Fields, location: string, vcpusPerCore?: 1 | 2): string {
  const size = fields.text('size', 'a VM size', /./, DEFAULT_SIZE), problem = sizeProblem(size, location, vcpusPerCore);
  if (problem) fields.refuse('size', problem);
  return size;
}
