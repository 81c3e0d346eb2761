import type { adminOpenItems, ResponseOf } from '@jangada/contract';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import type { Fact } from '../../ui/index.ts';

/** A discrepancy between the bank and the gateway's books that the operator examines and closes with evidence. */
export type OpenItem = ResponseOf<typeof adminOpenItems>['items'][number];

/** `todo` says what the operator has to do about the item. */
type ItemText = { title: string; todo: string };

/** The text of each kind of open item. */
const itemTexts = new Map<string, ItemText>([
  [
    'withdrawal-in-doubt',
    {
      title: 'Saque sem desfecho',
      todo: 'Procure-o no banco pelo idEnvio e encerre-o, com prova, em Saques dos lojistas.',
    },
  ],
  [
    'withdrawal-differs',
    {
      title: 'Saque diferente no banco',
      todo: 'Pergunte ao banco. Enquanto este item estiver aberto, os envios não são retomados.',
    },
  ],
  [
    'payout-not-debited',
    {
      title: 'Saída que os livros não conhecem',
      todo: 'Pare os envios e descubra quem enviou. Se foi retirada de tarifas, registre o movimento e encerre.',
    },
  ],
  [
    'refund-in-doubt',
    {
      title: 'Estorno sem desfecho',
      todo: 'Procure-o no banco pelo id do estorno e encerre-o, com prova. Fecha sozinho se o banco responder.',
    },
  ],
  ['refund-differs', { title: 'Estorno diferente no banco', todo: 'Pergunte ao banco o que foi devolvido.' }],
  [
    'refund-not-debited',
    { title: 'Estorno sem débito', todo: 'Não foi enviado. Confira os livros com ledger:verify.' },
  ],
  [
    'dispute-unknown-pix',
    {
      title: 'Disputa de um Pix sem dono',
      todo: 'Nada está bloqueado e ninguém a defende: responda na página do banco antes do prazo.',
    },
  ],
  [
    'dispute-differs',
    {
      title: 'Disputa diferente no banco',
      todo: 'Pergunte ao banco. Se ele recusou a defesa, envie-a pela página dele.',
    },
  ],
  [
    'bank-balance-low',
    {
      title: 'Falta dinheiro na conta do banco',
      todo: 'Descubra o que saiu ou faça um aporte; depois retome os envios.',
    },
  ],
  [
    'received-differs',
    {
      title: 'Recebimento diferente no banco',
      todo: 'É comparado de novo toda noite. Se ficar, pergunte ao banco.',
    },
  ],
  [
    'returned-differs',
    {
      title: 'Devolução diferente no banco',
      todo: 'É comparada de novo toda noite. Se ficar, pergunte ao banco.',
    },
  ],
  [
    'sent-differs',
    { title: 'Envio diferente no banco', todo: 'Pergunte ao banco o que saiu, e por ordem de quem.' },
  ],
  [
    'balance-differs',
    {
      title: 'Saldo diferente dos livros',
      todo: 'Procure uma tarifa, um Pix seu ou um bloqueio, e registre o movimento.',
    },
  ],
]);

/** The kinds of open item, each with its title. */
export const itemTitles: readonly (readonly [kind: string, title: string])[] = [...itemTexts].map(
  ([kind, { title }]) => [kind, title],
);

/** An item's title and what to do about the item. For an unknown kind, the title is the kind itself. */
export function itemTextOf(kind: string): ItemText {
  return itemTexts.get(kind) ?? { title: kind, todo: 'Confira no registro do gateway.' };
}

/** The labels of the fields in an item's details. */
const fieldLabels = new Map([
  ['account', 'Conta bancária'],
  ['id_envio', 'idEnvio'],
  ['amount_cents', 'Valor'],
  ['fee_cents', 'Tarifa'],
  ['difference_cents', 'Diferença'],
  ['disputed_cents', 'Contestado'],
  ['balance_cents', 'Saldo no banco'],
  ['needed_cents', 'Dinheiro dos lojistas'],
  ['came_back_cents', 'Voltou'],
  ['below_since', 'Abaixo desde'],
  ['unknown_since', 'Sem notícia desde'],
  ['requested_at', 'Pedido em'],
  ['here', 'Aqui'],
  ['dispute', 'Disputa'],
  ['withdrawal', 'Saque'],
  ['refund', 'Estorno'],
  ['refund_id', 'Id do estorno'],
  ['reason', 'Motivo'],
  ['protocol', 'Protocolo'],
  ['txid', 'txid'],
  ['defence_refused', 'Defesa recusada'],
  ['end_to_end_id', 'EndToEndId'],
  ['bank_refund_id', 'Id do estorno'],
  ['rtr_id', 'rtrId'],
  ['status', 'Status'],
  ['sent', 'Enviado'],
  ['day', 'Dia'],
  ['differs', 'O que difere'],
  ['deadline', 'Prazo'],
  ['in_suspense', 'Está sem dono aqui'],
  ['at_bank', 'No banco'],
  ['booked', 'Nos livros'],
]);

/** The name of the bank account as the subject of an item. */
export const bankAccountLabel = 'conta do banco';

/**
 * The reference of an item, an id at the bank. An item about the bank account itself has the reference
 * `account`.
 */
export function formatItemReference({ reference }: OpenItem): string {
  return reference === 'account' ? bankAccountLabel : reference;
}

/** True when the item is about a refund, whose outcome the operator may enter. */
export function isRefundItem({ kind }: OpenItem): boolean {
  return kind.startsWith('refund-');
}

/** An item's details in readable form: amounts as money, timestamps as dates, nested objects flattened. */
export function detailFacts(detail: Readonly<Record<string, unknown>>, parentLabel = ''): Fact[] {
  return Object.entries(detail).flatMap(([key, value]) => {
    const name = fieldLabels.get(key) ?? key;
    const label = parentLabel === '' ? name : `${parentLabel}: ${name}`;
    if (value === null || value === undefined || value === '') return [];
    if (Array.isArray(value)) return [{ label, value: JSON.stringify(value) }];
    if (typeof value === 'object') return detailFacts({ ...value }, label);
    return [{ label, value: valueText(key, value) }];
  });
}

/** The values of the field `differs` in words. The field says in which way the bank and the books differ. */
const differences = new Map([
  ['missing', 'falta nos livros'],
  ['unlisted', 'o banco não lista'],
  ['amount', 'o valor'],
  ['unbooked', 'não foi lançado'],
  ['unknown', 'os livros não conhecem'],
  ['status', 'o status'],
  ['returned', 'o que voltou'],
]);

function valueText(key: string, value: unknown): string {
  if (typeof value === 'number' && key.endsWith('_cents')) return formatMoney(value);
  if (typeof value === 'boolean') return value ? 'sim' : 'não';
  const text = String(value);
  if (key === 'differs') return differences.get(text) ?? text;
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? formatDateTime(text) : text;
}
