import type { Endpoint, publicSettings } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ApiError } from './api-error.ts';
import { callsElsewhere } from './base-address.ts';

/** The call by which our own gateway is known; by name, so that whoever asks needs no schema. */
const SETTINGS: (typeof publicSettings)['name'] = 'publicSettings';

/**
 * What the provider behind the dashboard knows. Our own gateway tells of itself and knows every call of the contract;
 * one that does not tell keeps to the specification, and is asked for nothing beyond it.
 */
const provider = createStore<{ offersMore: boolean }>(() => ({ offersMore: true }));

/** Whether calls beyond the specification may be made. */
export function offersMore(): boolean {
  return provider.getState().offersMore;
}

/** The same for screens: what needs such calls is left out where there are none. */
export function useOffersMore(): boolean {
  return useStore(provider, (known) => known.offersMore);
}

/** Endpoints beyond the specification that this provider does not know. */
const missing = new Set<string>();

/** Whether a call is not worth making: this provider does not know it, or keeps to the specification. */
export function isLeftOut({ name, beyond }: Endpoint): boolean {
  return missing.has(name) || (beyond === true && !offersMore() && name !== SETTINGS);
}

export function noteAnswer({ name }: Endpoint): void {
  if (name === SETTINGS) provider.setState({ offersMore: true });
}

/** Remembers a call that is missing, and answers whether it is. */
export function noteFailure(endpoint: Endpoint, failure: ApiError): boolean {
  const isSettings = endpoint.name === SETTINGS;
  // An answer without CORS headers, as strangers give to what they do not know, looks like none at all.
  if (isSettings && callsElsewhere()) provider.setState({ offersMore: false });
  if (!isMissing(endpoint, failure)) return false;
  missing.add(endpoint.name);
  if (isSettings) provider.setState({ offersMore: false });
  return true;
}

/** A refusal that the endpoint knows speaks of the thing that was asked for, not of the call. */
function isMissing({ beyond, access, refusals }: Endpoint, { status, code }: ApiError): boolean {
  if (beyond !== true) return false;
  if (status === 405) return true;
  if (refusals.some((known) => known === code)) return false;
  // Who guards every address asks even for a session where nobody needs one; whose pages answer for all sends HTML.
  return status === 404 || (access === 'public' && status === 401) || (status === 200 && callsElsewhere());
}
