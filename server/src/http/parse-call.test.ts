import { listEvents } from '@jangada/contract';
import { expect, test } from 'vitest';
import { parseQuery } from './parse-call.ts';

test.each([
  ['a text that is too short', { after: '' }, 'O campo after deve ter no mínimo 1 caractere.'],
  ['a text that is too long', { after: 'a'.repeat(201) }, 'O campo after deve ter no máximo 200 caracteres.'],
  ['a number that is too large', { limit: '101' }, 'O campo limit deve ser no máximo 100.'],
])('%s is told as what it is', (_name, given, message) => {
  expect(() => parseQuery(listEvents, given)).toThrow(message);
});
