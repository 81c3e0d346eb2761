import { randomUUID } from 'node:crypto';
import {
  type apiWithdraw as apiEndpoint,
  type BodyOf,
  centsFromBrl,
  type LiveMessage,
  type withdraw as panelEndpoint,
} from '@jangada/contract';
import { askForApproval } from '../approvals/index.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Call, IdempotencyHandle } from '../http/route.ts';
import { type Merchant, readMerchant, requireFactor } from '../identity/index.ts';
import { movements, post, readBalances, readObligations } from '../ledger/index.ts';
import { lockMemberDay, type MemberDay, refuseAboveLimit } from '../members/index.ts';
import { findPersonHold, longerHold, moneyHeldRefusal } from '../money-hold.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl, newIdEnvio } from '../payments/index.ts';
import { readPayoutsStop } from '../payouts-stop.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { checkCallbackUrl, emitWithdrawalEvent } from '../webhooks/index.ts';
import { findExceededCap } from './caps.ts';
import { lockControls, type WithdrawalControls } from './controls-store.ts';
import { hasWithdrawnToKey, isSavedDestination } from './destinations-store.ts';
import { activeHoldOf } from './hold-withdrawals.ts';
import { choosePayingAccount, type PayingAccounts, readPayingAccounts } from './paying-accounts.ts';
import { isPinLocked, pinLockedRefusal } from './pin.ts';
import { mailWithdrawal } from './publish-withdrawal-event.ts';
import {
  findOpenWithdrawal,
  findWithdrawal,
  insertWithdrawal,
  type NewWithdrawal,
  sumRequestedBy,
} from './store.ts';
import { type ValidatedWithdrawal, validateWithdrawal } from './validate-withdrawal.ts';
import { verifyPin } from './verify-pin.ts';
import { moneyOrderOf, publicStatusOf, type Withdrawal } from './withdrawal.ts';
import { checkSource } from './withdrawal-sources.ts';

type RequestDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>;

/**
 * Accepts a withdrawal from an authenticated caller. One transaction stores the order under our own ids, debits the
 * money and publishes the event; the order is sent afterwards. A retry under the same idempotency key gets the same
 * withdrawal. `payingAccounts` are those of a merchant who is paid into the operator's account, unless they are given;
 * `from` is the account that the merchant chose. Refuses with WITHDRAWALS_PAUSED, WITHDRAWALS_HELD, WITHDRAWAL_PENDING,
 * WITHDRAWAL_SOURCE_UNAVAILABLE, DISPUTE_SHORTFALL, INSUFFICIENT_BALANCE or a cap's code; a request by API also with
 * API_WITHDRAWALS_OFF, PIN_LOCKED or DESTINATION_NOT_SAVED, and one by a member with MEMBER_ROLE_MISSING or
 * MEMBER_DAY_LIMIT. Where the account's policy demands approval, the withdrawal is stored and its money held, but it
 * waits; APPROVERS_TOO_FEW if nobody could approve it.
 */
export async function requestWithdrawal(
  deps: RequestDeps,
  {
    payingAccounts = { houseSends: true, own: undefined, isSuspended: false },
    from,
    ...validatedWithdrawal
  }: ValidatedWithdrawal &
    Pick<NewWithdrawal, 'origin' | 'callbackUrl' | 'requestedBy'> & {
      readonly payingAccounts?: PayingAccounts;
      readonly from?: string | undefined;
    },
  idempotency?: IdempotencyHandle,
): Promise<Withdrawal> {
  const id = idempotency?.resumedId ?? randomUUID();
  if (idempotency?.resumedId === undefined) await idempotency?.remember(id);
  const request = {
    ...validatedWithdrawal,
    id,
    idEnvio: newIdEnvio(validatedWithdrawal.merchantId),
  };
  return inTransaction(deps, (tx) => storeWithdrawal(tx, deps.config, { payingAccounts, from }, request));
}

