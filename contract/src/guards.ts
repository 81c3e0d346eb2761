import type { endpoints } from './all-endpoints.ts';

type Any = (typeof endpoints)[number];
type Writing = Exclude<Any, { method: 'GET' }>['name'];
/** GET endpoints that show a secret: the ones that require a step-up. */
type Showing = Extract<Any, { method: 'GET'; stepUp: true }>['name'];

/** The protection of a call that writes or shows a secret: what it requires of an open session, and who is notified. */
export type Guard = {
  /**
   * Whether it requires a recent second factor, if the account has one: always; `when` a condition holds; `never`, with
   * the reason; or `secret`: without it, the `secret` in the response is null. Calls by API key are limited by the
   * key's scope instead.
   */
  readonly factor: 'always' | 'secret' | { readonly when: string } | { readonly never: string };
  /**
   * Whether the account's owner is notified, by mail (and mostly in the panel too) or only in the panel; or nobody,
   * with the reason.
   */
  readonly tells: 'mail' | 'panel' | { readonly nobody: string };
};

const entering = { never: 'it is how somebody shows who they are' } as const;
const closing = { never: 'it only closes or stops something' } as const;
const sales = { never: 'it brings money in, and to this account' } as const;
const looks = { never: 'it changes how pages look, and opens nothing' } as const;
const heard = { nobody: 'it is their own doing, and shows in the panel' } as const;
const atSignIn = { nobody: 'whoever signs in is shown the key, and a new browser is told' } as const;
const staffsOwn = { nobody: 'no account is meant; it stands in the audit log' } as const;
const untold = { nobody: 'it opens nothing and closes nothing' } as const;
const onlyStops = { nobody: 'it stops something; it stands in the audit log, or in the panel' } as const;

/**
 * Every call that writes or shows a secret, and its protection. The type requires an entry for each;
 * `server/src/guards.test.ts` calls those that require a factor, and prints the list in docs/identity.md;
 * `server/src/who-is-told.test.ts` lets each succeed and checks who is notified.
 */
