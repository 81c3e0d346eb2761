import type { ErrorCode } from '@jangada/contract';
import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { GuessLimit } from './guess-limit.ts';

const wrong = async () => {
  throw new Refusal('INVALID_API_KEY');
};
const right = async () => 'somebody';
const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

test('beyond the limit of a network whoever fails is told so, and whoever does not gets in', async () => {
  const guesses = new GuessLimit(2);
  const codes = [];
  for (let made = 0; made < 3; made += 1) codes.push(await guesses.guard('one', wrong).catch(codeOf));
  expect(codes).toEqual(['INVALID_API_KEY', 'INVALID_API_KEY', 'RATE_LIMITED']);
  expect(await guesses.guard('one', right)).toBe('somebody');
  expect(await guesses.guard('another', wrong).catch(codeOf)).toBe('INVALID_API_KEY');
});

test('where too many failed few are looked up at once, and those of other networks are looked up all the same', async () => {
  const guesses = new GuessLimit(1);
  await guesses.guard('one', wrong).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const crowd = Array.from({ length: 20 }, () => guesses.guard('one', () => gate.promise).catch(codeOf));
  expect(await guesses.guard('one', right).catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('another', right)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  const codes = await Promise.all(crowd);
  expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(16);
  expect(codes.filter((code) => code === 'OVERLOADED')).toHaveLength(4);
  expect(await guesses.guard('one', right)).toBe('somebody');
});

test('one network that takes all its places keeps no other suspect one out, until all such are taken', async () => {
  const guesses = new GuessLimit(1);
  const networks = ['one', 'two', 'three', 'four', 'five'];
  for (const network of networks) await guesses.guard(network, wrong).catch(codeOf);
  const gate = Promise.withResolvers<never>();
  const crowd = networks
    .slice(0, 4)
    .map((network) =>
      Array.from({ length: 16 }, () => guesses.guard(network, () => gate.promise).catch(codeOf)),
    );
  expect(await guesses.guard('one', right).catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('five', right).catch(codeOf)).toBe('OVERLOADED');
  expect(await guesses.guard('nobody suspects', right)).toBe('somebody');
  gate.reject(new Refusal('INVALID_API_KEY'));
  expect((await Promise.all(crowd.flat())).filter((code) => code === 'RATE_LIMITED')).toHaveLength(64);

  const again = Promise.withResolvers<never>();
  const flood = Array.from({ length: 30 }, () => guesses.guard('one', () => again.promise).catch(codeOf));
  expect(await guesses.guard('five', right)).toBe('somebody');
  again.reject(new Refusal('INVALID_API_KEY'));
  await Promise.all(flood);
  for (const network of networks) expect(await guesses.guard(network, right)).toBe('somebody');
});

test('who is known and refused all the same has failed nothing, and hears why whatever others guess beside them', async () => {
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

test('what breaks on the way counts as nobody’s failure', async () => {
  const guesses = new GuessLimit(1);
  const broken = async () => {
    throw new Error('the database is away');
  };
  for (let made = 0; made < 2; made += 1) await guesses.guard('one', broken).catch(codeOf);
  expect(guesses.isSuspect('one')).toBe(false);
});
