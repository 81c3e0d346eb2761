import { batch, login } from '@jangada/contract';
import { expect, test } from 'vitest';
import { Refusal } from '../refusal.ts';
import { checkRefusal, checkResponse } from './check-answer.ts';

const refusedWith = (code: 'KEY_LIMIT' | 'INVALID_CREDENTIALS') => Promise.reject(new Refusal(code));

test('a response with more than its contract names fails, and is reported', () => {
  const reported: string[] = [];
  const report = (mismatch: string) => reported.push(mismatch);
  const response = { answers: [{ path: '/health', status: 200, body: {} }] };
  checkResponse(batch, response, report);
  expect(reported).toEqual([]);
  expect(() => checkResponse(batch, { ...response, hash: 'b' }, report)).toThrow('more than its contract');
  expect(() => checkResponse(batch, { answers: null }, report)).toThrow('what its contract excludes');
  expect(reported).toHaveLength(2);
});

test('a refusal that the contract does not name fails, and is reported', async () => {
  const reported: string[] = [];
  const report = (mismatch: string) => reported.push(mismatch);
  await expect(checkRefusal(login, refusedWith('INVALID_CREDENTIALS'), report)).rejects.toBeInstanceOf(
    Refusal,
  );
  expect(reported).toEqual([]);
  const mismatch = 'login is refused with KEY_LIMIT, which its contract does not name';
  await expect(checkRefusal(login, refusedWith('KEY_LIMIT'), report)).rejects.toThrow(mismatch);
  expect(reported).toEqual([mismatch]);
  // In production nobody is told, and the refusal is sent as it is.
  await expect(checkRefusal(login, refusedWith('KEY_LIMIT'), undefined)).rejects.toBeInstanceOf(Refusal);
});
