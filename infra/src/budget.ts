import * as costmanagement from '@pulumi/azure-native/costmanagement';
import type * as types from '@pulumi/azure-native/types';
import type * as pulumi from '@pulumi/pulumi';
import type { Settings } from './config/settings';

const ACTUAL_PERCENT = [50, 80, 100];

/** The last line of cost control: it tells people, it stops nothing. */
export function budget(name: string, group: pulumi.Input<string>, { amount, start, emails }: Settings['budget'], stack: string, options: pulumi.CustomResourceOptions): costmanagement.Budget {
  const alert = (threshold: number, thresholdType: costmanagement.ThresholdType): types.input.costmanagement.NotificationArgs =>
    ({ enabled: true, operator: costmanagement.BudgetNotificationOperatorType.GreaterThan, threshold, thresholdType, contactEmails: [...emails] });
  const actual = ACTUAL_PERCENT.map(percent => [`actual-${percent}`, alert(percent, costmanagement.ThresholdType.Actual)] as const);
  return new costmanagement.Budget(name, {
    scope: group, budgetName: `perf-lab-${stack}-${name}`, amount, category: costmanagement.CategoryType.Cost,
    timeGrain: costmanagement.TimeGrainType.Monthly, timePeriod: { startDate: `${start}T00:00:00Z` },
    notifications: { ...Object.fromEntries(actual), 'forecast-100': alert(100, costmanagement.ThresholdType.Forecasted) },
  }, options);
}
