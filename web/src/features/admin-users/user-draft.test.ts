import { parseAdminUser } from '@jangada/contract';
import { expect, test } from 'vitest';
import { adminUser } from '../../testing/admin-samples.ts';
import { changeOf, draftOf, isEdited, problemsOf } from './user-draft.ts';

const user = parseAdminUser(adminUser);
const draft = draftOf(user);

test('a user goes through the form unchanged, and without a balance', () => {
  const { version, name, email, role, approved, apiActive, taxes } = adminUser;
  expect(changeOf(draft, user)).toEqual({ version, name, email, role, approved, apiActive, taxes });
  expect(problemsOf(draft, user)).toEqual({});
  expect(isEdited(draft, user)).toBe(false);
});

test('an edited balance goes with the one that was seen, and needs a reason', () => {
  const moved = { ...draft, balanceCents: 30_010 };
  expect(problemsOf({ ...moved, reason: '  ' }, user)).toEqual({
    reason: 'Informe o motivo do ajuste de saldo.',
  });
  expect(changeOf({ ...moved, reason: ' Acerto ' }, user)).toMatchObject({
    balance: 300.1,
    balance_before: 250.4,
    reason: 'Acerto',
  });
  expect(problemsOf({ ...draft, balanceCents: null }, user)).toMatchObject({
    balanceCents: 'Informe o saldo.',
  });
});

test('fees are numbers of at most two decimals, percentages end at 100, days are whole', () => {
  const wrong = { in: '100.01', fixIn: '-1', out: '1.005', fixOut: '', crypto: 'x', reserveDays: '1.5' };
  expect(problemsOf({ ...draft, ...wrong }, user)).toEqual({
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
