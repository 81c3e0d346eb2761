import type { Endpoint, publicSettings } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ApiError } from './api-error.ts';
import { callsElsewhere } from './base-address.ts';

/** The call that identifies our own gateway. Only its name is used, so that callers need not load its schema. */
const SETTINGS: (typeof publicSettings)['name'] = 'publicSettings';

/**
 * What the provider behind the dashboard supports. Our own gateway identifies itself and implements every
 * call of the contract; a provider that does not is assumed to implement the specification only, and gets no
 * calls beyond it.
 */
const provider = createStore<{ isJangada: boolean }>(() => ({ isJangada: true }));

/** What a screen may rely on beyond the specification. Screens ask for one of these, never which provider it is. */
export type Capability =
  /** The screens in `extraScreenPaths`, and the links to them. */
  | 'extraScreens'
  /** Start screens for the administration and the support. */
  | 'staffDashboards'
  | 'transactionSearch'
  | 'chargeCancellation'
  /** A charge's lifetime is sent as `expires_in`; the specification's dashboard sends `expiresIn`. */
  | 'chargeExpiresIn'
  /** Payment calls accept the session; otherwise only the API key. */
  | 'paymentsBySession'
  /** A repeated call with the same key has no second effect. An unknown header may be rejected by CORS rules. */
  | 'idempotencyKeys'
  /**
   * A failure's status says whether anything was done; otherwise a failure with a message means that nothing
   * was.
   */
  | 'failureStatuses'
  /** The live channel reports every change of the account; otherwise only notifications. */
  | 'liveAccountChanges'
  | 'withdrawalsByKey'
  | 'withdrawalLimits'
  /** CNPJ keys: the specification has the four other types. */
  | 'cnpjKeys'
  /** Easily guessed PINs are refused, and withdrawals are held after a change. */
  | 'pinRules'
  | 'webhookSecret'
  | 'passwordToShowKey'
  | 'encryptedDocuments'
  /** Document pictures are downloaded one by one; otherwise the list holds them whole. */
  | 'pictureDownload'
  | 'auditLog'
  | 'closureRequests';

/**
 * True when the provider has a capability. Today a provider has all of them or none: they come with our
 * gateway.
 */
export function supports(_capability: Capability): boolean {
  return provider.getState().isJangada;
}

/** Hook version of `supports`, for components. */
export function useSupports(_capability: Capability): boolean {
  return useStore(provider, (state) => state.isJangada);
}

/** Endpoints beyond the specification that this provider has turned out not to implement. */
const missing = new Set<string>();

/** True when a call should be skipped: this provider lacks it, or implements the specification only. */
export function isLeftOut({ name, beyondSpecification }: Endpoint): boolean {
  return (
    missing.has(name) || (beyondSpecification === true && !provider.getState().isJangada && name !== SETTINGS)
  );
}

/** Records that a call succeeded: public settings that arrive identify our own gateway. */
export function noteSuccess({ name }: Endpoint): void {
  if (name === SETTINGS) provider.setState({ isJangada: true });
}

/** Records what a failed call shows about the provider, and returns whether the provider lacks the call. */
export function noteFailure(endpoint: Endpoint, failure: ApiError): boolean {
  const isSettings = endpoint.name === SETTINGS;
  // A provider's reply to an unknown path often lacks CORS headers, which looks the same as no response.
  if (isSettings && callsElsewhere()) provider.setState({ isJangada: false });
  if (!isMissing(endpoint, failure)) return false;
  missing.add(endpoint.name);
  if (isSettings) provider.setState({ isJangada: false });
  return true;
}

/** A refusal that the endpoint declares is about the requested resource, not about the call. */
function isMissing({ beyondSpecification, access, refusals }: Endpoint, { status, code }: ApiError): boolean {
  if (beyondSpecification !== true) return false;
  if (status === 405) return true;
  if (refusals.some((known) => known === code)) return false;
  // A provider that guards every path returns 401 even for public calls; one with a catch-all page returns
  // HTML with status 200.
  return status === 404 || (access === 'public' && status === 401) || (status === 200 && callsElsewhere());
}
