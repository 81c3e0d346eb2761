import { expect, test } from 'vitest';
import { actionWord, differenceOf, fieldWord, valueWord } from './audit-words.ts';

test('changed fields are separated from fields that did not change', () => {
  const before = { withdrawal: 'w1', status: 'processing', amount_cents: 5_000, in_rate: 99 };
  expect(differenceOf(before, { status: 'completed', in_rate: 99, id_envio: 'x' })).toEqual({
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
  expect(valueWord('balance_cents', 125_040)).toBe('R$\u00a01.250,40');
  expect(valueWord('in_rate', 99)).toBe('0,99%');
  expect(valueWord('approved', false)).toBe('Não');
  expect(valueWord('role', 'SUPPORT')).toBe('Suporte');
  expect(valueWord('status', 'rejected')).toBe('Rejeitada');
  expect(valueWord('status', 'sunk')).toBe('sunk');
  expect(valueWord('happened_at', '2026-11-21T17:32:00.000Z')).toBe('21/11/2026 14:32');
  expect(valueWord('held_because', null)).toBe('—');
  expect(valueWord('anything', { a: 1 })).toBe('{"a":1}');
});

test('the constants of the gateway are written in Portuguese', () => {
  expect(['suspense', 'assigned', 'returning'].map((word) => valueWord('outcome', word))).toEqual([
    'Sem dono',
    'Atribuído',
    'Devolvendo',
  ]);
  expect([fieldWord('proposed'), valueWord('proposed', 'assign'), valueWord('proposed', 'return')]).toEqual([
    'Proposta',
    'Atribuir',
    'Devolver',
  ]);
  expect(valueWord('kind', 'tariff')).toBe('Tarifa do banco');
  expect(valueWord('kind', 'bank-balance-low')).toBe('Falta dinheiro na conta do banco');
  expect(valueWord('reference', 'account')).toBe('conta do banco');
});

test('unknown words are shown as received', () => {
  expect(actionWord('user updated')).toBe('Usuário alterado');
  expect(actionWord('moon landed')).toBe('moon landed');
  expect(fieldWord('crater')).toBe('crater');
});
