import type { Tx } from '../db/transaction.ts';
import { writeMail } from '../mail/index.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import type { PolicyState } from './count-approvals.ts';
import { describeRequest, mailSentence } from './describe-order.ts';
import { knownOf, lookUp, namesOnly } from './look-up-names.ts';
import type { RequestRow } from './store.ts';

/** Tells everybody who may approve a request that it waits for them: in the panel, on their devices, by mail. */
export async function tellApprovers(tx: Tx, state: PolicyState, request: RequestRow): Promise<void> {
  const { approvers } = state;
  const people = [...approvers.keys()].filter((userId) => userId !== request.made_by);
  const known = await lookUp(tx.db, request.merchant_id, [request]);
  const { summary } = describeRequest(request, knownOf(known, state, request));
  for (const userId of people)
    await tell(tx, userId, request, {
      type: 'approval.requested',
      title: 'Um pedido espera a sua aprovação',
      panel: `${summary}.`,
      mail: `Em uma conta em que você aprova, um pedido espera a sua aprovação: ${mailSentence(request)}`,
    });
}

/** Tells whoever asked how their request ended. An order that an API key asked for is told by its own event. */
export async function tellMaker(tx: Tx, request: RequestRow, outcome: keyof typeof outcomes): Promise<void> {
  if (request.made_by === null) return;
  const { title, sentence } = outcomes[outcome];
  const names = namesOnly(await lookUp(tx.db, request.merchant_id, [request]));
  await tell(tx, request.made_by, request, {
    type: `approval.${outcome}`,
    title,
    panel: `${describeRequest(request, names).summary}: ${sentence}`,
    mail: `${mailSentence(request)} ${sentence}`,
  });
}

const outcomes = {
  approved: { title: 'Pedido aprovado', sentence: 'o pedido foi aprovado.' },
  'carry-out': { title: 'Pedido aprovado', sentence: 'o pedido foi aprovado: conclua-o antes do prazo.' },
  rejected: { title: 'Pedido recusado', sentence: 'o pedido foi recusado.' },
  expired: { title: 'Pedido vencido', sentence: 'o prazo terminou sem as aprovações.' },
} as const;

async function tell(
  tx: Tx,
  userId: number,
  { id, merchant_id }: RequestRow,
  news: { readonly type: string; readonly title: string; readonly panel: string; readonly mail: string },
): Promise<void> {
  await writeMail(tx, { userId, kind: 'approval', subject: news.title, paragraphs: [news.mail] });
  const data = { type: news.type, id, account_id: String(merchant_id) };
  const notification = { merchantId: userId, title: news.title, body: news.panel, data };
  await writeMessages(tx, await saveNotifications(tx, [notification]));
}