async function storeWithdrawal(
  tx: TxWithSecrets,
  config: RequestDeps['config'],
  { payingAccounts, from }: { readonly payingAccounts: PayingAccounts; readonly from: string | undefined },
  unassigned: Omit<NewWithdrawal, 'connectionId'>,
): Promise<Withdrawal> {
  const { merchantId: accountId, requestedBy: userId } = unassigned;
  const memberDay =
    userId == null ? undefined : await lockMemberDay(tx, { merchantId: accountId, userId }, 'withdraw');
  // This lock makes the requests of one merchant wait for each other, so that each check sees the earlier requests.
  const controls = await lockControls(tx, unassigned.merchantId);
  const existingWithdrawal = await findWithdrawal(tx.db, unassigned.merchantId, unassigned.id);
  if (existingWithdrawal !== undefined) return existingWithdrawal;
  if (memberDay !== undefined) await refuseAboveMemberLimit(tx, memberDay, unassigned);
  const connectionId =
    from === undefined
      ? await choosePayingAccount(tx, payingAccounts, unassigned)
      : await checkSource(tx, payingAccounts, { ...unassigned, from });
  const request = { ...unassigned, connectionId };
  await refuseByControls(tx, controls, request);
  refuseWhileOneIsOpen(await findOpenWithdrawal(tx.db, request.merchantId));
  if (request.connectionId === HOUSE_CONNECTION && (await readObligations(tx.db, request.merchantId)) > 0)
    throw new Refusal('DISPUTE_SHORTFALL');
  // A cap is the most that may be withdrawn in a day or a night.
  const cap = await findExceededCap(tx, config.limits, request, 'request');
  if (cap !== undefined)
    throw new Refusal(cap.code, { message: cap.message, ...(cap.details && { details: cap.details }) });

  const wait = await askForApproval(tx, config, moneyOrderOf({ ...request, madeBy: userId ?? null }));
  await publishRequest(tx, request);
  const { merchantId, id: reference, amountCents } = request;
  await post(tx, movements.withdrawalRequested({ merchantId, connectionId, reference, amountCents }));
  // A refund may have debited the account since the choice. Only the operator's account has a floor in the books.
  if (from !== undefined && (await readBalances(tx.db, merchantId, connectionId)).available < 0)
    throw new Refusal('INSUFFICIENT_BALANCE');
  return insertWithdrawal(tx, request, wait);
}

/**
 * Refuses while payouts are stopped or the merchant's controls (hold, PIN lock, API settings) forbid the withdrawal.
 */
async function refuseByControls(tx: Tx, controls: WithdrawalControls, request: NewWithdrawal): Promise<void> {
  if ((await readPayoutsStop(tx.db)) !== null) throw new Refusal('WITHDRAWALS_PAUSED');
  const ofPerson = await findPersonHold(tx.db, request.requestedBy, tx.now);
  const hold = longerHold(activeHoldOf(controls, tx.now), ofPerson);
  if (hold !== undefined) throw moneyHeldRefusal(hold);
  if (request.origin !== 'api') return;
  if (!controls.apiEnabled) throw new Refusal('API_WITHDRAWALS_OFF');
  if (controls.pinLockedUntil !== null && isPinLocked(controls, tx.now))
    throw pinLockedRefusal(controls.pinLockedUntil);
  if (!(await isSavedDestination(tx, request.merchantId, request.pixKey)))
    throw new Refusal('DESTINATION_NOT_SAVED');
}

async function refuseAboveMemberLimit(
  tx: Tx,
  { withdrawalLimitCents, from }: MemberDay,
  { merchantId, requestedBy, amountCents }: Omit<NewWithdrawal, 'connectionId'>,
): Promise<void> {
  if (withdrawalLimitCents === null || requestedBy == null) return;
  const usedCents = await sumRequestedBy(tx.db, { merchantId, requestedBy, from });
  refuseAboveLimit(withdrawalLimitCents, usedCents, amountCents);
}

