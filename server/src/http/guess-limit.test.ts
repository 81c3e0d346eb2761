import type { ErrorCode } from '@jangada/contract';
import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { GuessLimit } from './guess-limit.ts';

const wrong = async () => {
  throw new Refusal('INVALID_API_KEY');
};
const right = async () => 'somebody';
const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

test('beyond a network’s limit failed calls are refused as rate limited, and valid ones pass', async () => {
  const guesses = new GuessLimit(2);
  const codes = [];
  for (let made = 0; made < 3; made += 1) codes.push(await guesses.guard('one', wrong).catch(codeOf));
  expect(codes).toEqual(['INVALID_API_KEY', 'INVALID_API_KEY', 'RATE_LIMITED']);
  expect(await guesses.guard('one', right)).toBe('somebody');
  expect(await guesses.guard('another', wrong).catch(codeOf)).toBe('INVALID_API_KEY');
});

test('a valid secret from a suspect network waits its turn among guesses, and is accepted', async () => {
  const guesses = new GuessLimit(1);
  await guesses.guard('one', wrong).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const crowd = Array.from({ length: 40 }, () => guesses.guard('one', () => gate.promise).catch(codeOf));
  const entered = guesses.guard('one', right);
  expect(await guesses.guard('another', right)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  expect(await entered).toBe('somebody');
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(['RATE_LIMITED']));
});

test('a secret that was valid before is looked up at once, however many guesses there are, until it is revoked', async () => {
  const guesses = new GuessLimit(1);
  expect(await guesses.guard('one', right, 'session')).toBe('somebody');
  await guesses.guard('one', wrong).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const crowd = Array.from({ length: 200 }, () => guesses.guard('one', () => gate.promise).catch(codeOf));
  for (let made = 0; made < 3; made += 1)
    expect(await guesses.guard('one', right, 'session')).toBe('somebody');
  expect(await guesses.guard('one', right, 'another').catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('one', wrong, 'session').catch(codeOf)).toBe('RATE_LIMITED');
  expect(await guesses.guard('one', right, 'session').catch(codeOf)).toBe('OVERLOADED');
  gate.reject(new Refusal('INVALID_API_KEY'));
  const codes = await Promise.all(crowd);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(48);
  expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(152);
});

test('a suspect network that uses up its slots blocks no other, until all slots for suspects are used', async () => {
  const guesses = new GuessLimit(1);
  const networks = ['one', 'two', 'three'];
  for (const network of networks) await guesses.guard(network, wrong).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const crowd = (network: string) =>
    Array.from({ length: 60 }, () => guesses.guard(network, () => gate.promise).catch(codeOf));
  const first = crowd('one');
  expect(await guesses.guard('two', right)).toBe('somebody');
  const second = crowd('two');
  expect(await guesses.guard('three', right).catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('nobody suspects', right)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  const codes = await Promise.all([...first, ...second]);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(80);
  for (const network of networks) expect(await guesses.guard(network, right)).toBe('somebody');
});

test('a refusal of a valid key is no failed guess, and is answered as such whatever others guess from the network', async () => {
  const guesses = new GuessLimit(2);
  const codes = ['ACCOUNT_FROZEN', 'KEY_ADDRESS_NOT_ALLOWED', 'API_KEY_EXPIRED'] as const;
  const refusedAs = (code: ErrorCode) => async () => {
    throw new Refusal(code);
  };
  for (const code of [...codes, ...codes])
    expect(await guesses.guard('one', refusedAs(code)).catch(codeOf)).toBe(code);
  expect(guesses.isSuspect('one')).toBe(false);
  for (let made = 0; made < 3; made += 1) await guesses.guard('one', wrong).catch(codeOf);
  expect(guesses.isSuspect('one')).toBe(true);
  for (const code of codes) expect(await guesses.guard('one', refusedAs(code)).catch(codeOf)).toBe(code);
});

test('an internal error does not count as a failed guess', async () => {
  const guesses = new GuessLimit(1);
  const broken = async () => {
    throw new Error('the database is away');
  };
  for (let made = 0; made < 2; made += 1) await guesses.guard('one', broken).catch(codeOf);
  expect(guesses.isSuspect('one')).toBe(false);
});
