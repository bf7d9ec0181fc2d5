import type { Workplace } from '../process/environment.ts';

/** The label that only this attempt's job asks for, so that no other job lands on the machine. The runner carries the same name. */
export const labelOf = (at: Workplace, machine: string): string => `run-${at.runId}-${at.runAttempt}-${machine}`;

/** Ours, of that machine, of any run. */
export const isRunnerOf = (name: string, machine: string): boolean => new RegExp(`^run-[0-9]{1,15}-[0-9]{1,6}-${machine}$`).test(name);
