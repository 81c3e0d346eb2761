import { isUuid } from './delivery-filter.ts';

/** The open endpoint. Invalid values are dropped, so that an old or broken link still opens. */
export function endpointSearchFrom(address: Record<string, unknown>): { id?: string } {
  const id = String(address['id'] ?? '');
  return id === '' ? {} : { id: id.slice(0, ID_MAX_LENGTH) };
}

/** With what the doctor begins: the endpoint that is asked about, or a delivery that was sent. */
export function doctorSearchFrom(address: Record<string, unknown>): { endpoint?: string; delivery?: string } {
  const endpoint = String(address['endpoint'] ?? '');
  const delivery = String(address['delivery'] ?? '');
  return {
    ...(isUuid(endpoint) && { endpoint }),
    ...(delivery !== '' && { delivery: delivery.slice(0, ID_MAX_LENGTH) }),
  };
}
