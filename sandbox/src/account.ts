import { z } from 'zod';

/** An account of the bank. Its codes pay to its key, the only one that it has. */
export const accountSchema = z.object({
  /** The account's Pix key, in DICT's canonical format. */
  key: z.string().min(1).max(77),
  name: z.string().min(1),
  /** A CNPJ of 14 characters, without punctuation. */
  document: z.string().regex(/^[0-9A-Z]{14}$/),
  city: z.string().min(1),
  /** The bank's own participant number in Pix (ISPB). */
  ispb: z.string().regex(/^[0-9A-Z]{8}$/),
});

export type SandboxAccount = z.infer<typeof accountSchema>;

export const DEFAULT_ACCOUNT: SandboxAccount = {
  key: '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35',
  name: 'Jangada Sandbox',
  document: '12345678000195',
  city: 'RECIFE',
  ispb: '99999999',
};

/** The gateway's credentials for the first account. They may be public, because they protect only test money. */
export const DEFAULT_CLIENT = { id: 'jangada-sandbox', secret: 'jangada-sandbox-secret' } as const;

/** The bank's name on receipts. */
export const INSTITUTION = 'Banco Sandbox S.A.';

/** The default payer: the customer of the bank's app. */
export const DEFAULT_PAYER = { name: 'Joana Teste', document: '12345678909' } as const;

/** Whether a payer is the customer of the bank's app. */
export function isAppCustomer(payer: { name: string; document: string }): boolean {
  return payer.name === DEFAULT_PAYER.name && payer.document === DEFAULT_PAYER.document;
}

/** The ISPB (participant number) of the only other bank, which holds all accounts that this bank does not. */
export const OTHER_ISPB = '88888888';

/** The default holder of a key at the other bank. */
export const DEFAULT_PAYEE = { name: 'Maria Teste', document: '98765432100' } as const;

/** The balance of the app's customer in cents, before their first payment and after each automatic top-up. */
export const PAYER_OPENING_CENTS = 1_000_000;
