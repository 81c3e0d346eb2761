import type { endpoints } from './all-endpoints.ts';

type AnyEndpoint = (typeof endpoints)[number];
type WritingCall = Exclude<AnyEndpoint, { method: 'GET' }>['name'];
/** The GET endpoints that show a secret, which are exactly those that require a step-up (a recent second factor). */
type SecretShowingCall = Extract<AnyEndpoint, { method: 'GET'; stepUp: true }>['name'];

/**
 * How a call that writes, or that shows a secret, is protected against somebody who took over an open session: what it
 * requires besides the session, and who is notified of the call.
 */
export type Guard = {
  /**
   * Whether the call requires a recent second factor, if the account has one:
   * - `always`
   * - `when`: if this condition holds
   * - `never`: for this reason
   * - `secret`: without the factor the call succeeds, but the secret in its response is null
   *
   * A call by API key requires no factor; the scope of the key limits it instead.
   */
  readonly factor: 'always' | 'secret' | { readonly when: string } | { readonly never: string };
  /**
   * How the account's owner is notified: by `mail`, and usually also in the panel (the dashboard); or only in the
   * `panel`. `nobody` gives the reason why the owner is not notified.
   */
  readonly notifies: 'mail' | 'panel' | { readonly nobody: string };
};

// Reasons that several calls share for never requiring the factor, or for notifying nobody. A test prints every reason
// in docs/identity.md.
const provesIdentity = { never: 'it is how somebody shows who they are' } as const;
const onlyCloses = { never: 'it only closes or stops something' } as const;
const bringsMoneyIn = { never: 'it brings money in, and to this account' } as const;
const changesLooks = { never: 'it changes how pages look, and opens nothing' } as const;
const opensNothing = { never: 'it moves no money, and opens no way for any' } as const;
const ownAction = { nobody: 'it is their own doing, and shows in the panel' } as const;
const notifiedAtSignIn = { nobody: 'whoever signs in is shown the key, and a new browser is told' } as const;
const inAuditLog = { nobody: 'no account is meant; it stands in the audit log' } as const;
const withoutEffect = { nobody: 'it opens nothing and closes nothing' } as const;
const stopIsRecorded = { nobody: 'it stops something; it stands in the audit log, or in the panel' } as const;

/**
 * Every call that writes or shows a secret, and its protection. The type demands an entry for each such call.
 * `server/src/guards.test.ts` makes the calls that require a factor, and prints this list in docs/identity.md.
 * `server/src/who-is-told.test.ts` lets each call succeed, and checks who is notified.
 */
