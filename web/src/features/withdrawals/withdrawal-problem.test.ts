import { defaultOutFees } from '@jangada/contract';
import { expect, test } from 'vitest';
import {
  mostCents,
  type WithdrawalContext,
  type WithdrawalFormInput,
  withdrawalProblems,
} from './withdrawal-problem.ts';

const known: WithdrawalContext = { balanceCents: 1_000_000, terms: defaultOutFees, pin: 'set' };
const key = { type: 'cpf', text: '123.456.789-09' } as const;
const wanted: WithdrawalFormInput = { cents: 250_000, key };

test('a withdrawal in order has nothing in its way', () => {
  expect(withdrawalProblems(wanted, known)).toEqual({});
  expect(withdrawalProblems({ ...wanted, cents: 500 }, known)).toEqual({});
  expect(withdrawalProblems({ ...wanted, cents: 1_000_000 }, known)).toEqual({});
});

test.each([
  [null, 'Valor de saque inválido.'],
  [0, 'Valor de saque inválido.'],
  [499, 'O valor mínimo para saque é de R$ 5,00'],
  [1_000_001, 'O valor do saque é maior que o saldo disponível'],
])('the amount %j is refused', (cents, text) => {
  expect(withdrawalProblems({ ...wanted, cents }, known)).toEqual({ amount: text });
});

test('what the account’s own terms say is told too', () => {
  const terms = {
    ...defaultOutFees,
    fee: { rate: 0, fixedCents: 2_000 },
    minCents: 1_000,
    maxCents: 100_000,
  };
  const told = (cents: number) => withdrawalProblems({ ...wanted, cents }, { ...known, terms }).amount;
  expect(told(999)).toBe('O valor mínimo para saque é de R$\u00a010,00');
  expect(told(100_001)).toBe('O valor máximo por saque é R$\u00a01.000,00.');
  expect(told(2_000)).toBe('O valor do saque não cobre a tarifa.');
  expect(told(2_001)).toBeUndefined();
});

test('what is left of the night and of the day bounds an amount, in the words of the server', () => {
  const night = { limitCents: 50_000, leftCents: 40_000, message: 'Das 20h às 6h restam R$ 400,00.' };
  const day = { limitCents: 90_000, leftCents: 70_000, message: 'Hoje restam R$ 700,00.' };
  const told = (cents: number, ...caps: (typeof night)[]) =>
    withdrawalProblems({ ...wanted, cents }, { ...known, terms: { ...defaultOutFees, caps } }).amount;
  expect(told(40_000, night, day)).toBeUndefined();
  expect(told(40_001, night, day)).toBe(night.message);
  expect(told(70_001, day)).toBe(day.message);
  // Nothing to wait for: it is more than any whole day allows.
  const never = 'O limite de saques por dia é de R$\u00a0900,00. Tente um valor menor.';
  expect([told(90_000, night, day), told(90_001, night, day)]).toEqual([night.message, never]);
  const most = (balanceCents: number | null, maxCents: number | null, ...caps: (typeof night)[]) =>
    mostCents({ balanceCents, terms: { ...defaultOutFees, maxCents, caps } });
  expect(most(100_000, null)).toBe(100_000);
  expect(most(100_000, 90_000, night, day)).toBe(40_000);
  expect(most(30_000, 90_000, night, day)).toBe(30_000);
  expect(most(null, 90_000, night)).toBeNull();
});

test.each([
  ['cpf', '  ', 'Por favor, insira a chave PIX.'],
  ['cpf', '123.456.789-00', 'CPF inválido'],
  ['cnpj', '12ABC34501DE36', 'CNPJ inválido'],
  ['email', 'maria@example', 'Email inválido'],
  ['phone', '1199', 'Telefone inválido. Informe o DDD e o número.'],
  ['random', '123e4567', 'Chave aleatória inválida. Cole a chave inteira, com os hifens.'],
] as const)('the key of type %s written %j is refused', (type, text, sentence) => {
  expect(withdrawalProblems({ ...wanted, key: { type, text } }, known)).toEqual({ key: sentence });
});

test.each([
  ['not_set', 'PIN de Saque não configurado.'],
  ['loading', 'Verificando status do PIN...'],
  ['idle', 'Verificando status do PIN...'],
  ['error', 'Erro ao verificar status do PIN.'],
] as const)('a PIN that is %s stands in the way', (pin, text) => {
  expect(withdrawalProblems(wanted, { ...known, pin })).toEqual({ pin: text });
});

test('the amount, the key and the PIN are told together', () => {
  const nothing = { cents: null, key: { type: 'cpf', text: '' } } as const;
  expect(withdrawalProblems(nothing, { ...known, pin: 'not_set' })).toEqual({
    amount: 'Valor de saque inválido.',
    key: 'Por favor, insira a chave PIX.',
    pin: 'PIN de Saque não configurado.',
  });
});
