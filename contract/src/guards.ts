import type { endpoints } from './all-endpoints.ts';

type AnyEndpoint = (typeof endpoints)[number];
type WritingCall = Exclude<AnyEndpoint, { method: 'GET' }>['name'];
/** GET endpoints that show a secret: those that require a step-up, that is, the second factor given moments ago. */
type SecretShowingCall = Extract<AnyEndpoint, { method: 'GET'; stepUp: true }>['name'];

/**
 * The protection of a call that writes or shows a secret: what it requires of an open session, and who is notified.
 */
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

// Reasons why a call never requires the factor, or notifies nobody.
const provesIdentity = { never: 'it is how somebody shows who they are' } as const;
const onlyCloses = { never: 'it only closes or stops something' } as const;
const bringsMoneyIn = { never: 'it brings money in, and to this account' } as const;
const changesLooks = { never: 'it changes how pages look, and opens nothing' } as const;
const ownAction = { nobody: 'it is their own doing, and shows in the panel' } as const;
const notifiedAtSignIn = { nobody: 'whoever signs in is shown the key, and a new browser is told' } as const;
const inAuditLog = { nobody: 'no account is meant; it stands in the audit log' } as const;
const withoutEffect = { nobody: 'it opens nothing and closes nothing' } as const;
const stopIsRecorded = { nobody: 'it stops something; it stands in the audit log, or in the panel' } as const;

/**
 * Every call that writes or shows a secret, and its protection. The type requires an entry for each;
 * `server/src/guards.test.ts` calls those that require a factor, and prints the list in docs/identity.md;
 * `server/src/who-is-told.test.ts` lets each succeed and checks who is notified.
 */
