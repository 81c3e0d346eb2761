import type { Endpoint, publicSettings } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ApiError } from './api-error.ts';
import { callsElsewhere } from './base-address.ts';

/** The call that identifies our own gateway. Only its name is used, so that callers need not load its schema. */
const SETTINGS: (typeof publicSettings)['name'] = 'publicSettings';

/**
 * What the provider behind the dashboard supports. Our own gateway identifies itself and implements every call of the
 * contract; a provider that does not is assumed to implement the specification only, and gets no calls beyond it.
 */
const provider = createStore<{ offersMore: boolean }>(() => ({ offersMore: true }));

/** True when calls beyond the specification may be made. */
export function offersMore(): boolean {
  return provider.getState().offersMore;
}

/** Hook version of `offersMore`, for screens: what needs such calls is left out. */
export function useOffersMore(): boolean {
  return useStore(provider, (known) => known.offersMore);
}

/** Endpoints beyond the specification that this provider has turned out not to implement. */
const missing = new Set<string>();

/** True when a call should be skipped: this provider lacks it, or implements the specification only. */
export function isLeftOut({ name, beyond }: Endpoint): boolean {
  return missing.has(name) || (beyond === true && !offersMore() && name !== SETTINGS);
}

export function noteAnswer({ name }: Endpoint): void {
  if (name === SETTINGS) provider.setState({ offersMore: true });
}

/** Records a missing call, and returns whether the call is missing. */
export function noteFailure(endpoint: Endpoint, failure: ApiError): boolean {
  const isSettings = endpoint.name === SETTINGS;
  // A provider's reply to an unknown path often lacks CORS headers, which looks the same as no response.
  if (isSettings && callsElsewhere()) provider.setState({ offersMore: false });
  if (!isMissing(endpoint, failure)) return false;
  missing.add(endpoint.name);
  if (isSettings) provider.setState({ offersMore: false });
  return true;
}

/** A refusal that the endpoint declares is about the requested resource, not about the call. */
function isMissing({ beyond, access, refusals }: Endpoint, { status, code }: ApiError): boolean {
  if (beyond !== true) return false;
  if (status === 405) return true;
  if (refusals.some((known) => known === code)) return false;
  // A provider that guards every path returns 401 even for public calls; one with a catch-all page returns HTML with
  // status 200.
  return status === 404 || (access === 'public' && status === 401) || (status === 200 && callsElsewhere());
}
