/**
 * The permissions of an API key. A call that reads needs `read`, and a call that writes needs the scope of the objects
 * that it writes. Calls about webhooks need `webhooks`, even those that only read.
 */
export const scopes = ['read', 'charges', 'refunds', 'withdrawals', 'webhooks'] as const;
export type Scope = (typeof scopes)[number];

/** The label and the explanation of each scope, for screens, refusals and the documentation. */
export const scopeTexts: Readonly<Record<Scope, { readonly label: string; readonly sentence: string }>> = {
  read: {
    label: 'Leitura',
    sentence:
      'Consulta cobranças, estornos, saques, saldo e eventos. Sem ele, uma chave que cria cobranças não as consulta.',
  },
  charges: {
    label: 'Cobranças',
    sentence:
      'Cria e cancela cobranças Pix; cria e altera links de pagamento, QR Codes de balcão e clientes.',
  },
  refunds: { label: 'Estornos', sentence: 'Devolve pagamentos a quem pagou.' },
  withdrawals: {
    label: 'Saques',
    sentence: 'Saca para destinos salvos, se o saque pela API estiver ligado.',
  },
  webhooks: {
    label: 'Webhooks',
    sentence: 'Cadastra endereços de webhook, lê as entregas e reenvia.',
  },
};
