export const isNightly = process.env['PERF_LAB_TEST_ALL'] === '1';

/** The ordinary run gives each call a third of the kinds, the next call the next third: each kind meets each command of three calls. */
export const isTaken = (call: number, kind: number): boolean => isNightly || (call + kind) % 3 === 0;
