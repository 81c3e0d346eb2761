import { expect, test } from 'vitest';
import { asSentence } from './sentence.ts';

test('a text ends in exactly one punctuation mark', () => {
  expect(['Foto cortada', 'Foto cortada. ', 'Cortada?', 'Cortada…'].map(asSentence)).toEqual([
    'Foto cortada.',
    'Foto cortada.',
    'Cortada?',
    'Cortada…',
  ]);
});
