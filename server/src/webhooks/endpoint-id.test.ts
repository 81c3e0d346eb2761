import { expect, test } from 'vitest';
import { newWebhookEndpointId } from './endpoint-store.ts';

test('endpoints of a merchant differ in the digits used in their deliveries’ ids', () => {
  const drawn = [
    '11111111-0000-4000-8000-000000000002',
    '22222222-0000-4000-8000-000000000002',
    '33333333-0000-4000-8000-000000000000',
  ];
  const others = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000001'];
  const draws = drawn.values();
  expect(newWebhookEndpointId(others, () => draws.next().value ?? '')).toBe(drawn[2]);
  expect(newWebhookEndpointId(others)).toMatch(/^[\da-f]{8}-/);
});
