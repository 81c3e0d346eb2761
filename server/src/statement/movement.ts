import type { StatementAccount, StatementKind } from '@jangada/contract';

/**
 * The kind of object that the reference of an entry identifies. The reference is, or begins with, the id of the object.
 */
export type ReferencedObject = 'pix' | 'charge' | 'withdrawal' | 'refund' | 'return' | 'dispute';

/** A ledger event that raises, or lowers, a balance, and its kind and text on the statement of that balance. */
export type StatementMovement = {
  readonly event: string;
  /** Whether the event adds to the balance. */
  readonly isCredit: boolean;
  readonly kind: StatementKind;
  readonly text: string;
  readonly referencedObject?: ReferencedObject;
};

const disputeOpened = {
  event: 'dispute opened',
  kind: 'dispute',
  referencedObject: 'dispute',
} as const satisfies Partial<StatementMovement>;
const disputeLost = {
  event: 'dispute lost',
  kind: 'dispute',
  referencedObject: 'return',
} as const satisfies Partial<StatementMovement>;
const disputeReleased = {
  event: 'dispute released',
  kind: 'dispute',
  referencedObject: 'dispute',
} as const satisfies Partial<StatementMovement>;
const shortfallCovered = {
  event: 'shortfall covered',
  kind: 'dispute',
  referencedObject: 'dispute',
} as const satisfies Partial<StatementMovement>;
const paymentReceived = {
  event: 'payment received',
  kind: 'payment',
  referencedObject: 'pix',
} as const satisfies Partial<StatementMovement>;
const pixAssigned = {
  event: 'unmatched assigned',
  kind: 'payment',
  referencedObject: 'pix',
} as const satisfies Partial<StatementMovement>;
const reserveReleased = {
  event: 'reserve released',
  kind: 'reserve',
  referencedObject: 'charge',
} as const satisfies Partial<StatementMovement>;
const withdrawal = {
  kind: 'withdrawal',
  referencedObject: 'withdrawal',
} as const satisfies Partial<StatementMovement>;
const refund = { kind: 'refund', referencedObject: 'refund' } as const satisfies Partial<StatementMovement>;

/** For each balance with a statement, all events of `ledger/movements.ts` that change that balance. */
export const movementsByAccount: Readonly<Record<StatementAccount, readonly StatementMovement[]>> = {
  available: [
    { ...paymentReceived, isCredit: true, text: 'Pagamento recebido' },
    { ...pixAssigned, isCredit: true, text: 'Pagamento identificado' },
    { ...reserveReleased, isCredit: true, text: 'Reserva liberada' },
    { ...withdrawal, event: 'withdrawal requested', isCredit: false, text: 'Saque solicitado' },
    { ...withdrawal, event: 'withdrawal refused', isCredit: true, text: 'Saque não realizado' },
    { ...withdrawal, event: 'withdrawal returned', isCredit: true, text: 'Saque devolvido pelo banco' },
    { ...refund, event: 'refund requested', isCredit: false, text: 'Estorno solicitado' },
    { ...refund, event: 'refund refused', isCredit: true, text: 'Estorno não realizado' },
    { ...disputeOpened, isCredit: false, text: 'Valor bloqueado por disputa' },
    { ...shortfallCovered, isCredit: false, text: 'Valor que faltava bloqueado por disputa' },
    { event: 'debt repaid', isCredit: false, kind: 'dispute', text: 'Quitação de disputa perdida' },
    { ...disputeReleased, isCredit: true, text: 'Valor de disputa liberado' },
    { event: 'balance adjusted', isCredit: true, kind: 'adjustment', text: 'Ajuste de saldo: crédito' },
    { event: 'balance adjusted', isCredit: false, kind: 'adjustment', text: 'Ajuste de saldo: débito' },
  ],
  reserved: [
    { ...paymentReceived, isCredit: true, text: 'Reserva retida de pagamento' },
    { ...pixAssigned, isCredit: true, text: 'Reserva retida de pagamento' },
    { ...reserveReleased, isCredit: false, text: 'Reserva liberada para o saldo' },
    { ...disputeOpened, isCredit: false, text: 'Reserva bloqueada por disputa' },
    { ...shortfallCovered, isCredit: false, text: 'Reserva bloqueada por disputa' },
    { ...disputeReleased, isCredit: true, text: 'Disputa encerrada: de volta à reserva' },
  ],
  // The bank of the merchant's own holds no reserve, and no adjustment is made there; fees are due and not deducted.
  own: [
    { ...paymentReceived, isCredit: true, text: 'Pagamento recebido' },
    { ...withdrawal, event: 'withdrawal requested', isCredit: false, text: 'Saque solicitado' },
    {
      ...withdrawal,
      event: 'withdrawal completed',
      isCredit: true,
      text: 'Tarifa do saque, que vai para a fatura',
    },
    { ...withdrawal, event: 'withdrawal refused', isCredit: true, text: 'Saque não realizado' },
    { ...withdrawal, event: 'withdrawal returned', isCredit: true, text: 'Saque devolvido pelo banco' },
    { ...refund, event: 'refund requested', isCredit: false, text: 'Estorno solicitado' },
    { ...refund, event: 'refund refused', isCredit: true, text: 'Estorno não realizado' },
    { ...disputeOpened, isCredit: false, text: 'Valor bloqueado por disputa' },
    { ...shortfallCovered, isCredit: false, text: 'Valor que faltava bloqueado por disputa' },
    { ...disputeLost, isCredit: false, text: 'Disputa perdida: devolvido ao pagador' },
    { ...disputeReleased, isCredit: true, text: 'Valor de disputa liberado' },
  ],
  blocked: [
    { ...disputeOpened, isCredit: true, text: 'Valor bloqueado por disputa' },
    { ...shortfallCovered, isCredit: true, text: 'Valor que faltava bloqueado por disputa' },
    { ...disputeLost, isCredit: false, text: 'Disputa perdida: devolvido ao pagador' },
    { ...disputeReleased, isCredit: false, text: 'Disputa encerrada: valor liberado' },
  ],
};

/** The movements that change a balance: all, or those of one kind. */
export function selectMovements(
  account: StatementAccount,
  kind: StatementKind | undefined,
): readonly StatementMovement[] {
  return movementsByAccount[account].filter((movement) => kind === undefined || movement.kind === kind);
}
