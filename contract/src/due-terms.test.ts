import { expect, test } from 'vitest';
import { billedPerson } from './due-terms.ts';

const isTaken = (document: string) => billedPerson.safeParse({ name: 'Ana Souza', document }).success;

test('a document is taken with its punctuation or without, and nothing longer is read', () => {
  expect([isTaken('529.982.247-25'), isTaken(' 52998224725 '), isTaken('11.222.333/0001-81')]).not.toContain(
    false,
  );
  expect(isTaken('52998224724')).toBe(false);
  expect(isTaken(`52998224725${' '.repeat(100)}`)).toBe(false);
});