export const guards: Readonly<Record<WritingCall | SecretShowingCall, Guard>> = {
  // Sessions and sign-in
  login: { factor: { never: 'it asks for the factor by a challenge of its own' }, notifies: 'mail' },
  secondFactorLogin: { factor: provesIdentity, notifies: 'mail' },
  passkeyLoginOptions: { factor: provesIdentity, notifies: withoutEffect },
  passkeyLogin: { factor: provesIdentity, notifies: 'mail' },
  register: { factor: { never: 'there is no account yet' }, notifies: withoutEffect },
  logout: { factor: onlyCloses, notifies: ownAction },
  confirmPassword: { factor: provesIdentity, notifies: withoutEffect },
  stepUpOptions: { factor: provesIdentity, notifies: withoutEffect },
  stepUp: {
    factor: provesIdentity,
    notifies: { nobody: 'only a recovery code that is used up is told, by mail' },
  },
  endSession: { factor: onlyCloses, notifies: ownAction },
  endOtherSessions: { factor: onlyCloses, notifies: ownAction },
  recoverPassword: { factor: provesIdentity, notifies: 'mail' },
  checkResetLink: { factor: provesIdentity, notifies: withoutEffect },
  resetPassword: { factor: { never: 'the link that was mailed shows who it is' }, notifies: 'mail' },

  // The account
  beginTotp: { factor: 'always', notifies: { nobody: 'it counts once it is confirmed, which is told' } },
  confirmTotp: { factor: { when: 'another factor was added since it was begun' }, notifies: 'mail' },
  removeTotp: { factor: 'always', notifies: 'mail' },
  renewRecoveryCodes: { factor: 'always', notifies: 'mail' },
  beginPasskey: { factor: 'always', notifies: { nobody: 'it counts once it is added, which is told' } },
  addPasskey: {
    factor: { never: 'it answers a challenge that beginPasskey gave for the factor' },
    notifies: 'mail',
  },
  removePasskey: { factor: 'always', notifies: 'mail' },
  changePassword: { factor: 'always', notifies: 'mail' },
  changeEmail: { factor: 'always', notifies: 'mail' },
  resendEmailLink: { factor: { never: 'it repeats what changeEmail asked for' }, notifies: 'mail' },
  cancelEmailChange: { factor: onlyCloses, notifies: ownAction },
  checkEmailLink: { factor: provesIdentity, notifies: withoutEffect },
  confirmEmail: {
    factor: { never: 'changeEmail asked, and the link shows that the address is read' },
    notifies: 'mail',
  },
  changeName: { factor: { never: 'it takes the typed password, and opens nothing' }, notifies: ownAction },
  requestClosing: { factor: { never: 'it takes the typed password, and closes' }, notifies: 'mail' },
  cancelClosingRequest: { factor: { never: 'it restores what was' }, notifies: 'mail' },
  leaveAccount: { factor: onlyCloses, notifies: 'mail' },
  // Batches
  createChargeBatch: { factor: bringsMoneyIn, notifies: ownAction },
  cancelChargeBatch: { factor: onlyCloses, notifies: ownAction },
  // Pix that are not as expected
  setPayerRules: { factor: { never: 'a Pix goes only back to who paid it' }, notifies: ownAction },
  acceptHeldPix: { factor: bringsMoneyIn, notifies: 'panel' },
  giveBackHeldPix: {
    factor: { never: 'a Pix goes only back to who paid it, and never was in the balance' },
    notifies: 'panel',
  },
  // Approvals
  approvalOptions: { factor: provesIdentity, notifies: withoutEffect },
  approve: {
    factor: { never: 'it takes a factor of its own, given for this request alone' },
    notifies: 'mail',
  },
  retractApproval: { factor: onlyCloses, notifies: stopIsRecorded },
  rejectApproval: { factor: onlyCloses, notifies: 'mail' },
  cancelApproval: { factor: onlyCloses, notifies: stopIsRecorded },
  setApprovalPolicy: { factor: 'always', notifies: 'mail' },
  askToApprove: {
    factor: 'always',
    notifies: { nobody: 'whoever approves is told by the request that it makes' },
  },
  inviteMember: { factor: 'always', notifies: 'mail' },
  withdrawInvitation: { factor: onlyCloses, notifies: ownAction },
  changeMember: { factor: 'always', notifies: 'mail' },
  removeMember: { factor: 'always', notifies: 'mail' },
  offerAccount: { factor: 'always', notifies: 'mail' },
  confirmHandover: { factor: 'always', notifies: 'mail' },
  endHandover: { factor: onlyCloses, notifies: 'mail' },
  allowSupport: { factor: 'always', notifies: 'mail' },
  revokeSupport: { factor: onlyCloses, notifies: ownAction },
  adminLookIn: { factor: 'always', notifies: 'mail' },
  adminConfirmIdentity: { factor: 'always', notifies: inAuditLog },
  checkInvitation: { factor: provesIdentity, notifies: withoutEffect },
  acceptInvitation: {
    factor: { never: 'the link that was mailed, and the session, show who it is' },
    notifies: 'mail',
  },
  enterAccount: {
    factor: { never: 'it opens only what the person is a member of' },
    notifies: withoutEffect,
  },
  uploadAvatar: { factor: changesLooks, notifies: ownAction },
  removeAvatar: { factor: changesLooks, notifies: ownAction },
  verifyCpf: { factor: { never: 'an administrator decides on it, with a factor' }, notifies: ownAction },
  notificationTicket: {
    factor: { never: 'it opens what the session opens, and ends with it' },
    notifies: withoutEffect,
  },
  registerPush: { factor: { never: 'it shows less than the session' }, notifies: ownAction },
  unregisterPush: { factor: onlyCloses, notifies: ownAction },
  readNotifications: { factor: changesLooks, notifies: withoutEffect },
  setNotificationPreferences: { factor: { never: 'what is told by mail stays told' }, notifies: ownAction },

  // Keys
  apiKeyStatus: { factor: 'secret', notifies: notifiedAtSignIn },
  generateApiKey: { factor: 'always', notifies: 'mail' },
  revealApiKey: { factor: 'always', notifies: notifiedAtSignIn },
  revokeApiKey: { factor: onlyCloses, notifies: ownAction },
  createScopedKey: { factor: 'always', notifies: 'mail' },
  updateScopedKey: { factor: 'always', notifies: 'mail' },
  rotateScopedKey: { factor: 'always', notifies: 'mail' },
  revokeScopedKey: { factor: onlyCloses, notifies: ownAction },

  // Webhooks
  webhookSecret: { factor: 'secret', notifies: 'mail' },
  webhookEndpointSecret: { factor: 'secret', notifies: 'mail' },
  rotateWebhookSecret: { factor: 'always', notifies: 'mail' },
  createWebhookEndpoint: { factor: 'always', notifies: 'mail' },
  updateWebhookEndpoint: { factor: { when: 'the address changes' }, notifies: 'mail' },
  deleteWebhookEndpoint: { factor: onlyCloses, notifies: ownAction },
  enableWebhookEndpoint: {
    factor: { never: 'its address was asked for and told when it was set' },
    notifies: ownAction,
  },
  disableWebhookEndpoint: { factor: onlyCloses, notifies: ownAction },
  testWebhookEndpoint: { factor: { never: 'what it sends tells nothing' }, notifies: ownAction },
  rotateWebhookEndpointSecret: { factor: 'always', notifies: 'mail' },
  resendWebhookDelivery: { factor: 'always', notifies: 'mail' },
  resendWebhookDeliveries: { factor: 'always', notifies: 'mail' },
  webhookDoctor: { factor: { never: 'it answers only what the caller sent' }, notifies: withoutEffect },

  // Incoming money
  createPayment: { factor: bringsMoneyIn, notifies: { nobody: 'its money is told when it comes' } },
  cancelPayment: { factor: onlyCloses, notifies: ownAction },
  createPaymentLink: { factor: bringsMoneyIn, notifies: ownAction },
  updatePaymentLink: { factor: bringsMoneyIn, notifies: ownAction },
  createSubscription: { factor: bringsMoneyIn, notifies: ownAction },
  cancelSubscription: { factor: onlyCloses, notifies: ownAction },
  setCycleAmount: { factor: bringsMoneyIn, notifies: ownAction },
  cancelCycle: { factor: onlyCloses, notifies: ownAction },
  chargeCycle: { factor: bringsMoneyIn, notifies: ownAction },
  createCounterCode: { factor: bringsMoneyIn, notifies: ownAction },
  updateCounterCode: { factor: bringsMoneyIn, notifies: ownAction },
  createCustomer: { factor: opensNothing, notifies: ownAction },
  updateCustomer: { factor: opensNothing, notifies: ownAction },
  renewCustomerPage: { factor: onlyCloses, notifies: ownAction },
  setReminders: { factor: opensNothing, notifies: ownAction },
  changeBrand: { factor: changesLooks, notifies: ownAction },
  uploadLogo: { factor: changesLooks, notifies: ownAction },
  removeLogo: { factor: changesLooks, notifies: ownAction },
  defendDispute: { factor: { never: 'it only defends money that is blocked' }, notifies: ownAction },

  // Outgoing money
  setWithdrawalPin: { factor: 'always', notifies: 'mail' },
  withdraw: { factor: { when: 'no completed withdrawal went to this key' }, notifies: 'mail' },
  apiWithdraw: {
    factor: { never: 'only a key calls it: its scope, and destinations that were saved with a factor' },
    notifies: 'mail',
  },
  setApiWithdrawals: { factor: { when: 'it is turned on' }, notifies: 'mail' },
  saveDestination: { factor: 'always', notifies: 'mail' },
  removeDestination: { factor: onlyCloses, notifies: ownAction },
  refundPayment: { factor: { never: 'it goes back to whoever paid, and nowhere else' }, notifies: 'panel' },

  payFeeStatement: { factor: { never: 'it only shows how to pay the operator' }, notifies: ownAction },

  // Staff
  adminUpdateUser: { factor: 'always', notifies: 'mail' },
  adminFreezeUser: { factor: onlyCloses, notifies: 'mail' },
  adminUnfreezeUser: { factor: 'always', notifies: 'mail' },
  adminRecoverAccount: { factor: 'always', notifies: 'mail' },
  adminAcceptKyc: { factor: 'always', notifies: 'mail' },
  adminRejectKyc: { factor: onlyCloses, notifies: 'mail' },
  // Accounts at banks
  createConnection: {
    factor: { never: 'nothing is charged there before it is activated' },
    notifies: ownAction,
  },
  checkConnection: { factor: { never: 'it only asks the bank' }, notifies: withoutEffect },
  activateConnection: { factor: 'always', notifies: 'mail' },
  replaceCredentials: { factor: 'always', notifies: 'mail' },
  setDebitAccount: { factor: 'always', notifies: 'mail' },
  discardCredentials: { factor: onlyCloses, notifies: ownAction },
  orderConnections: { factor: 'always', notifies: 'mail' },
  suspendConnection: { factor: onlyCloses, notifies: 'mail' },
  retireConnection: { factor: 'always', notifies: 'mail' },
  adminSuspendConnection: { factor: onlyCloses, notifies: 'mail' },
  adminResumeConnection: { factor: 'always', notifies: 'mail' },
  adminSetAddresses: { factor: 'always', notifies: 'mail' },

  adminHoldWithdrawal: { factor: onlyCloses, notifies: stopIsRecorded },
  adminReleaseWithdrawal: {
    factor: 'always',
    notifies: { nobody: 'what becomes of the withdrawal is told' },
  },
  adminResolveWithdrawal: { factor: 'always', notifies: 'mail' },
  adminStopPayouts: { factor: onlyCloses, notifies: stopIsRecorded },
  adminResumePayouts: { factor: 'always', notifies: inAuditLog },
  adminAssignSuspense: { factor: 'always', notifies: 'panel' },
  adminReturnSuspense: { factor: 'always', notifies: inAuditLog },
  adminResolveRefund: { factor: 'always', notifies: 'panel' },
  adminCloseItem: { factor: 'always', notifies: inAuditLog },
  adminMarkFeeStatementPaid: { factor: 'always', notifies: 'mail' },
  adminRecordBankMovement: { factor: 'always', notifies: inAuditLog },
};
