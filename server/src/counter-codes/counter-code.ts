import { brlFromCents, type CounterCode as CounterCodeBody } from '@jangada/contract';

/**
 * A counter code as stored in the database: a static Pix QR code that a merchant prints for the counter and any number
 * of payers may pay. Amounts in integer cents.
 */
export type StoredCounterCode = {
  readonly merchantId: number;
  readonly id: string;
  /** The identifier that every Pix paid with this code carries. */
  readonly txid: string;
  readonly name: string;
  /** Null if the payer chooses the amount. */
  readonly amountCents: number | null;
  readonly active: boolean;
  /** Raised by every change, so that a change based on an older state can be refused. */
  readonly version: number;
  /** The number of payments. */
  readonly payments: number;
  /** The sum of these payments. */
  readonly receivedCents: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Converts a counter code to its API format. `text`: the BR Code in its QR code, which payers can also paste. */
export function toCounterCodeResponse(
  code: StoredCounterCode,
  text: string,
  publicUrl: string,
): CounterCodeBody {
  return {
    id: code.id,
    name: code.name,
    amount: code.amountCents === null ? null : brlFromCents(code.amountCents),
    active: code.active,
    text,
    print_url: `${publicUrl}/balcao/${code.txid}`,
    payments: code.payments,
    received: brlFromCents(code.receivedCents),
    created_at: code.createdAt.toISOString(),
    updated_at: code.updatedAt.toISOString(),
    version: code.version,
  };
}
