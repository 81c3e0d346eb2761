/*
 * Accounts and the proof of who somebody is: passwords, sessions, second factors, and the limits on guessing them. The
 * changes that owners make to their accounts (e-mail, name, closing) are in `accounts/`.
 */
export {
  type ApprovalState,
  isMemberOf,
  nextApprovalState,
  normalizeEmail,
  normalizeForSearch,
  normalizeName,
  parseAccountId,
  readAccount,
  recheckAbility,
  refuseMember,
  refuseOwnAccount,
  searchText,
  sharePromotionRoot,
  userOf,
} from './account.ts';
export {
  createAccount,
  type NewAccount,
  registerAccount,
  uniqueViolationRefusal,
} from './create-account.ts';
export { holdsOwnAccount, refuseFormerHolder } from './holder.ts';
export { readMaker, readMakers } from './makers.ts';
export { dropFactors } from './manage-factors.ts';
export { type Merchant, merchantKindOf, readMerchant } from './merchant-terms.ts';
export type { PasskeyOptions } from './passkey.ts';
export {
  accountHashQueue,
  hashPassword,
  hashUnderKey,
  replacePassword,
  returningUserHashQueue,
  verifyPassword,
  verifyUnderKey,
} from './password.ts';
export { digestRequestOptions, proveDigest } from './prove-digest.ts';
export { type Owner, refuseWeakPassword } from './refuse-weak-password.ts';
export { identityRoutes } from './routes.ts';
export { notifyInDashboard } from './second-factor.ts';
export {
  authenticateSession,
  CLOSED_SESSIONS_CHANNEL,
  closeFrozenSockets,
  createDeviceCookie,
  deleteExpiredIdentityData,
  endSessions,
  endSessionsForAccount,
  endSupportSessions,
  findLiveSessions,
  issueLiveTicket,
  isTicketOrSessionToken,
  moveSession,
  moveSessionForSupport,
  parseDeviceCookie,
  redeemTicketOrSessionToken,
  reopenChannels,
  signOut,
} from './session.ts';
export { deleteSessionById } from './session-store.ts';
export { signIn } from './sign-in.ts';
export {
  confirmPassword,
  isFactorSatisfied,
  isPasswordFresh,
  requireFactor,
  requireFactorOrPassword,
  requirePassword,
} from './step-up.ts';
export {
  type AccountRow,
  changeUser,
  findByLogin,
  forgetDevicesOf,
  selectAccounts,
  updateAvatarPath,
  withBalances,
} from './store.ts';
export {
  countAndCheckIfFirst,
  enforceAttemptLimit,
  enforceAttemptLimits,
  hashForLimitKey,
} from './throttle.ts';
