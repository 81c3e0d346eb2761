import type { Endpoint, publicSettings } from '@jangada/contract';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { ApiError } from './api-error.ts';
import { isApiOnOtherOrigin } from './base-address.ts';

/**
 * The name of the call that identifies our own gateway. Only the type is imported, so that this file does not load the
 * call's schema.
 */
const SETTINGS: (typeof publicSettings)['name'] = 'publicSettings';

/**
 * The provider, that is, the gateway behind the dashboard. Our own gateway identifies itself by its public settings and
 * implements every call of the contract. A provider that does not identify itself is assumed to implement only the
 * common specification, and gets no other calls.
 */
const provider = createStore<{ isJangada: boolean }>(() => ({ isJangada: true }));

/** What a screen may rely on beyond the specification. Screens ask for one of these, never which provider it is. */
export type Capability =
  /** The screens in `extraScreenPaths`, and the links to them. */
  | 'extraScreens'
  /** Separate start screens for administrators and support staff. */
  | 'staffDashboards'
  | 'transactionSearch'
  | 'chargeCancellation'
  | 'dueDates'
  /**
   * A charge's lifetime is sent as `expires_in`; otherwise as `expiresIn`, as in the dashboard of the specification.
   */
  | 'chargeExpiresIn'
  /** Payment calls accept the session token; otherwise only the API key. */
  | 'paymentsBySession'
  /**
   * A call that is repeated with the same Idempotency-Key has no second effect. Other providers are not sent the
   * header, because their CORS rules may reject it.
   */
  | 'idempotencyKeys'
  /**
   * The HTTP status of a failure shows whether the call may have been carried out; otherwise a failure with a message
   * means that it was not.
   */
  | 'failureStatuses'
  /** The live channel reports every change of the account; otherwise only notifications. */
  | 'liveAccountChanges'
  | 'withdrawalsByKey'
  | 'withdrawalLimits'
  /** CNPJ keys: the specification has the four other types. */
  | 'cnpjKeys'
  /** Easily guessed PINs are refused, and withdrawals are held after the PIN was changed. */
  | 'pinRules'
  | 'webhookSecret'
  | 'passwordToShowKey'
  | 'encryptedDocuments'
  /** Pictures of documents are downloaded one by one; otherwise the list contains the pictures themselves. */
  | 'pictureDownload'
  | 'auditLog'
  | 'closureRequests';

/**
 * True when the provider has a capability. Today all capabilities come with our own gateway, so a provider has all of
 * them or none.
 */
export function supports(_capability: Capability): boolean {
  return provider.getState().isJangada;
}

/** Hook version of `supports`, for components. */
export function useSupports(_capability: Capability): boolean {
  return useStore(provider, (state) => state.isJangada);
}

/** Endpoints beyond the specification that this provider has turned out not to implement. */
const missingCalls = new Set<string>();

/**
 * True when a call must not be sent: the provider has turned out to lack the call, or the call is beyond the
 * specification and the provider implements nothing else.
 */
export function mustNotCall({ name, isExtension }: Endpoint): boolean {
  return (
    missingCalls.has(name) || (isExtension === true && !provider.getState().isJangada && name !== SETTINGS)
  );
}

/**
 * Records that a call succeeded. Only our own gateway has the call for public settings, so its success identifies the
 * gateway.
 */
export function recordSuccess({ name }: Endpoint): void {
  if (name === SETTINGS) provider.setState({ isJangada: true });
}

/** Records what a failed call shows about the provider, and returns whether the provider lacks the call. */
export function recordFailure(endpoint: Endpoint, failure: ApiError): boolean {
  const isSettings = endpoint.name === SETTINGS;
  // On another origin, any failure of this call counts. The response to an unknown path often lacks CORS headers, and
  // the browser then reports no response at all.
  if (isSettings && isApiOnOtherOrigin()) provider.setState({ isJangada: false });
  if (!isMissing(endpoint, failure)) return false;
  missingCalls.add(endpoint.name);
  if (isSettings) provider.setState({ isJangada: false });
  return true;
}

/**
 * True when a failure shows that the provider lacks the call. A refusal that the endpoint declares shows the opposite:
 * it is about the requested resource.
 */
function isMissing({ isExtension, access, refusals }: Endpoint, { status, code }: ApiError): boolean {
  if (isExtension !== true) return false;
  if (status === 405) return true;
  if (refusals.some((declared) => declared === code)) return false;
  // Some providers check the session on every path, and so return 401 even for a public call that they lack.
  const isPublicCallRefused = access === 'public' && status === 401;
  // Others return an HTML page with status 200 for any unknown path, which fails because the body is not JSON.
  const isHtmlPage = status === 200 && isApiOnOtherOrigin();
  return status === 404 || isPublicCallRefused || isHtmlPage;
}
