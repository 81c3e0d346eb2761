import { isDeepStrictEqual } from 'node:util';
import type { AdminUser, adminUpdateUser, BodyOf } from '@jangada/contract';
import { docType, documentProblem } from '@jangada/contract';
import { requireOperatorApproval } from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import { readActiveConnections } from '../connections/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseUneditableFields } from '../http/parse-call.ts';
import type { Caller } from '../http/route.ts';
import {
  changeUser,
  endSessions,
  merchantKindOf,
  refuseMember,
  requireFactor,
  searchText,
  uniqueViolationRefusal,
} from '../identity/index.ts';
import { voidVerification } from '../kyc/index.ts';
import { Refusal } from '../refusal.ts';
import {
  type AccountEdit,
  centsFromValidatedBrl,
  computeChanges,
  type EditableAccount,
} from './account-change.ts';
import { adjustBalance } from './adjust-balance.ts';
import { filterActiveAdministrators, promotionRootOf } from './administrators.ts';
import { type KindSetting, readUser } from './find-users.ts';
import { notifyUserChange } from './notify-user-change.ts';
import { type LockedAccount, lockAccountAndAdministrators } from './store.ts';

export type UserUpdate = BodyOf<typeof adminUpdateUser>;

/** The administrator who edits an account, and their step-up token, which proves a recent second factor. */
export type UserEditor = { readonly caller: Caller; readonly stepUp: string | undefined };

/**
 * Applies an administrator's edit to an account: the editable fields that differ, and the balance by an adjustment, all
 * in one transaction with the audit log entries. `version` is the version of the account that the administrator saw.
 * Any change requires a recent second factor, if the administrator has one. A user who becomes staff must sign in
 * again. Refused as the contract says for the endpoint, and with FORBIDDEN when the caller is no longer an
 * administrator.
 */
export async function updateUser(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { caller, stepUp }: UserEditor,
  userId: number,
  update: UserUpdate,
): Promise<AdminUser> {
  const actorId = caller.userId;
  await requireApprovalOfAdministrator(deps, { caller, stepUp }, userId, update);
  await inTransaction(deps, async (tx) => {
    const accounts = await lockAccountAndAdministrators(tx.db, userId);
    const account = accounts.find(({ id }) => id === userId);
    if (account === undefined) throw new Refusal('USER_NOT_FOUND');
    if (account.version !== update.version) throw new Refusal('STALE_VERSION');
    refuseForeignKind(deps, account, update);
    await refusePoolingWhileActive(tx.db, account, update);
    const changes = computeChanges(editableColumnsOf(account), admittedEdit(deps, update));
    refuseForbiddenChange(account, changes, actorId, accounts);
    if (account.id !== actorId) await refuseMember(tx, actorId, account.id);
    refuseInvalidIdentityChange(account, changes, update.reason);
    refuseApiWithoutApproval(account, update);
    await refuseReadOnlyChanges({ db: tx.db, config: deps.config }, userId, update);
    const balanceChange = balanceChangeOf(update);
    if (balanceChange !== undefined || Object.keys(changes).length > 0)
      await requireFactor({ db: tx.db, clock: deps.clock }, caller, stepUp);
    // The root is the administrator with whom a chain of promotions began. Administrators with the same root count as
    // one person.
    const actorRoot = promotionRootOf(accounts, actorId);
    await writeChanges(tx, account, changes, {
      actorId,
      actorRoot,
      reason: update.reason,
      keepDays: deps.config.kycKeepDays.rejected,
    });
    if (balanceChange === undefined) return;
    const userRoot = promotionRootOf(accounts, userId);
    const adjustment = { actorId, userId, actorRoot, userRoot, ...balanceChange, reason: update.reason };
    await adjustBalance(tx, adjustment, deps.config.limits.adjustmentsPerDayCents);
  });
  return readUser(deps, String(userId));
}

