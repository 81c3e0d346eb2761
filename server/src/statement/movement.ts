import type { StatementAccount, StatementKind } from '@jangada/contract';

/** The kind of object that a reference identifies: the reference is its id or starts with it. */
export type LeadsTo = 'pix' | 'charge' | 'withdrawal' | 'refund' | 'return' | 'dispute';

/** How one kind of transfer appears on the statement of a balance. */
export type StatementMovement = {
  readonly event: string;
  /** The account that the transfer credits: this one, or the one that receives money from it. */
  readonly to: string;
  readonly kind: StatementKind;
  readonly text: string;
  readonly leadsTo?: LeadsTo;
};

const opened = { event: 'dispute opened', to: 'blocked', kind: 'dispute', leadsTo: 'dispute' } as const;
const lost = { event: 'dispute lost', to: 'psp', kind: 'dispute', leadsTo: 'return' } as const;
const released = { event: 'dispute released', kind: 'dispute', leadsTo: 'dispute' } as const;
const covered = { event: 'shortfall covered', to: 'blocked', kind: 'dispute', leadsTo: 'dispute' } as const;
const received = { event: 'payment received', kind: 'payment', leadsTo: 'pix' } as const;
const assigned = { event: 'unmatched assigned', kind: 'payment', leadsTo: 'pix' } as const;
const freed = { event: 'reserve released', to: 'available', kind: 'reserve', leadsTo: 'charge' } as const;
const withdrawal = { kind: 'withdrawal', leadsTo: 'withdrawal' } as const;
const refund = { kind: 'refund', leadsTo: 'refund' } as const;

/** Every transfer that changes a balance, as made by `movements.ts`. */
export const movementsOf: Readonly<Record<StatementAccount, readonly StatementMovement[]>> = {
  available: [
    { ...received, to: 'available', text: 'Pagamento recebido' },
    { ...assigned, to: 'available', text: 'Pagamento identificado' },
    { ...freed, text: 'Reserva liberada' },
    { ...withdrawal, event: 'withdrawal requested', to: 'in_transit', text: 'Saque solicitado' },
    { ...withdrawal, event: 'withdrawal refused', to: 'available', text: 'Saque não realizado' },
    { ...withdrawal, event: 'withdrawal returned', to: 'available', text: 'Saque devolvido pelo banco' },
    { ...refund, event: 'refund requested', to: 'in_transit', text: 'Estorno solicitado' },
    { ...refund, event: 'refund refused', to: 'available', text: 'Estorno não realizado' },
    { ...opened, text: 'Valor bloqueado por disputa' },
    { ...covered, text: 'Valor que faltava bloqueado por disputa' },
    { event: 'debt repaid', to: 'receivable', kind: 'dispute', text: 'Quitação de disputa perdida' },
    { ...released, to: 'available', text: 'Valor de disputa liberado' },
    { event: 'balance adjusted', to: 'available', kind: 'adjustment', text: 'Ajuste de saldo: crédito' },
    { event: 'balance adjusted', to: 'adjustments', kind: 'adjustment', text: 'Ajuste de saldo: débito' },
  ],
  reserved: [
    { ...received, to: 'reserved', text: 'Reserva retida de pagamento' },
    { ...assigned, to: 'reserved', text: 'Reserva retida de pagamento' },
    { ...freed, text: 'Reserva liberada para o saldo' },
    { ...opened, text: 'Reserva bloqueada por disputa' },
    { ...covered, text: 'Reserva bloqueada por disputa' },
    { ...released, to: 'reserved', text: 'Disputa encerrada: de volta à reserva' },
  ],
  blocked: [
    { ...opened, text: 'Valor bloqueado por disputa' },
    { ...covered, text: 'Valor que faltava bloqueado por disputa' },
    { ...lost, text: 'Disputa perdida: devolvido ao pagador' },
    { ...released, to: 'available', text: 'Disputa encerrada: valor liberado' },
    { ...released, to: 'reserved', text: 'Disputa encerrada: valor liberado' },
  ],
};

/** The movements of a balance, filtered by kind if one is given. */
export function movementsFor(
  account: StatementAccount,
  kind: StatementKind | undefined,
): readonly StatementMovement[] {
  return movementsOf[account].filter((movement) => kind === undefined || movement.kind === kind);
}
