import { defaultOutFees } from '@jangada/contract';
import { expect, test } from 'vitest';
import {
  maxWithdrawalCents,
  type WithdrawalContext,
  type WithdrawalFormInput,
  withdrawalProblems,
} from './withdrawal-problem.ts';

const context: WithdrawalContext = { balanceCents: 1_000_000, terms: defaultOutFees, pin: 'set' };
const key = { type: 'cpf', text: '123.456.789-09' } as const;
const input: WithdrawalFormInput = { cents: 250_000, key };

test('a valid withdrawal has no problem', () => {
  expect(withdrawalProblems(input, context)).toEqual({});
  expect(withdrawalProblems({ ...input, cents: 500 }, context)).toEqual({});
  expect(withdrawalProblems({ ...input, cents: 1_000_000 }, context)).toEqual({});
});

test.each([
  [null, 'Valor de saque inválido.'],
  [0, 'Valor de saque inválido.'],
  [499, 'O valor mínimo para saque é de R$ 5,00'],
  [1_000_001, 'O valor do saque é maior que o saldo disponível'],
])('the amount %j is refused', (cents, text) => {
  expect(withdrawalProblems({ ...input, cents }, context)).toEqual({ amount: text });
});

test('the account’s own terms are applied too', () => {
  const terms = {
    ...defaultOutFees,
    fee: { rate: 0, fixedCents: 2_000 },
    minCents: 1_000,
    maxCents: 100_000,
  };
  const problemFor = (cents: number) => withdrawalProblems({ ...input, cents }, { ...context, terms }).amount;
  expect(problemFor(999)).toBe('O valor mínimo para saque é de R$\u00a010,00');
  expect(problemFor(100_001)).toBe('O valor máximo por saque é R$\u00a01.000,00.');
  expect(problemFor(2_000)).toBe('O valor do saque não cobre a tarifa.');
  expect(problemFor(2_001)).toBeUndefined();
});

test('what is left of the night’s and the day’s limits bounds an amount, with the server’s message', () => {
  const night = { limitCents: 50_000, leftCents: 40_000, message: 'Das 20h às 6h restam R$ 400,00.' };
  const day = { limitCents: 90_000, leftCents: 70_000, message: 'Hoje restam R$ 700,00.' };
  const problemFor = (cents: number, ...caps: (typeof night)[]) =>
    withdrawalProblems({ ...input, cents }, { ...context, terms: { ...defaultOutFees, caps } }).amount;
  expect(problemFor(40_000, night, day)).toBeUndefined();
  expect(problemFor(40_001, night, day)).toBe(night.message);
  expect(problemFor(70_001, day)).toBe(day.message);
  // Waiting for the next day does not help here: the amount is above the limit of a whole day.
  const overDayLimit = 'O limite de saques por dia é de R$\u00a0900,00. Tente um valor menor.';
  expect([problemFor(90_000, night, day), problemFor(90_001, night, day)]).toEqual([
    night.message,
    overDayLimit,
  ]);
  const maxFor = (balanceCents: number | null, maxCents: number | null, ...caps: (typeof night)[]) =>
    maxWithdrawalCents({ balanceCents, terms: { ...defaultOutFees, maxCents, caps } });
  expect(maxFor(100_000, null)).toBe(100_000);
  expect(maxFor(100_000, 90_000, night, day)).toBe(40_000);
  expect(maxFor(30_000, 90_000, night, day)).toBe(30_000);
  expect(maxFor(null, 90_000, night)).toBeNull();
});

test.each([
  ['cpf', '  ', 'Por favor, insira a chave PIX.'],
  ['cpf', '123.456.789-00', 'CPF inválido'],
  ['cnpj', '12ABC34501DE36', 'CNPJ inválido'],
  ['email', 'maria@example', 'Email inválido'],
  ['phone', '1199', 'Telefone inválido. Informe o DDD e o número.'],
  ['random', '123e4567', 'Chave aleatória inválida. Cole a chave inteira, com os hifens.'],
] as const)('the key of type %s written %j is refused', (type, text, sentence) => {
  expect(withdrawalProblems({ ...input, key: { type, text } }, context)).toEqual({ key: sentence });
});

test.each([
  ['not_set', 'PIN de Saque não configurado.'],
  ['loading', 'Verificando status do PIN...'],
  ['idle', 'Verificando status do PIN...'],
  ['error', 'Erro ao verificar status do PIN.'],
] as const)('while the PIN’s status is %s the withdrawal is refused', (pin, text) => {
  expect(withdrawalProblems(input, { ...context, pin })).toEqual({ pin: text });
});

test('the problems of the amount, the key and the PIN are reported together', () => {
  const emptyInput = { cents: null, key: { type: 'cpf', text: '' } } as const;
  expect(withdrawalProblems(emptyInput, { ...context, pin: 'not_set' })).toEqual({
    amount: 'Valor de saque inválido.',
    key: 'Por favor, insira a chave PIX.',
    pin: 'PIN de Saque não configurado.',
  });
});