/** Making an administrator needs other administrators' approval where the operator has an approval policy. */
async function requireApprovalOfAdministrator(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  { caller, stepUp }: UserEditor,
  userId: number,
  { version, ...update }: UserUpdate,
): Promise<void> {
  if (update.role !== 'ADMIN') return;
  const user = await readUser(deps, String(userId));
  if (user.role === 'ADMIN') return;
  await requireFactor(deps, caller, stepUp);
  // Whatever else the same call changes is approved with it, so that nobody else becomes the administrator.
  const { role, ...changes } = update;
  const order = { user: userId, name: user.name, email: user.email, role, changes };
  await requireOperatorApproval(deps, caller.userId, 'administrator', order);
}

const identityColumns = ['username', 'document', 'doc_type'] as const;

/** Refuses a change of username or document without a reason, and a document that does not fit its type. */
function refuseInvalidIdentityChange(
  account: LockedAccount,
  changes: Partial<EditableAccount>,
  reason = '',
): void {
  if (!identityColumns.some((column) => column in changes)) return;
  const { document, doc_type } = { ...account, ...changes };
  const problem = documentProblem(docType.parse(doc_type), document);
  if (isDocumentChanged(changes) && problem !== undefined)
    throw new Refusal('INVALID_BODY', {
      message: problem,
      details: { fields: [{ field: 'document', message: problem }] },
    });
  if (reason.trim() === '')
    throw new Refusal('REASON_REQUIRED', {
      message: 'Informe o motivo da troca de usuário ou de documento.',
    });
}

function isDocumentChanged(changes: Partial<EditableAccount>): boolean {
  return 'document' in changes || 'doc_type' in changes;
}

/** Refuses to activate the API of an account that stays unapproved, because that would have no effect. */
function refuseApiWithoutApproval({ approved }: LockedAccount, update: UserUpdate): void {
  if (approved || update.approved === true || update.apiActive !== true) return;
  const message = 'A API só fica ativa em uma conta aprovada: aprove a conta, ou deixe a API inativa.';
  throw new Refusal('INVALID_BODY', { message, details: { fields: [{ field: 'apiActive', message }] } });
}

/** Refuses a kind of merchant that the operator does not admit. What applies already may be sent back. */
function refuseForeignKind(
  { config }: KindSetting,
  { merchant_kind: stored }: LockedAccount,
  { merchant_kind: kind }: UserUpdate,
): void {
  if (config.merchantAccounts === 'both' || kind === undefined || kind === merchantKindOf(config, stored))
    return;
  const message =
    config.merchantAccounts === 'pooled'
      ? 'Neste gateway todos recebem na conta do operador.'
      : 'Neste gateway todos recebem em conta própria.';
  throw new Refusal('INVALID_BODY', { message, details: { fields: [{ field: 'merchant_kind', message }] } });
}

/**
 * Refuses to have a merchant paid into the operator's account while an account of their own is active: the merchant would
 * see it as active, and could undo the operator's decision by activating it again.
 */
async function refusePoolingWhileActive(
  db: TxWithSecrets['db'],
  { id, merchant_kind: stored }: LockedAccount,
  { merchant_kind: kind }: UserUpdate,
): Promise<void> {
  if (kind !== 'pooled' || stored === 'pooled') return;
  if ((await readActiveConnections(db, id)).length === 0) return;
  const message =
    'Este lojista tem conta própria ativa. Suspenda-a antes, em Contas bancárias, com o motivo.';
  throw new Refusal('INVALID_BODY', { message, details: { fields: [{ field: 'merchant_kind', message }] } });
}

/** Where all merchants are of one kind, the stored kind of each is left as it is for the day on which both are admitted. */
function admittedEdit({ config }: KindSetting, { merchant_kind, ...edit }: UserUpdate): AccountEdit {
  return config.merchantAccounts === 'both' ? { ...edit, merchant_kind } : edit;
}

/**
 * Refuses a new value for a read-only field. The current value is accepted, so that a client may send back an account
 * as it read it. The balance is read-only unless `balance_before` comes with it.
 */
