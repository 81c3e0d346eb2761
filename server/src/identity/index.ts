export { foldEmail, foldForSearch, normalizeName, searchText } from './account.ts';
export { accountId } from './account-id.ts';
export { type ApprovalState, nextApprovalState } from './approval-state.ts';
export { authenticateSession, findLiveSessions } from './authenticate-session.ts';
export { confirmPassword, isPasswordFresh, requirePassword } from './confirm-password.ts';
export { createAccount, type NewAccount, takenRefusal } from './create-account.ts';
export { deviceOf, newDevice } from './device.ts';
export { dropFactors } from './drop-factors.ts';
export { closeFrozenScreens, endSessions } from './end-sessions.ts';
export { isLiveToken, issueLiveTicket, redeemLiveTicket } from './live-ticket.ts';
export { type Merchant, readMerchant } from './merchant-terms.ts';
export { notifyInPanel } from './notify-factor-change.ts';
export {
  accountHashQueue,
  hashPassword,
  hashUnderKey,
  returning,
  verifyPassword,
  verifyUnderKey,
} from './password.ts';
export { pruneIdentity } from './prune-identity.ts';
export { readAccount } from './read-account.ts';
export { refuseFormerStaff } from './refuse-former-staff.ts';
export { refuseOwnAccount, sharePromotionRoot } from './refuse-own-account.ts';
export { registerAccount } from './register-account.ts';
export { replacePassword } from './replace-password.ts';
export { isFactorSatisfied, requireFactor, requireOwner } from './require-factor.ts';
export { identityRoutes } from './routes.ts';
export { signIn } from './sign-in.ts';
export { ENDED_SESSIONS_CHANNEL, signOut } from './sign-out.ts';
export { type AccountRow, findByLogin, forgetDevicesOf, selectAccounts } from './store.ts';
export { isFirstInWindow, opaqueKey, takeAttempt, takeAttempts } from './throttle.ts';
export { userOf } from './user.ts';
