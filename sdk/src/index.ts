export type * from './contract.ts';
export {
  type ClientErrorCode,
  JangadaConnectionError,
  JangadaError,
  JangadaOutcomeUnknownError,
} from './errors.ts';
export type { FollowOptions } from './events.ts';
export { Jangada } from './jangada.ts';
export type { Attempt, CallOptions, Fetch, JangadaOptions, KeyedCallOptions } from './options.ts';
export {
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookErrorReason,
  WebhookVerificationError,
} from './webhooks.ts';