async function refuseReadOnlyChanges(
  deps: Pick<Deps, 'db'> & KindSetting,
  userId: number,
  update: UserUpdate,
): Promise<void> {
  const current = new Map<string, unknown>(Object.entries(await readUser(deps, String(userId))));
  const isReadOnly = (field: string) =>
    readOnlyFields.has(field) || (field === 'balance' && update.balance_before === undefined);
  const refused = Object.entries(update).filter(
    ([field, value]) =>
      isReadOnly(field) && value !== undefined && !isDeepStrictEqual(value, current.get(field)),
  );
  refuseUneditableFields(refused.map(([field]) => field));
}

const readOnlyFields = new Set([
  'id',
  'avatar',
  'apiKey',
  'created_at',
  'updated_at',
  'push_id',
  'push_ids',
  'kyc',
  'second_factor',
  'frozen_at',
  'frozen_because',
  'closing_requested_at',
  'closing_reason',
]);

/** Returns the balance that the administrator saw and the balance that they request, if the two differ. */
function balanceChangeOf({
  balance,
  balance_before,
}: UserUpdate): { fromCents: number; toCents: number } | undefined {
  if (balance === undefined || balance_before === undefined || balance === balance_before) return undefined;
  return { fromCents: centsFromValidatedBrl(balance_before), toCents: centsFromValidatedBrl(balance) };
}

function editableColumnsOf(account: LockedAccount): EditableAccount {
  const { id, version, admin_root, frozen_at, frozen_because, ...editable } = account;
  return editable;
}

/**
 * Refuses a change of one's own account, of the last administrator's role, of an administrator's e-mail, and any change
 * by somebody who is no longer an administrator. Whoever could change an administrator's e-mail could recover that
 * administrator's password with the new address, and then act as two people.
 */
function refuseForbiddenChange(
  account: LockedAccount,
  changes: Partial<EditableAccount>,
  actorId: number,
  accounts: readonly LockedAccount[],
): void {
  const administrators = filterActiveAdministrators(accounts);
  const isOwnAccount = account.id === actorId;
  if (isOwnAccount && changes.role === undefined && Object.keys(changes).length > 0)
    throw new Refusal('OWN_ACCOUNT', { message: ownAccountText });
  if (changes.role !== undefined) {
    if (isOwnAccount) throw new Refusal('OWN_ACCOUNT');
    const isLastAdministrator = administrators.length === 1 && administrators[0]?.id === account.id;
    if (isLastAdministrator) throw new Refusal('LAST_ADMIN');
  }
  if (!administrators.some(({ id }) => id === actorId)) throw new Refusal('FORBIDDEN');
  if (account.role === 'ADMIN' && changes.email !== undefined) throw new Refusal('ADMIN_EMAIL');
}

const ownAccountText =
  'Ninguém altera a própria conta aqui: nome e e-mail mudam em Perfil, e o resto muda outro administrador.';

/**
 * Writes the changes and their audit entry, applies their consequences and notifies the owner. `actorRoot` becomes the
 * root of an account that is promoted to administrator. `keepDays` is how long the pictures of an identity verification
 * are kept after a new document voids it.
 */
async function writeChanges(
  tx: TxWithSecrets,
  account: LockedAccount,
  changes: Partial<EditableAccount>,
  {
    actorId,
    actorRoot,
    reason,
    keepDays,
  }: { actorId: number; actorRoot: number; reason: string | undefined; keepDays: number },
): Promise<void> {
  const columns = Object.keys(changes);
  if (columns.length === 0) return;
  const search_text = searchText({ ...account, ...changes });
  try {
    const promotion = changes.role === 'ADMIN' && {
      admin_root: actorRoot,
      staff_since: tx.now,
      staff_by: actorId,
    };
    await changeUser(tx, account.id, { ...changes, search_text, ...promotion });
  } catch (error) {
    throw uniqueViolationRefusal(error) ?? error;
  }
  const before = Object.fromEntries(Object.entries(account).filter(([column]) => columns.includes(column)));
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'user updated',
    subject_id: account.id,
    reason: reason?.trim() || null,
    before,
    after: changes,
  });
  if (isDocumentChanged(changes)) await voidVerification(tx, account.id, { decidedBy: actorId, keepDays });
  if (changes.role !== undefined && account.role === 'USER') await endSessions(tx, account.id);
  await notifyUserChange(tx, account, changes);
}
