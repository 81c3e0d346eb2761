import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { toOwnBank } from './present-connection.ts';

const config = { ...readConfig({}), mode: 'live' as const };
const active = { state: 'active', bank: 'efi' };
const draft = { state: 'draft', bank: 'efi' };
const retired = { state: 'retired', bank: 'efi' };
const atOtherBank = { state: 'suspended', bank: 'other' };

test.for([
  ['pooled', 'pooled', [], 'nothing'],
  ['both', 'pooled', [], 'has_screen'],
  ['pooled', 'direct', [active], 'has_screen is_paid_into_own has_own_accounts'],
  ['both', 'pooled', [draft], 'has_screen'],
  ['pooled', 'pooled', [atOtherBank], 'has_screen has_own_accounts'],
  ['pooled', 'pooled', [retired], 'has_own_accounts'],
  ['direct', 'direct', [draft], 'has_screen must_connect is_paid_into_own has_own_accounts'],
  [
    'direct',
    'direct',
    [atOtherBank],
    'has_screen must_connect is_without_payouts is_paid_into_own has_own_accounts',
  ],
  ['direct', 'direct', [atOtherBank, active], 'has_screen is_paid_into_own has_own_accounts'],
] as const)(
  'where the operator admits %s accounts, a %s merchant with the accounts %j has the facts %s',
  ([merchantAccounts, kind, rows, facts]) => {
    const answer = toOwnBank({ ...config, merchantAccounts }, kind, rows);
    const holding = Object.entries(answer).flatMap(([fact, holds]) => (holds ? [fact] : []));
    expect(holding.join(' ') || 'nothing').toBe(facts);
  },
);