/* @__PURE__ */
export const guards: Readonly<Record<WritingCall | SecretShowingCall, Guard>> = {
  // Sessions and sign-in
  login: { factor: { never: 'it asks for the factor by a challenge of its own' }, tells: 'mail' },
  secondFactorLogin: { factor: provesIdentity, tells: 'mail' },
  passkeyLoginOptions: { factor: provesIdentity, tells: withoutEffect },
  passkeyLogin: { factor: provesIdentity, tells: 'mail' },
  register: { factor: { never: 'there is no account yet' }, tells: withoutEffect },
  logout: { factor: onlyCloses, tells: ownAction },
  confirmPassword: { factor: provesIdentity, tells: withoutEffect },
  stepUpOptions: { factor: provesIdentity, tells: withoutEffect },
  stepUp: {
    factor: provesIdentity,
    tells: { nobody: 'only a recovery code that is used up is told, by mail' },
  },
  endSession: { factor: onlyCloses, tells: ownAction },
  endOtherSessions: { factor: onlyCloses, tells: ownAction },
  recoverPassword: { factor: provesIdentity, tells: 'mail' },
  checkResetLink: { factor: provesIdentity, tells: withoutEffect },
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
  cancelEmailChange: { factor: onlyCloses, tells: ownAction },
  checkEmailLink: { factor: provesIdentity, tells: withoutEffect },
  confirmEmail: {
    factor: { never: 'changeEmail asked, and the link shows that the address is read' },
    tells: 'mail',
  },
  changeName: { factor: { never: 'it takes the typed password, and opens nothing' }, tells: ownAction },
  requestClosing: { factor: { never: 'it takes the typed password, and closes' }, tells: 'mail' },
  withdrawClosing: { factor: { never: 'it restores what was' }, tells: 'mail' },
  uploadAvatar: { factor: changesLooks, tells: ownAction },
  removeAvatar: { factor: changesLooks, tells: ownAction },
  verifyCpf: { factor: { never: 'an administrator decides on it, with a factor' }, tells: ownAction },
  notificationTicket: {
    factor: { never: 'it opens what the session opens, and ends with it' },
    tells: withoutEffect,
  },
  registerPush: { factor: { never: 'it shows less than the session' }, tells: ownAction },
  unregisterPush: { factor: onlyCloses, tells: ownAction },
  readNotifications: { factor: changesLooks, tells: withoutEffect },
  setNotificationPreferences: { factor: { never: 'what is told by mail stays told' }, tells: ownAction },

  // Keys
  apiKeyStatus: { factor: 'secret', tells: notifiedAtSignIn },
  generateApiKey: { factor: 'always', tells: 'mail' },
  revealApiKey: { factor: 'always', tells: notifiedAtSignIn },
  revokeApiKey: { factor: onlyCloses, tells: ownAction },
  createScopedKey: { factor: 'always', tells: 'mail' },
  updateScopedKey: { factor: 'always', tells: 'mail' },
  rotateScopedKey: { factor: 'always', tells: 'mail' },
  revokeScopedKey: { factor: onlyCloses, tells: ownAction },

  // Webhooks
  webhookSecret: { factor: 'secret', tells: 'mail' },
  webhookEndpointSecret: { factor: 'secret', tells: 'mail' },
  rotateWebhookSecret: { factor: 'always', tells: 'mail' },
  createWebhookEndpoint: { factor: 'always', tells: 'mail' },
  updateWebhookEndpoint: { factor: { when: 'the address changes' }, tells: 'mail' },
  deleteWebhookEndpoint: { factor: onlyCloses, tells: ownAction },
  enableWebhookEndpoint: {
    factor: { never: 'its address was asked for and told when it was set' },
    tells: ownAction,
  },
  disableWebhookEndpoint: { factor: onlyCloses, tells: ownAction },
  testWebhookEndpoint: { factor: { never: 'what it sends tells nothing' }, tells: ownAction },
  rotateWebhookEndpointSecret: { factor: 'always', tells: 'mail' },
  resendWebhookDelivery: { factor: 'always', tells: 'mail' },
  resendWebhookDeliveries: { factor: 'always', tells: 'mail' },
  webhookDoctor: { factor: { never: 'it answers only what the caller sent' }, tells: withoutEffect },

  // Incoming money
  createPayment: { factor: bringsMoneyIn, tells: { nobody: 'its money is told when it comes' } },
  cancelPayment: { factor: onlyCloses, tells: ownAction },
  createPaymentLink: { factor: bringsMoneyIn, tells: ownAction },
  updatePaymentLink: { factor: bringsMoneyIn, tells: ownAction },
  createCounterCode: { factor: bringsMoneyIn, tells: ownAction },
  updateCounterCode: { factor: bringsMoneyIn, tells: ownAction },
  changeBrand: { factor: changesLooks, tells: ownAction },
  uploadLogo: { factor: changesLooks, tells: ownAction },
  removeLogo: { factor: changesLooks, tells: ownAction },
  defendDispute: { factor: { never: 'it only defends money that is blocked' }, tells: ownAction },

  // Outgoing money
  setWithdrawalPin: { factor: 'always', tells: 'mail' },
  withdraw: { factor: { when: 'no completed withdrawal went to this key' }, tells: 'mail' },
  apiWithdraw: {
    factor: { never: 'only a key calls it: its scope, and destinations that were saved with a factor' },
    tells: 'mail',
  },
  setApiWithdrawals: { factor: { when: 'it is turned on' }, tells: 'mail' },
  saveDestination: { factor: 'always', tells: 'mail' },
  removeDestination: { factor: onlyCloses, tells: ownAction },
  refundPayment: { factor: { never: 'it goes back to whoever paid, and nowhere else' }, tells: 'panel' },

  // Staff
  adminUpdateUser: { factor: 'always', tells: 'mail' },
  adminFreezeUser: { factor: onlyCloses, tells: 'mail' },
  adminUnfreezeUser: { factor: 'always', tells: 'mail' },
  adminAcceptKyc: { factor: 'always', tells: 'mail' },
  adminRejectKyc: { factor: onlyCloses, tells: 'mail' },
  adminHoldWithdrawal: { factor: onlyCloses, tells: stopIsRecorded },
  adminReleaseWithdrawal: { factor: 'always', tells: { nobody: 'what becomes of the withdrawal is told' } },
  adminResolveWithdrawal: { factor: 'always', tells: 'mail' },
  adminStopPayouts: { factor: onlyCloses, tells: stopIsRecorded },
  adminResumePayouts: { factor: 'always', tells: inAuditLog },
  adminAssignSuspense: { factor: 'always', tells: 'panel' },
  adminReturnSuspense: { factor: 'always', tells: inAuditLog },
  adminResolveRefund: { factor: 'always', tells: 'panel' },
  adminCloseItem: { factor: 'always', tells: inAuditLog },
  adminRecordBankMovement: { factor: 'always', tells: inAuditLog },
};
