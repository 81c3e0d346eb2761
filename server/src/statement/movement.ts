import type { StatementAccount, StatementKind } from '@jangada/contract';

/** The kind of object that a transfer's reference identifies: the reference is, or starts with, the object's id. */
export type LeadsTo = 'pix' | 'charge' | 'withdrawal' | 'refund' | 'return' | 'dispute';

/** One kind of transfer in the ledger, and its kind and text on the statement of a balance. */
export type StatementMovement = {
  readonly event: string;
  /** The account that the transfer credits: the statement's balance, or the account that gets money from it. */
  readonly to: string;
  readonly kind: StatementKind;
  readonly text: string;
  readonly leadsTo?: LeadsTo;
};

const disputeOpened = {
  event: 'dispute opened',
  to: 'blocked',
  kind: 'dispute',
  leadsTo: 'dispute',
} as const;
const disputeLost = { event: 'dispute lost', to: 'psp', kind: 'dispute', leadsTo: 'return' } as const;
const disputeReleased = { event: 'dispute released', kind: 'dispute', leadsTo: 'dispute' } as const;
const shortfallCovered = {
  event: 'shortfall covered',
  to: 'blocked',
  kind: 'dispute',
  leadsTo: 'dispute',
} as const;
const paymentReceived = { event: 'payment received', kind: 'payment', leadsTo: 'pix' } as const;
const pixAssigned = { event: 'unmatched assigned', kind: 'payment', leadsTo: 'pix' } as const;
const reserveReleased = {
  event: 'reserve released',
  to: 'available',
  kind: 'reserve',
  leadsTo: 'charge',
} as const;
const withdrawal = { kind: 'withdrawal', leadsTo: 'withdrawal' } as const;
const refund = { kind: 'refund', leadsTo: 'refund' } as const;

/** Every kind of transfer that changes a balance of a merchant, as `ledger/movements.ts` makes them. */
export const movementsOf: Readonly<Record<StatementAccount, readonly StatementMovement[]>> = {
  available: [
    { ...paymentReceived, to: 'available', text: 'Pagamento recebido' },
    { ...pixAssigned, to: 'available', text: 'Pagamento identificado' },
    { ...reserveReleased, text: 'Reserva liberada' },
    { ...withdrawal, event: 'withdrawal requested', to: 'in_transit', text: 'Saque solicitado' },
    { ...withdrawal, event: 'withdrawal refused', to: 'available', text: 'Saque não realizado' },
    { ...withdrawal, event: 'withdrawal returned', to: 'available', text: 'Saque devolvido pelo banco' },
    { ...refund, event: 'refund requested', to: 'in_transit', text: 'Estorno solicitado' },
    { ...refund, event: 'refund refused', to: 'available', text: 'Estorno não realizado' },
    { ...disputeOpened, text: 'Valor bloqueado por disputa' },
    { ...shortfallCovered, text: 'Valor que faltava bloqueado por disputa' },
    { event: 'debt repaid', to: 'receivable', kind: 'dispute', text: 'Quitação de disputa perdida' },
    { ...disputeReleased, to: 'available', text: 'Valor de disputa liberado' },
    { event: 'balance adjusted', to: 'available', kind: 'adjustment', text: 'Ajuste de saldo: crédito' },
    { event: 'balance adjusted', to: 'adjustments', kind: 'adjustment', text: 'Ajuste de saldo: débito' },
  ],
  reserved: [
    { ...paymentReceived, to: 'reserved', text: 'Reserva retida de pagamento' },
    { ...pixAssigned, to: 'reserved', text: 'Reserva retida de pagamento' },
    { ...reserveReleased, text: 'Reserva liberada para o saldo' },
    { ...disputeOpened, text: 'Reserva bloqueada por disputa' },
    { ...shortfallCovered, text: 'Reserva bloqueada por disputa' },
    { ...disputeReleased, to: 'reserved', text: 'Disputa encerrada: de volta à reserva' },
  ],
  blocked: [
    { ...disputeOpened, text: 'Valor bloqueado por disputa' },
    { ...shortfallCovered, text: 'Valor que faltava bloqueado por disputa' },
    { ...disputeLost, text: 'Disputa perdida: devolvido ao pagador' },
    { ...disputeReleased, to: 'available', text: 'Disputa encerrada: valor liberado' },
    { ...disputeReleased, to: 'reserved', text: 'Disputa encerrada: valor liberado' },
  ],
};

/** The movements of a balance; if a kind is given, only those of that kind. */
export function movementsFor(
  account: StatementAccount,
  kind: StatementKind | undefined,
): readonly StatementMovement[] {
  return movementsOf[account].filter((movement) => kind === undefined || movement.kind === kind);
}