/* @__PURE__ */
export const guards: Readonly<Record<Writing | Showing, Guard>> = {
  // Sessions and sign-in
  login: { factor: { never: 'it asks for the factor by a challenge of its own' }, tells: 'mail' },
  secondFactorLogin: { factor: entering, tells: 'mail' },
  passkeyLoginOptions: { factor: entering, tells: untold },
  passkeyLogin: { factor: entering, tells: 'mail' },
  register: { factor: { never: 'there is no account yet' }, tells: untold },
  logout: { factor: closing, tells: heard },
  confirmPassword: { factor: entering, tells: untold },
  stepUpOptions: { factor: entering, tells: untold },
  stepUp: { factor: entering, tells: { nobody: 'only a recovery code that is used up is told, by mail' } },
  endSession: { factor: closing, tells: heard },
  endOtherSessions: { factor: closing, tells: heard },
  recoverPassword: { factor: entering, tells: 'mail' },
  checkResetLink: { factor: entering, tells: untold },
  resetPassword: { factor: { never: 'the link that was mailed shows who it is' }, tells: 'mail' },

  // The account
  beginTotp: { factor: 'always', tells: { nobody: 'it counts once it is confirmed, which is told' } },
  confirmTotp: { factor: { when: 'another factor was added since it was begun' }, tells: 'mail' },
  removeTotp: { factor: 'always', tells: 'mail' },
  renewRecoveryCodes: { factor: 'always', tells: 'mail' },
  beginPasskey: { factor: 'always', tells: { nobody: 'it counts once it is added, which is told' } },
  addPasskey: {
    factor: { never: 'it answers a challenge that beginPasskey gave for the factor' },
    tells: 'mail',
  },
  removePasskey: { factor: 'always', tells: 'mail' },
  changePassword: { factor: 'always', tells: 'mail' },
  changeEmail: { factor: 'always', tells: 'mail' },
  resendEmailLink: { factor: { never: 'it repeats what changeEmail asked for' }, tells: 'mail' },
  cancelEmailChange: { factor: closing, tells: heard },
  checkEmailLink: { factor: entering, tells: untold },
  confirmEmail: {
    factor: { never: 'changeEmail asked, and the link shows that the address is read' },
    tells: 'mail',
  },
  changeName: { factor: { never: 'it takes the typed password, and opens nothing' }, tells: heard },
  requestClosing: { factor: { never: 'it takes the typed password, and closes' }, tells: 'mail' },
  withdrawClosing: { factor: { never: 'it restores what was' }, tells: 'mail' },
  uploadAvatar: { factor: looks, tells: heard },
  removeAvatar: { factor: looks, tells: heard },
  verifyCpf: { factor: { never: 'an administrator decides on it, with a factor' }, tells: heard },
  notificationTicket: {
    factor: { never: 'it opens what the session opens, and ends with it' },
    tells: untold,
  },
  registerPush: { factor: { never: 'it shows less than the session' }, tells: heard },
  unregisterPush: { factor: closing, tells: heard },
  readNotifications: { factor: looks, tells: untold },
  setNotificationPreferences: { factor: { never: 'what is told by mail stays told' }, tells: heard },

  // Keys
  apiKeyStatus: { factor: 'secret', tells: atSignIn },
  generateApiKey: { factor: 'always', tells: 'mail' },
  revealApiKey: { factor: 'always', tells: atSignIn },
  revokeApiKey: { factor: closing, tells: heard },
  createScopedKey: { factor: 'always', tells: 'mail' },
  updateScopedKey: { factor: 'always', tells: 'mail' },
  rotateScopedKey: { factor: 'always', tells: 'mail' },
  revokeScopedKey: { factor: closing, tells: heard },

  // Webhooks
  webhookSecret: { factor: 'secret', tells: 'mail' },
  webhookEndpointSecret: { factor: 'secret', tells: 'mail' },
  rotateWebhookSecret: { factor: 'always', tells: 'mail' },
  createWebhookEndpoint: { factor: 'always', tells: 'mail' },
  updateWebhookEndpoint: { factor: { when: 'the address changes' }, tells: 'mail' },
  deleteWebhookEndpoint: { factor: closing, tells: heard },
  enableWebhookEndpoint: {
    factor: { never: 'its address was asked for and told when it was set' },
    tells: heard,
  },
  disableWebhookEndpoint: { factor: closing, tells: heard },
  testWebhookEndpoint: { factor: { never: 'what it sends tells nothing' }, tells: heard },
  rotateWebhookEndpointSecret: { factor: 'always', tells: 'mail' },
  resendWebhookDelivery: { factor: 'always', tells: 'mail' },
  resendWebhookDeliveries: { factor: 'always', tells: 'mail' },
  webhookDoctor: { factor: { never: 'it answers only what the caller sent' }, tells: untold },

  // Incoming money
  createPayment: { factor: sales, tells: { nobody: 'its money is told when it comes' } },
  cancelPayment: { factor: closing, tells: heard },
  createPaymentLink: { factor: sales, tells: heard },
  updatePaymentLink: { factor: sales, tells: heard },
  createCounterCode: { factor: sales, tells: heard },
  updateCounterCode: { factor: sales, tells: heard },
  changeBrand: { factor: looks, tells: heard },
  uploadLogo: { factor: looks, tells: heard },
  removeLogo: { factor: looks, tells: heard },
  defendDispute: { factor: { never: 'it only defends money that is blocked' }, tells: heard },

  // Outgoing money
  setWithdrawalPin: { factor: 'always', tells: 'mail' },
  withdraw: { factor: { when: 'no completed withdrawal went to this key' }, tells: 'mail' },
  apiWithdraw: {
    factor: { never: 'only a key calls it: its scope, and destinations that were saved with a factor' },
    tells: 'mail',
  },
  setApiWithdrawals: { factor: { when: 'it is turned on' }, tells: 'mail' },
  saveDestination: { factor: 'always', tells: 'mail' },
  removeDestination: { factor: closing, tells: heard },
  refundPayment: { factor: { never: 'it goes back to whoever paid, and nowhere else' }, tells: 'panel' },

  // Staff
  adminUpdateUser: { factor: 'always', tells: 'mail' },
  adminFreezeUser: { factor: closing, tells: 'mail' },
  adminUnfreezeUser: { factor: 'always', tells: 'mail' },
  adminAcceptKyc: { factor: 'always', tells: 'mail' },
  adminRejectKyc: { factor: closing, tells: 'mail' },
  adminHoldWithdrawal: { factor: closing, tells: onlyStops },
  adminReleaseWithdrawal: { factor: 'always', tells: { nobody: 'what becomes of the withdrawal is told' } },
  adminResolveWithdrawal: { factor: 'always', tells: 'mail' },
  adminStopPayouts: { factor: closing, tells: onlyStops },
  adminResumePayouts: { factor: 'always', tells: staffsOwn },
  adminAssignSuspense: { factor: 'always', tells: 'panel' },
  adminReturnSuspense: { factor: 'always', tells: staffsOwn },
  adminResolveRefund: { factor: 'always', tells: 'panel' },
  adminCloseItem: { factor: 'always', tells: staffsOwn },
  adminRecordBankMovement: { factor: 'always', tells: staffsOwn },
};
