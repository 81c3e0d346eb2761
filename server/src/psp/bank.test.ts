import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { atBank, type ConnectedBank, createBanks } from './bank.ts';
import type { Psp } from './psp.ts';

// The work of these tests calls no bank.
const bankOf = (id: number): ConnectedBank => ({
  connection: { id, pixKey: `key ${id}` },
  callbacks: { adapter: 'bacen', webhookCidrs: [] },
  psp: {} as Psp,
});
const deps = { banks: createBanks(bankOf(1), [bankOf(2), bankOf(3)]) } as Deps;

test('work at one account finds its bank, and none if the account is unknown', () => {
  expect(atBank(deps, 2).connection.pixKey).toBe('key 2');
  expect(() => atBank(deps, 4)).toThrow('no bank is connected as 4');
});
