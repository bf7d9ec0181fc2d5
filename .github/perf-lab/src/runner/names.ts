import { randomBytes } from 'node:crypto';
import type { Workplace } from '../process/environment.ts';

/** What the runner of this attempt is called: how the reaper tells whether GitHub still knows it. */
export const nameOf = (at: Workplace, machine: string): string => `run-${at.runId}-${at.runAttempt}-${machine}`;

/**
 * The only label of the runner. Anybody who may open a pull request could have a job wait for a label that he can guess, and would get the
 * machine before us; this one is known when our job is in the queue already.
 */
export const newLabel = (name: string): string => `${name}-${randomBytes(16).toString('hex')}`;

/** Ours, of that machine, of any run. */
export const isRunnerOf = (name: string, machine: string): boolean => new RegExp(`^run-[0-9]{1,15}-[0-9]{1,6}-${machine}$`).test(name);
