import { expect, test } from 'vitest';
import { actionLabel, compareValues, fieldLabel, valueText } from './audit-words.ts';

test('only fields with different values before and after are changes, and all others are facts', () => {
  const before = { withdrawal: 'w1', status: 'processing', amount_cents: 5_000, in_rate: 99 };
  expect(compareValues(before, { status: 'completed', in_rate: 99, id_envio: 'x' })).toEqual({
    changes: [{ field: 'status', before: 'processing', after: 'completed' }],
    facts: [
      { field: 'withdrawal', value: 'w1' },
      { field: 'amount_cents', value: 5_000 },
      { field: 'in_rate', value: 99 },
      { field: 'id_envio', value: 'x' },
    ],
  });
});

test('values are written as money, rates, yes and no, and São Paulo times', () => {
  expect(valueText('balance_cents', 125_040)).toBe('R$\u00a01.250,40');
  expect(valueText('in_rate', 99)).toBe('0,99%');
  expect(valueText('approved', false)).toBe('Não');
  expect(valueText('role', 'SUPPORT')).toBe('Suporte');
  expect(valueText('status', 'rejected')).toBe('Rejeitada');
  expect(valueText('status', 'sunk')).toBe('sunk');
  expect(valueText('happened_at', '2026-11-21T17:32:00.000Z')).toBe('21/11/2026 14:32');
  expect(valueText('held_because', null)).toBe('—');
  expect(fieldLabel('withdrawal_limit')).toBe('Limite de saques por dia');
  expect(valueText('withdrawal_limit', 800)).toBe('R$\u00a0800,00');
  expect(valueText('withdrawal_limit', null)).toBe('sem limite');
  expect(valueText('role', 'finance')).toBe('Financeiro');
  expect(valueText('anything', { a: 1 })).toBe('{"a":1}');
});

test('the constants of the gateway are written in Portuguese, each by its field', () => {
  expect(['suspense', 'assigned', 'returning'].map((outcome) => valueText('outcome', outcome))).toEqual([
    'Sem dono',
    'Atribuído',
    'Devolvendo',
  ]);
  expect([fieldLabel('proposed'), valueText('proposed', 'assign'), valueText('proposed', 'return')]).toEqual([
    'Proposta',
    'Atribuir',
    'Devolver',
  ]);
  expect(valueText('kind', 'tariff')).toBe('Tarifa do banco');
  expect(valueText('kind', 'bank-balance-low')).toBe('Falta dinheiro na conta do banco');
  expect(valueText('reference', 'account')).toBe('conta do banco');
});

test('unknown actions and fields are shown as received', () => {
  expect(actionLabel('user updated')).toBe('Usuário alterado');
  expect(actionLabel('moon landed')).toBe('moon landed');
  expect(fieldLabel('crater')).toBe('crater');
});
