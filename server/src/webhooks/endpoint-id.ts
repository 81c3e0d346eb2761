import { randomUUID } from 'node:crypto';

/** The part of an endpoint's id used as the suffix of its delivery ids; `writeEvents` computes it in SQL. */
export function shortEndpointId(id: string): string {
  return id.slice(0, 8);
}

/**
 * A new id whose short form differs from the merchant's others: with two alike, an event would have two deliveries of
 * the same id, and the change it reports (a payment) could not be written.
 */
export function newWebhookEndpointId(others: readonly string[], draw: () => string = randomUUID): string {
  const taken = others.map(shortEndpointId);
  for (;;) {
    const id = draw();
    if (!taken.includes(shortEndpointId(id))) return id;
  }
}
