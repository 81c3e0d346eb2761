import { z } from 'zod';

/** The one account of the bank that receives: whose keys its codes pay to. */
export const accountSchema = z.object({
  /** Its Pix key, in the canonical form of DICT. */
  key: z.string().min(1).max(77),
  name: z.string().min(1),
  /** CNPJ, 14 characters without mask. */
  document: z.string().regex(/^[0-9A-Z]{14}$/),
  city: z.string().min(1),
  /** The bank's own number in the Pix arrangement. */
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

/** The name under which the bank stands on receipts. */
export const INSTITUTION = 'Banco Sandbox S.A.';

/** Whoever pays without saying who: the customer of the bank's app. */
export const DEFAULT_PAYER = { name: 'Joana Teste', document: '12345678909' } as const;

/** Whether a Pix was paid from the account of the app's customer. */
export function isAppCustomer(payer: { name: string; document: string }): boolean {
  return payer.name === DEFAULT_PAYER.name && payer.document === DEFAULT_PAYER.document;
}

/** The number of the one other bank, where everybody else has an account. */
export const OTHER_ISPB = '88888888';

/** Whoever holds a key elsewhere, where nothing says who it is. */
export const DEFAULT_PAYEE = { name: 'Maria Teste', document: '98765432100' } as const;

/** What the customer of the app has, in cents, before the first payment and after each automatic top-up. */
export const PAYER_OPENING_CENTS = 1_000_000;
