import { expect, test } from 'vitest';
import { endpoints } from './all-endpoints.ts';
import type { Endpoint } from './endpoint.ts';
import { scopes } from './scopes.ts';

const allEndpoints: readonly Endpoint[] = endpoints;

test('an endpoint has a scope exactly if an API key may call it', () => {
  const callableByKey = allEndpoints.filter(({ access }) => access === 'apiKey' || access === 'merchant');
  expect(allEndpoints.filter(({ scope }) => scope !== undefined)).toEqual(callableByKey);
});

test('the read scope allows no writes, and every scope is used by an endpoint', () => {
  const scoped = allEndpoints.filter(({ scope }) => scope !== undefined);
  expect(scoped.filter(({ scope, method }) => scope === 'read' && method !== 'GET')).toEqual([]);
  const usedScopes = new Set(scoped.map(({ scope }) => scope));
  expect(scopes.filter((scope) => !usedScopes.has(scope))).toEqual([]);
});
