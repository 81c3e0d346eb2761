import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeChanges, type EditableAccount } from './account-change.ts';

const profile: EditableAccount = {
  username: 'rosa',
  document: '52998224725',
  doc_type: 'CPF',
  name: 'Marina Albuquerque',
  email: 'marina@example.com',
  role: 'USER',
  approved: false,
  api_active: false,
  api_held: false,
  in_rate: 0,
  out_rate: 0,
  fix_in_cents: 0,
  fix_out_cents: 150,
  crypto_rate: 0,
  reserve_enabled: false,
  reserve_rate: 0,
  merchant_kind: 'pooled',
  reserve_days: 0,
};
const approved: EditableAccount = { ...profile, approved: true, api_active: true };
const held: EditableAccount = { ...approved, api_active: false, api_held: true };

describe('the API of an account', () => {
  test('is activated by approval, even if the form still has it as off', () => {
    expect(computeChanges(profile, { approved: true, apiActive: false })).toEqual({
      approved: true,
      api_active: true,
    });
  });

  test('is deactivated with the approval, even if the form still has it as on', () => {
    expect(computeChanges(approved, { approved: false, apiActive: true })).toEqual({
      approved: false,
      api_active: false,
    });
  });

  test('stays off through approvals once an administrator disabled it, until one enables it', () => {
    expect(computeChanges(approved, { approved: true, apiActive: false })).toEqual({
      api_active: false,
      api_held: true,
    });
    const unapproved = { ...held, approved: false };
    expect(computeChanges(held, { approved: false, apiActive: false })).toEqual({ approved: false });
    expect(computeChanges(unapproved, { approved: true, apiActive: false })).toEqual({ approved: true });
    expect(computeChanges(held, { approved: true, apiActive: true })).toEqual({
      api_active: true,
      api_held: false,
    });
  });

  test('is never active on an account that is not approved', () => {
    const anyProfile = fc.record({
      approved: fc.boolean(),
      api_active: fc.boolean(),
      api_held: fc.boolean(),
    });
    const anyEdit = fc.record({ approved: fc.boolean(), apiActive: fc.boolean() });
    fc.assert(
      fc.property(anyProfile, anyEdit, (approval, edit) => {
        const before = { ...profile, ...approval, api_active: approval.approved && approval.api_active };
        const after = { ...before, ...computeChanges(before, edit) };
        expect(after.api_active && !after.approved).toBe(false);
      }),
    );
  });
});

test('fees are stored as hundredths of a percent and cents', () => {
  const taxes = {
    pix: { in: 0.99, out: 1.005e1, fixIn: 0.29, fixOut: 1.5 },
    crypto: 100,
    reserve: { enabled: true, percentage: 0.01, liberationTime: 30 },
  };
  expect(computeChanges(profile, { taxes })).toEqual({
    in_rate: 99,
    out_rate: 1005,
    fix_in_cents: 29,
    crypto_rate: 10_000,
    reserve_enabled: true,
    reserve_rate: 1,
    reserve_days: 30,
  });
});

test('unchanged values are not a change', () => {
  const { name, email } = profile;
  expect(computeChanges(profile, {})).toEqual({});
  const sameValues = { name: ` ${name} `, email: email.toUpperCase(), approved: false, apiActive: false };
  expect(computeChanges(profile, sameValues)).toEqual({});
});
