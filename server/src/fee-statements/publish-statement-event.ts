import { calendarDayOf } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { formatBrl } from '../format-brl.ts';
import { writeMail } from '../mail/index.ts';
import { type NotificationText, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitFeeStatementEvent } from '../webhooks/index.ts';
import { formatDay, formatMonth, type StoredFeeStatement } from './fee-statement.ts';

/** The screen of the statements. */
function pageUrl(publicUrl: string): string {
  return `${publicUrl}/fees`;
}

/** Tells the merchant that a month was closed: by webhook, by notification, on open screens and by mail. */
export async function publishClosed(tx: Tx, statement: StoredFeeStatement, publicUrl: string): Promise<void> {
  await emitFeeStatementEvent(tx, { ...statement, type: 'fee_statement.closed' });
  const text = {
    title: 'Fatura de tarifas fechada',
    body: `As tarifas de ${formatMonth(statement.month)} somam ${formatBrl(statement.amountCents)}. Pague até ${formatDay(statement.dueOn)}.`,
  };
  await notify(tx, statement, 'closed', text);
  await writeMail(tx, {
    userId: statement.merchantId,
    kind: 'fees',
    subject: `Fatura de tarifas de ${formatMonth(statement.month)}`,
    paragraphs: [
      `${text.body} Número da fatura: ${statement.number}.`,
      `Veja a fatura e pague por Pix em ${pageUrl(publicUrl)}.`,
    ],
  });
}

/** Tells the merchant that a statement is paid. `isByOperator`: an administrator marked it as paid, which is mailed. */
export async function publishPaid(
  tx: Tx,
  statement: StoredFeeStatement,
  { isByOperator }: { readonly isByOperator: boolean },
): Promise<void> {
  await emitFeeStatementEvent(tx, { ...statement, type: 'fee_statement.paid' });
  const name = `A fatura de tarifas de ${formatMonth(statement.month)}, de ${formatBrl(statement.amountCents)},`;
  const text = {
    title: 'Fatura de tarifas paga',
    body: isByOperator ? `${name} foi marcada como paga pelo operador.` : `${name} foi paga por Pix.`,
  };
  await notify(tx, statement, 'paid', text);
  if (isByOperator)
    await writeMail(tx, {
      userId: statement.merchantId,
      kind: 'fees',
      subject: text.title,
      paragraphs: [text.body],
    });
}

/** Tells the merchant that new charges will be refused from `stopsOn` on, or that they are refused. */
export async function publishWarning(
  tx: Tx,
  statement: StoredFeeStatement,
  { stopsOn, publicUrl }: { readonly stopsOn: string; readonly publicUrl: string },
): Promise<void> {
  const isStopped = calendarDayOf(tx.now) >= stopsOn;
  const due = `A fatura de tarifas de ${formatMonth(statement.month)}, de ${formatBrl(statement.amountCents)}, venceu em ${formatDay(statement.dueOn)}.`;
  const text: NotificationText = isStopped
    ? {
        title: 'Novas cobranças paradas',
        body: `${due} Novas cobranças são recusadas até ela ser paga.`,
      }
    : {
        title: 'Fatura de tarifas vencida',
        body: `${due} Sem o pagamento, novas cobranças são recusadas a partir de ${formatDay(stopsOn)}.`,
      };
  await notify(tx, statement, isStopped ? 'stopped' : 'overdue', text);
  await writeMail(tx, {
    userId: statement.merchantId,
    kind: 'fees',
    subject: text.title,
    paragraphs: [text.body, `Pague por Pix em ${pageUrl(publicUrl)}.`],
  });
}

async function notify(
  tx: Tx,
  { merchantId, id, state }: StoredFeeStatement,
  event: string,
  text: NotificationText,
): Promise<void> {
  const data = { type: `fee_statement.${event}`, id, status: state };
  const notifications = await saveNotifications(tx, [{ merchantId, ...text, data }]);
  await writeMessages(tx, [
    ...notifications,
    { merchantId, message: { type: 'fee_statement', fee_statement: { id, status: state } } },
  ]);
}
