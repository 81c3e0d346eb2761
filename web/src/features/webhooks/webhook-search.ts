// What the webhook screens keep in the URL.

import { deliveryStates, eventTypes } from '@jangada/contract';
import { TEST_TYPE } from './event-words.ts';

/** Reads the id of the open endpoint from the parameters of a URL. */
export function endpointSearchFrom(urlParams: Record<string, unknown>): { id?: string } {
  const id = String(urlParams['id'] ?? '');
  return id === '' ? {} : { id: id.slice(0, ID_MAX_LENGTH) };
}

/**
 * Reads from the parameters of a URL what the webhook doctor starts with: a chosen endpoint, or a delivery whose
 * headers and body fill in the form.
 */
export function doctorSearchFrom(urlParams: Record<string, unknown>): {
  endpoint?: string;
  delivery?: string;
} {
  const endpoint = String(urlParams['endpoint'] ?? '');
  const delivery = String(urlParams['delivery'] ?? '');
  return {
    ...(isUuid(endpoint) && { endpoint }),
    ...(delivery !== '' && { delivery: delivery.slice(0, ID_MAX_LENGTH) }),
  };
}

/** The filter of the list of deliveries, and the delivery whose detail is open. Both are kept in the URL. */
export type DeliveryFilter = {
  /** The id of an endpoint, or `callback` for deliveries to the callback URLs of charges and withdrawals. */
  endpoint?: string;
  type?: string;
  state?: (typeof deliveryStates)[number];
  /** The charge, withdrawal or dispute that the deliveries are about. */
  subject?: string;
  /** The delivery whose detail is open. */
  id?: string;
};

/**
 * Takes the place of an endpoint's id, and stands for all callbacks. A callback is a URL that was given with a single
 * charge or withdrawal.
 */
export const CALLBACK = 'callback';
const ID_MAX_LENGTH = 200;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

/**
 * Reads the filter from the parameters of a URL. Invalid values are dropped, so that an old or broken link
 * still opens.
 */
export function deliveryFilterFrom(urlParams: Record<string, unknown>): DeliveryFilter {
  const [endpoint, subject, id] = ['endpoint', 'subject', 'id'].map((name) => textOf(urlParams[name]));
  const state = deliveryStates.find((name) => name === urlParams['state']);
  const type = [...eventTypes, TEST_TYPE].find((name) => name === urlParams['type']);
  return {
    ...(endpoint !== undefined && (endpoint === CALLBACK || isUuid(endpoint)) && { endpoint }),
    ...(type !== undefined && { type }),
    ...(state !== undefined && { state }),
    ...(subject !== undefined && isUuid(subject) && { subject: subject.toLowerCase() }),
    ...(id !== undefined && { id: id.slice(0, ID_MAX_LENGTH) }),
  };
}

function textOf(value: unknown): string | undefined {
  return value == null || value === '' ? undefined : String(value);
}

/** True when any filter is set. */
export function hasAnyFilter({ id: _id, ...filter }: DeliveryFilter): boolean {
  return Object.keys(filter).length > 0;
}
