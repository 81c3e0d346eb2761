import { INSTITUTION } from '../account.ts';
import type { Bank } from '../bank.ts';
import type { Pix, SandboxDispute, SandboxRefund } from '../records.ts';
import { refundableCents } from '../request-refund.ts';
import { type Html, html } from './html.ts';
import { amountFacts, CHECK_ICON, fact, formatDateTime, formatMoney, payee, type View } from './parts.ts';

const REFUND_LABELS: Readonly<Record<SandboxRefund['status'], string>> = {
  EM_PROCESSAMENTO: 'Voltando para você',
  DEVOLVIDO: 'Devolvido',
  NAO_REALIZADO: 'Devolução não feita',
};

const DISPUTE_LABELS: Readonly<Record<SandboxDispute['status'], string>> = {
  ABERTA: 'Aberta, esperando a loja',
  EM_DEFESA: 'A loja se defendeu',
  ACEITA: 'Aceita',
  REJEITADA: 'Negada',
  CANCELADA_EFI: 'Cancelada',
};

/** The payer's receipt, with the refunds and the latest dispute of the payment. */
export function receiptView(bank: Bank, pix: Pix): View {
  const { books } = bank;
  const dispute = latestDispute(bank, pix);
  const canContest = refundableCents(bank, pix) > 0 && !books.openDisputes.has(pix.endToEndId);
  const content = html`<div class="flow">
<div class="done">${CHECK_ICON}<h1>Pagamento feito</h1><p class="amount">${formatMoney(pix.amountCents)}</p></div>
${payee(bank, payerRequestOf(bank, pix))}
<dl class="facts">
${fact('Instituição', INSTITUTION)}
${fact('Data', formatDateTime(pix.at))}
${pix.parts !== undefined && amountFacts(pix.parts)}
${pix.txid !== undefined && fact('Identificador', pix.txid, 'mono')}
${fact('Transação', pix.endToEndId, 'mono')}
${(books.refundsByPix.get(pix.endToEndId) ?? []).map(refundFact)}
</dl>
${dispute !== undefined && disputeSection(dispute)}
<div class="actions">
  <a class="button primary" href="/">Pagar outro</a>
  ${canContest && html`<a class="button" href="/contestar/${pix.endToEndId}">Contestar</a>`}
  <a class="button quiet" href="/pagamentos">Ver meus pagamentos</a>
</div>
</div>`;
  return { title: 'Pagamento feito', content };
}

/** The merchant's text for the payer, of the charge that a payment names. */
export function payerRequestOf({ books }: Bank, { txid = '' }: Pix): string | undefined {
  return (books.charges.get(txid) ?? books.cobvs.get(txid))?.terms.payerRequest;
}

/** The latest dispute of a payment. */
export function latestDispute(bank: Bank, { endToEndId }: Pix): SandboxDispute | undefined {
  return [...bank.books.disputes.values()].findLast((dispute) => dispute.endToEndId === endToEndId);
}

function refundFact({ status, amountCents, settledAt }: SandboxRefund): Html {
  const when = settledAt === undefined ? '' : ` em ${formatDateTime(settledAt)}`;
  return fact(REFUND_LABELS[status], `${formatMoney(amountCents)}${when}`);
}

function disputeSection(dispute: SandboxDispute): Html {
  const { id, amountCents, protocol, deadlineAt, status, defence, closedAt } = dispute;
  return html`<section class="contest" data-dispute="${id}">
<h2>Contestação</h2>
<dl class="facts">
${fact('Situação', DISPUTE_LABELS[status])}
${fact('Valor', formatMoney(amountCents))}
${fact('Protocolo', protocol)}
${status === 'ABERTA' && fact('A loja responde até', formatDateTime(deadlineAt))}
${closedAt !== undefined && fact('Terminou em', formatDateTime(closedAt))}
</dl>
${defence !== undefined && html`<blockquote><p>${defence.text}</p><footer>${formatDefenceSource(defence)}</footer></blockquote>`}
${closedAt === undefined && decisionButtons()}
</section>`;
}

function formatDefenceSource({ files }: NonNullable<SandboxDispute['defence']>): string {
  return files.length === 0 ? 'A loja' : `A loja, com ${files.map(({ name }) => name).join(', ')}`;
}

/** The buttons that decide the dispute: in the sandbox the person at the page plays the bank. */
function decisionButtons(): Html {
  return html`<p class="muted">Na vida real o banco analisa. Aqui você decide como ele decide.</p>
<p class="notice" role="alert" data-resolve-error></p>
<div class="row">
  <button class="button" type="button" data-resolve="accepted">Aceitar</button>
  <button class="button" type="button" data-resolve="rejected">Negar</button>
  <button class="button" type="button" data-resolve="cancelled">Cancelar</button>
</div>`;
}
