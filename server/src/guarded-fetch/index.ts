/*
 * Calls to URLs that users supply (webhooks, push services), guarded against server-side request forgery: no such URL
 * may make the gateway call its own network.
 */
export { type AddressRules, createAddressRules } from './address-rules.ts';
export { checkUrl } from './check-url.ts';
export { FetchFailed, type FetchFailure, failureFrom } from './fetch-failed.ts';
export { guardedConnector, resolveName } from './guarded-connector.ts';
export {
  createGuardedFetch,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
} from './guarded-fetch.ts';