async function publishRequest(tx: Tx, request: NewWithdrawal): Promise<void> {
  const { merchantId, id, amountCents, pixKey, origin } = request;
  await emitWithdrawalEvent(tx, {
    ...request,
    withdrawalId: id,
    status: publicStatusOf({ status: 'pending' }),
    createdAt: tx.now,
  });
  const originText = origin === 'api' ? 'pela API' : 'no painel';
  const body = `Um saque de ${formatBrl(amountCents)} para a chave ${pixKey} foi pedido ${originText}.`;
  await mailWithdrawal(tx, request, 'Saque pedido', body);
  const message: LiveMessage = { type: 'withdrawal', withdrawal: { id, status: 'pending' } };
  await writeMessages(tx, [{ merchantId, message }]);
}

/**
 * Requests a withdrawal from the dashboard. The request is validated first, so that an invalid one costs no PIN
 * attempt. A Pix key to which this merchant never completed a withdrawal also requires the second factor.
 */
export async function withdraw(
  deps: Deps,
  { caller, stepUp }: Pick<Call<typeof panelEndpoint>, 'caller' | 'stepUp'>,
  body: BodyOf<typeof panelEndpoint>,
  idempotency?: IdempotencyHandle,
): Promise<Withdrawal> {
  const { merchant, payingAccounts } = await readEligibleMerchant(deps, caller.accountId);
  const validatedWithdrawal = validateWithdrawal(deps.config, merchant, {
    amountCents: centsFromBrl(body.amount),
    keyType: body.pix_key_type,
    pixKey: body.pixKey,
  });
  if (!(await hasWithdrawnToKey(deps.db, validatedWithdrawal))) await requireFactor(deps, caller, stepUp);
  await verifyPin(deps, caller.accountId, body.withdrawal_pin);
  const source = { payingAccounts, from: body.from };
  const requestedBy = caller.userId;
  const order = {
    ...validatedWithdrawal,
    ...source,
    requestedBy,
    origin: 'panel',
    callbackUrl: null,
  } as const;
  return requestWithdrawal(deps, order, idempotency);
}

/** Requests a withdrawal by API key, to a destination that was saved with password and PIN. */
export async function withdrawByApi(
  deps: Deps,
  merchantId: number,
  body: BodyOf<typeof apiEndpoint>,
  idempotency?: IdempotencyHandle,
): Promise<Withdrawal> {
  const { merchant, payingAccounts } = await readEligibleMerchant(deps, merchantId);
  if (!merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
  const validatedWithdrawal = validateWithdrawal(deps.config, merchant, {
    amountCents: body.amount,
    keyType: body.keyType,
    pixKey: body.pixKey,
  });
  const callbackUrl = body.callbackUrl ?? null;
  if (callbackUrl !== null) checkCallbackUrl(deps.config, callbackUrl);
  const order = { ...validatedWithdrawal, payingAccounts, origin: 'api', callbackUrl } as const;
  return requestWithdrawal(deps, order, idempotency);
}

async function readEligibleMerchant(
  deps: Deps,
  merchantId: number,
): Promise<{ readonly merchant: Merchant; readonly payingAccounts: PayingAccounts }> {
  const merchant = await readMerchant(deps.db, merchantId);
  if (merchant?.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (merchant?.approved !== true) throw new Refusal('ACCOUNT_NOT_APPROVED');
  return { merchant, payingAccounts: await readPayingAccounts(deps, merchant) };
}

/** Refuses a second withdrawal while one is open, and says if that one waits for people, which may take days. */
function refuseWhileOneIsOpen(open: Withdrawal | undefined): void {
  if (open === undefined) return;
  if (open.errorCode !== 'APPROVAL_WAITING') throw new Refusal('WITHDRAWAL_PENDING');
  throw new Refusal('WITHDRAWAL_PENDING', {
    message: `Um saque de ${formatBrl(open.amountCents)} ainda espera a aprovação de outra pessoa, e só se pede um por vez. Quem o pediu pode desistir dele em Aprovações.`,
    details: { awaits_approval: open.id },
  });
}
