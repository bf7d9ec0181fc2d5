import type { Fields } from './fields';
import type { BudgetSettings } from './settings';

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/;

export function readBudget(fields: Fields): BudgetSettings {
  const budget = {
    amount: fields.whole('amount', [1, 100_000]),
    start: fields.text('start', 'the first day of a month as YYYY-MM-01, in quotes', /^20\d\d-(0[1-9]|1[0-2])-01$/),
    emails: fields.texts('emails', [1, 10], 'an e-mail address', text => EMAIL.test(text)),
  };
  fields.refuseUnknown();
  return budget;
}
