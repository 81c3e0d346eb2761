import type { ErrorCode } from '@jangada/contract';
import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { GuessLimit } from './guess-limit.ts';

const rejectSecret = async () => {
  throw new Refusal('INVALID_API_KEY');
};
const acceptSecret = async () => 'somebody';
const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

test('beyond a network’s limit failed calls are refused as rate limited, and valid ones pass', async () => {
  const guesses = new GuessLimit(2);
  const codes = [];
  for (let attempt = 0; attempt < 3; attempt += 1)
    codes.push(await guesses.guard('one', rejectSecret).catch(codeOf));
  expect(codes).toEqual(['INVALID_API_KEY', 'INVALID_API_KEY', 'RATE_LIMITED']);
  expect(await guesses.guard('one', acceptSecret)).toBe('somebody');
  expect(await guesses.guard('another', rejectSecret).catch(codeOf)).toBe('INVALID_API_KEY');
});

test('a valid secret from a suspect network waits its turn among guesses, and is accepted', async () => {
  const guesses = new GuessLimit(1);
  await guesses.guard('one', rejectSecret).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const pendingGuesses = Array.from({ length: 40 }, () =>
    guesses.guard('one', () => gate.promise).catch(codeOf),
  );
  const validLookUp = guesses.guard('one', acceptSecret);
  expect(await guesses.guard('another', acceptSecret)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  expect(await validLookUp).toBe('somebody');
  expect(new Set(await Promise.all(pendingGuesses))).toEqual(new Set(['RATE_LIMITED']));
});

test('a secret that was valid before is looked up at once, however many guesses there are, until it is revoked', async () => {
  const guesses = new GuessLimit(1);
  expect(await guesses.guard('one', acceptSecret, 'session')).toBe('somebody');
  await guesses.guard('one', rejectSecret).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const pendingGuesses = Array.from({ length: 200 }, () =>
    guesses.guard('one', () => gate.promise).catch(codeOf),
  );
  for (let attempt = 0; attempt < 3; attempt += 1)
    expect(await guesses.guard('one', acceptSecret, 'session')).toBe('somebody');
  expect(await guesses.guard('one', acceptSecret, 'another').catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('one', rejectSecret, 'session').catch(codeOf)).toBe('RATE_LIMITED');
  expect(await guesses.guard('one', acceptSecret, 'session').catch(codeOf)).toBe('OVERLOADED');
  gate.reject(new Refusal('INVALID_API_KEY'));
  const codes = await Promise.all(pendingGuesses);
  // 48 look-ups of the network could be pending; the other guesses were refused without one.
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(48);
  expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(152);
});

test('a suspect network that uses up its slots blocks no other, until all slots for suspects are used', async () => {
  const guesses = new GuessLimit(1);
  const networks = ['one', 'two', 'three'];
  for (const network of networks) await guesses.guard(network, rejectSecret).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const guessFrom = (network: string) =>
    Array.from({ length: 60 }, () => guesses.guard(network, () => gate.promise).catch(codeOf));
  const firstGuesses = guessFrom('one');
  expect(await guesses.guard('two', acceptSecret)).toBe('somebody');
  const secondGuesses = guessFrom('two');
  expect(await guesses.guard('three', acceptSecret).catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('nobody suspects', acceptSecret)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  const codes = await Promise.all([...firstGuesses, ...secondGuesses]);
  // 80 look-ups of all suspect networks could be pending.
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(80);
  for (const network of networks) expect(await guesses.guard(network, acceptSecret)).toBe('somebody');
});

test('a refusal of a valid key does not count as a failed guess, and keeps its code even from a suspect network', async () => {
  const guesses = new GuessLimit(2);
  const codes = ['ACCOUNT_FROZEN', 'KEY_ADDRESS_NOT_ALLOWED', 'API_KEY_EXPIRED'] as const;
  const refusedAs = (code: ErrorCode) => async () => {
    throw new Refusal(code);
  };
  for (const code of [...codes, ...codes])
    expect(await guesses.guard('one', refusedAs(code)).catch(codeOf)).toBe(code);
  expect(guesses.isSuspect('one')).toBe(false);
  for (let attempt = 0; attempt < 3; attempt += 1) await guesses.guard('one', rejectSecret).catch(codeOf);
  expect(guesses.isSuspect('one')).toBe(true);
  for (const code of codes) expect(await guesses.guard('one', refusedAs(code)).catch(codeOf)).toBe(code);
});

test('an internal error does not count as a failed guess', async () => {
  const guesses = new GuessLimit(1);
  const failInternally = async () => {
    throw new Error('the database is away');
  };
  for (let attempt = 0; attempt < 2; attempt += 1) await guesses.guard('one', failInternally).catch(codeOf);
  expect(guesses.isSuspect('one')).toBe(false);
});
