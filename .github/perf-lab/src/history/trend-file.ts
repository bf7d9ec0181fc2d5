import * as z from 'zod';

const Place = z.object({ session: z.string(), started: z.iso.datetime({ offset: true }), commit: z.string().nullable() });
const Values = z.record(z.string(), z.string());
const Fraction = z.number().min(-1);

// What of perf-lab/trend/1 is read here. Names come from journals: hostile text until rendered.
export const TrendFile = z.object({
  schema: z.literal('perf-lab/trend/1'),
  series: z.int().min(0),
  sessions: z.int().min(0),
  newest: Place.nullable(),
  changes: z.array(z.object({
    id: z.string().regex(/^[0-9a-f]{12}$/),
    status: z.enum(['watched', 'due', 'confirmed', 'not-confirmed', 'environment', 'recovered']),
    machine: z.string(), cpu: z.string(), executor: z.string(),
    before: Place, after: Place,
    members: z.array(z.object({
      workload: z.string(), values: Values, metric: z.string(), unit: z.string(), change: Fraction, pValue: z.number().min(0).max(1), series: z.string().regex(/^[0-9a-f]{64}$/),
    })).min(1),
    confirm: z.string().nullable(),
    experiment: z.object({
      session: z.string(), change: Fraction, low: Fraction.nullable(), high: Fraction.nullable(), pValue: z.number().min(0).max(1).nullable(), rounds: z.int().min(0), verdict: z.string().nullable(),
      series: z.string().regex(/^[0-9a-f]{64}$/).optional(),    // absent in a file of before
    }).nullable(),
    recoveredBy: z.string().nullable(),
    accepted: z.string().nullish(), // the reason for which people live with it
  })),
  environment: z.array(z.object({ machine: z.string(), cpu: z.string(), before: Place, after: Place, share: z.number().min(0).max(1), change: Fraction })),
  stopped: z.array(z.object({ workload: z.string(), values: Values, metric: z.string(), machine: z.string(), cpu: z.string(), last: Place, missed: z.int().min(1) })),
  warnings: z.array(z.string()),
  // Absent while no newer commit is measured beside the anchor.
  nextAnchor: z.object({ from: z.string(), to: z.string(), series: z.int().min(1), ready: z.int().min(0), fewest: z.int().min(1), needed: z.int().min(1) }).optional(),
});
export type Trend = z.infer<typeof TrendFile>;
export type Change = Trend['changes'][number];
export type Place = Change['before'];
export type Member = Change['members'][number];

/** For the worse, believed, and nothing that people said they live with: what gets an issue. */
export const isFiled = (change: Change): boolean => !change.accepted && (change.status === 'confirmed' || change.status === 'recovered') && change.members[0]!.change > 0;
