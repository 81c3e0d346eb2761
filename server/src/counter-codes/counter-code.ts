import { brlFromCents, type CounterCode as CodeAnswer } from '@jangada/contract';

/** A counter code as stored in the database. Amounts in integer cents. */
export type StoredCounterCode = {
  readonly merchantId: number;
  readonly id: string;
  readonly txid: string;
  readonly name: string;
  readonly amountCents: number | null;
  readonly active: boolean;
  readonly version: number;
  readonly payments: number;
  readonly receivedCents: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** Converts a counter code to its API format; `text`: its Pix copia e cola. */
export function toCounterCodeResponse(code: StoredCounterCode, text: string, publicUrl: string): CodeAnswer {
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
