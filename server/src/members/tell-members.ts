import type { Tx } from '../db/transaction.ts';
import { notifyInDashboard } from '../identity/index.ts';
import { writeMail } from '../mail/index.ts';
import { findOwnerIds, listMembers } from './store.ts';

/** News about the members of an account. A mail must not contain a name, which a stranger may have chosen. */
type MemberNews = {
  readonly title: string;
  readonly mail: string;
  readonly panel: string;
  /** The kind of the mail, by default `members`. Kinds are counted apart, so that none silences another. */
  readonly kind?: 'members' | 'handover' | 'support' | 'recovery';
  /** Who is told otherwise. */
  readonly exceptId?: number;
};

/** Tells the owners of an account, by mail and in the panel. */
export async function tellOwners(tx: Tx, merchantId: number, news: MemberNews): Promise<void> {
  await tellPeople(tx, await findOwnerIds(tx, merchantId), 'Em uma conta de que você é dono', news);
}

/** Tells every member of an account, whatever their role, by mail and in the panel. */
export async function tellMembers(tx: Tx, merchantId: number, news: MemberNews): Promise<void> {
  const userIds = (await listMembers(tx.db, merchantId)).map(({ user_id }) => user_id);
  await tellPeople(tx, userIds, 'Em uma conta de que você é membro', news);
}

async function tellPeople(
  tx: Tx,
  userIds: readonly number[],
  place: string,
  { kind = 'members', exceptId, ...news }: MemberNews,
): Promise<void> {
  for (const userId of userIds) {
    if (userId === exceptId) continue;
    await writeMail(tx, { userId, kind, subject: news.title, paragraphs: [`${place}: ${news.mail}`] });
    await tellInPanel(tx, userId, news);
  }
}

/** Tells the person meant, who need not be a member any more. */
export async function tellPerson(tx: Tx, userId: number, news: MemberNews): Promise<void> {
  await writeMail(tx, { userId, kind: 'person', subject: news.title, paragraphs: [news.mail] });
  await tellInPanel(tx, userId, news);
}

function tellInPanel(tx: Tx, userId: number, { title, panel }: MemberNews): Promise<void> {
  return notifyInDashboard(tx, userId, { type: 'security.members', title, body: panel });
}
