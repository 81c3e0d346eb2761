import { parseAdminUser } from '@jangada/contract';
import { expect, test } from 'vitest';
import { adminUser } from '../../testing/admin-samples.ts';
import { changeOf, draftOf, isEdited, problemsOf } from './user-draft.ts';

const user = parseAdminUser(adminUser);
const draft = draftOf(user);

test('an unedited form sends the user unchanged, without a balance', () => {
  const { version, name, email, role, approved, apiActive, taxes } = adminUser;
  expect(changeOf(draft, user)).toEqual({ version, name, email, role, approved, apiActive, taxes });
  expect(problemsOf(draft, user)).toEqual({});
  expect(isEdited(draft, user)).toBe(false);
});

test('a fixed fee is shown with two decimals, and a percentage only with those that it needs', () => {
  const pix = { ...user.taxes.pix, out: 1.5, fixIn: 0, fixOut: 1.5 };
  const initialDraft = draftOf({ ...user, taxes: { ...user.taxes, pix } });
  expect(initialDraft).toMatchObject({ out: '1,5', fixIn: '0,00', fixOut: '1,50' });
});

test('an edited balance is sent with the balance that was seen, and needs a reason', () => {
  const draftWithBalance = { ...draft, balanceCents: 30_010 };
  expect(problemsOf({ ...draftWithBalance, reason: '  ' }, user)).toEqual({
    reason: 'Informe o motivo do ajuste de saldo.',
  });
  expect(changeOf({ ...draftWithBalance, reason: ' Acerto ' }, user)).toMatchObject({
    balance: 300.1,
    balance_before: 250.4,
    reason: 'Acerto',
  });
  expect(problemsOf({ ...draft, balanceCents: null }, user)).toMatchObject({
    balanceCents: 'Informe o saldo.',
  });
});

test('the account into which a merchant is paid is sent only if it was changed, and only to a provider that has both', () => {
  expect(changeOf({ ...draft, merchantKind: 'direct' }, user)).toMatchObject({ merchant_kind: 'direct' });
  const { merchant_kind, ...withoutKind } = adminUser;
  expect(draftOf(parseAdminUser(withoutKind)).merchantKind).toBeNull();
});

test('fees have at most two decimals, percentages are at most 100, and days are whole numbers', () => {
  const invalidFields = {
    in: '100.01',
    fixIn: '-1',
    out: '1.005',
    fixOut: '',
    crypto: 'x',
    reserveDays: '1.5',
  };
  expect(problemsOf({ ...draft, ...invalidFields }, user)).toEqual({
    in: 'O percentual não pode passar de 100.',
    fixIn: 'O valor não pode ser negativo.',
    out: 'Use no máximo duas casas decimais.',
    fixOut: 'Informe um número.',
    crypto: 'Informe um número.',
    reserveDays: 'Informe um número inteiro de dias, de 0 a 3650.',
  });
  expect(problemsOf({ ...draft, in: '0.29', fixIn: '1,15', reserveDays: '0' }, user)).toEqual({});
  expect(changeOf({ ...draft, in: '0.29', fixIn: '1,15' }, user).taxes?.pix).toMatchObject({
    in: 0.29,
    fixIn: 1.15,
  });
});

test('a provider without versions receives every field that it had sent, with the edits applied', () => {
  const sentFields = {
    id: 5,
    username: 'rosa',
    name: 'Rosa Lima',
    email: 'rosa@x.co',
    balance: 10,
    push_ids: ['a'],
  };
  const providerUser = parseAdminUser({ ...sentFields, api_active: false });
  const edited = { ...draftOf(providerUser), apiActive: true, balanceCents: 2050 };
  expect(problemsOf(edited, providerUser)).toEqual({});
  const body = changeOf(edited, providerUser);
  expect(body).toMatchObject({
    ...sentFields,
    balance: 20.5,
    api_active: true,
    apiActive: true,
    role: 'USER',
  });
  expect(Object.keys(body)).not.toContain('version');
  expect(Object.keys(body)).not.toContain('reason');
});
