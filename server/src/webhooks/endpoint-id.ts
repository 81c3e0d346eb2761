import { randomUUID } from 'node:crypto';

/** What of an endpoint's id the names of its deliveries end in; `writeEvents` reckons it in SQL. */
export function shortEndpointId(id: string): string {
  return id.slice(0, 8);
}

/**
 * An id that ends the names of deliveries like none of the merchant's others: with two alike, one event would be two
 * deliveries of one name, and what it tells of (a payment) could not be written.
 */
export function newWebhookEndpointId(others: readonly string[], draw: () => string = randomUUID): string {
  const taken = others.map(shortEndpointId);
  for (;;) {
    const id = draw();
    if (!taken.includes(shortEndpointId(id))) return id;
  }
}
