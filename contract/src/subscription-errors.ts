/** The refusals about subscriptions, which are part of `errors`. */
export const subscriptionErrors = {
  SUBSCRIPTION_NOT_FOUND: { status: 404, message: 'Assinatura não encontrada.' },
  SUBSCRIPTION_INVALID: { status: 400, message: 'A assinatura tem dados que não combinam.' },
  SUBSCRIPTION_ENDED: { status: 409, message: 'Esta assinatura já terminou.' },
  RECURRING_NOT_SUPPORTED: {
    status: 409,
    message: 'O banco desta conta não faz débitos por Pix Automático.',
  },
  DEBIT_ACCOUNT_MISSING: {
    status: 409,
    message: 'Faltam a agência e o número da conta em que os débitos entram. Informe-os na página Banco.',
  },
  CYCLE_NOT_FOUND: { status: 404, message: 'Ciclo não encontrado.' },
  CYCLE_TOO_LATE: {
    status: 409,
    message: 'Este ciclo não muda mais: o banco do pagador já tem a ordem, ou ele terminou.',
  },
  CHARGE_OF_SUBSCRIPTION: {
    status: 409,
    message: 'Esta cobrança é de uma assinatura. Cancele o ciclo ou a assinatura.',
  },
} as const;
