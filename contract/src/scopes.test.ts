import { expect, test } from 'vitest';
import { endpoints } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { scopes } from './scopes.ts';

const all: readonly Endpoint[] = endpoints;

test('an endpoint names a scope exactly where a key may call it', () => {
  const byKey = all.filter(({ access }) => access === 'apiKey' || access === 'merchant');
  expect(all.filter(({ scope }) => scope !== undefined)).toEqual(byKey);
});

test('no key writes by the scope of looking, and every scope opens something', () => {
  const scoped = all.filter(({ scope }) => scope !== undefined);
  expect(scoped.filter(({ scope, method }) => scope === 'read' && method !== 'GET')).toEqual([]);
  const opened = new Set(scoped.map(({ scope }) => scope));
  expect(scopes.filter((scope) => !opened.has(scope))).toEqual([]);
});
