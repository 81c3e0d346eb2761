// Printed from the contract by test/print-contract.ts, with vitest -u: not to be changed by hand.

/** Os códigos com que a API recusa. Um código não muda de significado; outros podem aparecer. */
export type ErrorCode =
  | 'INVALID_BODY'
  | 'FIELD_NOT_EDITABLE'
  | 'INVALID_QUERY'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'BODY_TOO_LARGE'
  | 'UNAUTHENTICATED'
  | 'INVALID_API_KEY'
  | 'API_KEY_REQUIRED'
  | 'API_KEY_INACTIVE'
  | 'API_KEY_EXPIRED'
  | 'KEY_SCOPE_MISSING'
  | 'KEY_ADDRESS_NOT_ALLOWED'
  | 'ACCOUNT_NOT_APPROVED'
  | 'APPROVERS_TOO_FEW'
  | 'MEMBER_ROLE_MISSING'
  | 'ACCOUNT_SWITCHED'
  | 'MEMBER_DAY_LIMIT'
  | 'MEMBERSHIP_ENDED'
  | 'SUBSCRIPTION_NOT_FOUND'
  | 'SUBSCRIPTION_INVALID'
  | 'SUBSCRIPTION_ENDED'
  | 'RECURRING_NOT_SUPPORTED'
  | 'DEBIT_ACCOUNT_MISSING'
  | 'CYCLE_NOT_FOUND'
  | 'CYCLE_TOO_LATE'
  | 'CHARGE_OF_SUBSCRIPTION'
  | 'PASSWORD_REQUIRED'
  | 'STEP_UP_REQUIRED'
  | 'ACCOUNT_FROZEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'PAYMENT_NOT_FOUND'
  | 'CHARGE_ALREADY_PAID'
  | 'CHARGE_ENDED'
  | 'AMOUNT_INVALID'
  | 'AMOUNT_TOO_SMALL'
  | 'AMOUNT_TOO_LARGE'
  | 'AMOUNT_BELOW_FEE'
  | 'DUE_TERMS_INVALID'
  | 'INVALID_CALLBACK_URL'
  | 'INVALID_SUCCESS_URL'
  | 'CUSTOMER_NOT_FOUND'
  | 'CUSTOMER_EXISTS'
  | 'CUSTOMER_ARCHIVED'
  | 'CHARGE_BATCH_NOT_FOUND'
  | 'ALREADY_CHARGED'
  | 'PAYMENT_LINK_NOT_FOUND'
  | 'LINK_END_INVALID'
  | 'COUNTER_CODE_NOT_FOUND'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'IDEMPOTENCY_CONFLICT'
  | 'IDEMPOTENCY_IN_PROGRESS'
  | 'STALE_VERSION'
  | 'INSUFFICIENT_BALANCE'
  | 'PIN_LOCKED'
  | 'WITHDRAWALS_HELD'
  | 'WITHDRAWALS_PAUSED'
  | 'WITHDRAWALS_UNAVAILABLE'
  | 'WITHDRAWAL_MINIMUM'
  | 'WITHDRAWAL_TOO_SMALL'
  | 'WITHDRAWAL_TOO_LARGE'
  | 'WITHDRAWAL_DAY_LIMIT'
  | 'WITHDRAWAL_NIGHT_LIMIT'
  | 'WITHDRAWAL_PENDING'
  | 'WITHDRAWAL_NOT_FOUND'
  | 'WITHDRAWAL_PROCESSING_ERROR'
  | 'PIX_KEY_INVALID'
  | 'PIX_KEY_NOT_OWN'
  | 'PIX_KEY_OF_GATEWAY'
  | 'API_WITHDRAWALS_OFF'
  | 'DESTINATION_NOT_SAVED'
  | 'BANK_NOT_CONNECTED'
  | 'MONEY_AT_OWN_BANK'
  | 'BANK_ACCOUNT_SUSPENDED'
  | 'COUNTER_CODES_NOT_AT_OWN_BANK'
  | 'REFUND_NOT_SUPPORTED'
  | 'REFUND_NOT_PAID'
  | 'REFUND_TOO_LATE'
  | 'REFUND_EXCEEDS_PAYMENT'
  | 'REFUND_ID_REUSED'
  | 'WEBHOOK_ENDPOINT_NOT_FOUND'
  | 'WEBHOOK_ENDPOINT_LIMIT'
  | 'WEBHOOK_ENDPOINT_OFF'
  | 'WEBHOOK_DELIVERY_NOT_FOUND'
  | 'WEBHOOK_EVENT_FORGOTTEN'
  | 'EVENT_NOT_FOUND'
  | 'EVENT_CURSOR_UNKNOWN'
  | 'PAYMENT_IN_DISPUTE'
  | 'DISPUTE_SHORTFALL'
  | 'FEES_OVERDUE'
  | 'PIX_NOT_FOUND'
  | 'SUSPENSE_SETTLED'
  | 'PERIOD_INVALID'
  | 'RATE_LIMITED'
  | 'OVERLOADED'
  | 'UNAVAILABLE'
  | 'PAYMENT_PROCESSING_ERROR'
  | 'INTERNAL';

export type ChargeStatus = 'pending' | 'paid' | 'expired' | 'refunded' | 'error';

export type RefundStatus = 'processing' | 'completed' | 'failed';

export type WithdrawalStatus = 'PENDING' | 'PAID' | 'ERROR';

export type DisputeStatus = 'open' | 'lost' | 'won' | 'cancelled';

export type PixKeyType = 'cpf' | 'cnpj' | 'email' | 'phone' | 'random';

export type EventType =
  | 'payment.paid'
  | 'payment.expired'
  | 'payment.error'
  | 'payment.refunded'
  | 'refund.failed'
  | 'withdrawal.pending'
  | 'withdrawal.paid'
  | 'withdrawal.error'
  | 'dispute.opened'
  | 'dispute.closed'
  | 'connection.broken'
  | 'connection.restored'
  | 'fee_statement.closed'
  | 'fee_statement.paid'
  | 'mandate.approved'
  | 'mandate.rejected'
  | 'mandate.cancelled'
  | 'mandate.expired'
  | 'cycle.planned'
  | 'cycle.scheduled'
  | 'cycle.retrying'
  | 'cycle.paid'
  | 'cycle.given_up'
  | 'cycle.cancelled'
  | 'subscription.past_due'
  | 'subscription.recovered'
  | 'subscription.ended'
  | 'batch.completed'
  | 'pix.held'
  | 'pix.given_back';

export type PaymentLinkState = 'active' | 'off' | 'ended' | 'sold_out';

export type SubscriptionPeriod = 'weekly' | 'monthly' | 'quarterly' | 'semiannual' | 'annual';

export type SubscriptionStatus = 'waiting' | 'active' | 'past_due' | 'ended';

export type MandateStatus = 'making' | 'created' | 'approved' | 'rejected' | 'expired' | 'cancelled';

export type CycleStatus =
  | 'planned'
  | 'sending'
  | 'scheduled'
  | 'retrying'
  | 'paid'
  | 'given_up'
  | 'cancelled';

export type CycleReason =
  | 'mandate_ended'
  | 'no_amount'
  | 'too_late'
  | 'refused'
  | 'no_retries_left'
  | 'expired'
  | 'paid_otherwise'
  | 'by_merchant'
  | 'by_payer'
  | 'subscription_ended';

export type SubscriptionEnd =
  | 'finished'
  | 'by_merchant'
  | 'by_payer'
  | 'by_bank'
  | 'rejected'
  | 'not_allowed';

export type SubscriptionAuthorization = 'code' | 'pay' | 'offer' | 'push';

export type WebhookDeliveryState = 'waiting' | 'held' | 'delivered' | 'failed';

export type WebhookDoctorVerdict =
  | 'valid'
  | 'header-missing'
  | 'header-misspelt'
  | 'id-changed'
  | 'timestamp-not-a-number'
  | 'timestamp-in-milliseconds'
  | 'timestamp-old'
  | 'timestamp-in-future'
  | 'signature-malformed'
  | 'signature-without-version'
  | 'signature-hex'
  | 'body-empty'
  | 'body-bom'
  | 'body-trailing-newline'
  | 'body-charset'
  | 'body-line-endings'
  | 'body-reserialised'
  | 'body-changed'
  | 'timestamp-changed'
  | 'secret-of-account'
  | 'secret-of-endpoint'
  | 'secret-rotated'
  | 'computed-right'
  | 'computed-hex'
  | 'computed-secret-not-decoded'
  | 'computed-without-id'
  | 'computed-without-timestamp'
  | 'computed-body-only'
  | 'computed-body-parsed'
  | 'computed-wrong'
  | 'unknown';

export type NewPayment = {
  /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
  amount: number;
  /** Validade em segundos: 900 são 15 minutos, 1800 são 30, 3600 são 1 hora, 86400 são 24 horas. No máximo 2592000, que são 30 dias. De 60 a 2592000. Padrão: `1800`. */
  expires_in?: number | undefined;
  /** Endereço https que recebe os webhooks desta cobrança. Até 2048 caracteres. */
  callback_url?: string | null | undefined;
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. De 1 a 100 caracteres. */
  external_id?: string | null | undefined;
  /** Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks. */
  metadata?: Readonly<Record<string, string>> | null | undefined;
  /** O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante. De 1 a 140 caracteres. */
  description?: string | null | undefined;
  /** Endereço https a que a página de pagamento leva depois de paga. Até 2000 caracteres. */
  success_url?: string | null | undefined;
  /** Com `false`, a resposta vem sem a imagem do QR Code e é menor. Padrão: `true`. */
  image?: boolean | undefined;
  /** O cliente de quem você cobra, em vez de `payer`: vale o nome e o documento dele. */
  customer_id?: string | null | undefined;
  /** O que acontece com um Pix que não é como se espera. O que falta vale como na conta (/docs#setPayerRules). */
  payer_rules?:
    | {
        /** Quem paga é outra pessoa que não a da cobrança: `accept`, `hold` ou `give_back`. */
        other_payer?: 'accept' | 'hold' | 'give_back' | null | undefined;
        /** O Pix chega fora do prazo, ou a cobrança já terminou: `accept`, `hold` ou `give_back`. */
        late?: 'accept' | 'hold' | 'give_back' | null | undefined;
        /** A cobrança já está paga: `accept`, `hold` ou `give_back`. */
        doubled?: 'accept' | 'hold' | 'give_back' | null | undefined;
      }
    | null
    | undefined;
  /** De quem você cobra. Obrigatório com `due_date`. Outra pessoa ainda pode pagar. */
  payer?:
    | {
        /** Nome de quem você cobra. De 2 a 200 caracteres. */
        name: string;
        /** CPF ou CNPJ de quem você cobra, com ou sem pontuação. */
        document: string;
      }
    | null
    | undefined;
  /** O dia do vencimento. Num fim de semana ou feriado nacional, vale o dia útil seguinte. Com ele, `expires_in` não conta. */
  due_date?: string | null | undefined;
  /** Por quantos dias corridos depois do vencimento ainda se paga; 30 se você não disser. De 0 a 365. */
  valid_after_due?: number | null | undefined;
  /** A multa por atraso, uma vez. */
  fine?:
    | {
        /** `amount` em reais, `percent` em porcentagem. */
        type: 'amount' | 'percent';
        /** Em reais ou em porcentagem, com até duas casas decimais. */
        value: number;
      }
    | null
    | undefined;
  /** Os juros por atraso. Um valor em reais é por dia. */
  interest?:
    | {
        /** `amount` em reais, `percent` em porcentagem. */
        type: 'amount' | 'percent';
        /** Em reais ou em porcentagem, com até duas casas decimais. */
        value: number;
        /** Se a porcentagem é por dia, mês ou ano. Padrão: `"month"`. */
        per?: 'day' | 'month' | 'year' | undefined;
        /** `calendar` conta dias corridos, `business` só dias úteis. Padrão: `"calendar"`. */
        days?: 'calendar' | 'business' | undefined;
      }
    | null
    | undefined;
  /** O abatimento, que vale sempre. */
  rebate?:
    | {
        /** `amount` em reais, `percent` em porcentagem. */
        type: 'amount' | 'percent';
        /** Em reais ou em porcentagem, com até duas casas decimais. */
        value: number;
      }
    | null
    | undefined;
  /** Descontos para quem paga até um dia: de 1 a 3, do mesmo `type`. Vale o que acaba primeiro. */
  discounts?:
    | ReadonlyArray<{
        /** `amount` em reais, `percent` em porcentagem. */
        type: 'amount' | 'percent';
        /** Em reais ou em porcentagem, com até duas casas decimais. */
        value: number;
        /** O último dia deste desconto. */
        until: string;
      }>
    | null
    | undefined;
  /** O desconto por dia de antecipação. Não junto com `discounts`. */
  early_discount?:
    | {
        /** `amount` em reais, `percent` em porcentagem. */
        type: 'amount' | 'percent';
        /** Em reais ou em porcentagem, com até duas casas decimais. */
        value: number;
        /** `calendar` conta dias corridos, `business` só dias úteis. Padrão: `"calendar"`. */
        days?: 'calendar' | 'business' | undefined;
      }
    | null
    | undefined;
};

export type PaymentsQuery = {
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. Até 100 caracteres. */
  external_id?: string | undefined;
  /** Um nome de `metadata`; com `metadata_value`, acha as cobranças com esse texto. Até 40 caracteres. */
  metadata_name?: string | undefined;
  /** O texto inteiro que está nesse nome de `metadata`. Até 500 caracteres. */
  metadata_value?: string | undefined;
  /** Só as cobranças que vieram deste link de pagamento. */
  payment_link_id?: string | undefined;
  /** Só os pagamentos que vieram por este QR Code de balcão. */
  counter_code_id?: string | undefined;
  /** Só as cobranças deste cliente. */
  customer_id?: string | undefined;
  /** Só as cobranças neste estado. Uma que acabou de vencer já aparece como `expired`, e ainda é achada por `pending` até o banco confirmar, em geral em um minuto. */
  status?: ChargeStatus | undefined;
  /** Desde este dia, no horário de Brasília. */
  from?: string | undefined;
  /** Até este dia, inclusive, no horário de Brasília. */
  to?: string | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type NewRefund = {
  /** O nome que você dá a este estorno. Repetir a chamada com o mesmo nome é o mesmo estorno, nunca outro. De 1 a 64 letras sem acento, dígitos, `-` ou `_`. */
  id?: string | undefined;
  /** Valor a devolver, em reais. Sem ele, devolve tudo o que falta. */
  amount?: number | undefined;
  /** O motivo, para os seus registros. Até 140 caracteres. */
  reason?: string | undefined;
};

export type NewWithdrawal = {
  /** O que sai do saldo, **em centavos**: `10000` são R$ 100,00. */
  amount: number;
  /** A chave Pix de um destino salvo no painel. De 1 a 140 caracteres. */
  pixKey: string;
  /** O tipo da chave. */
  keyType: PixKeyType;
  /** Endereço https que recebe os webhooks deste saque. Até 2048 caracteres. */
  callbackUrl?: string | null | undefined;
};

export type WithdrawalsQuery = {
  /** Só os saques neste estado. */
  status?: WithdrawalStatus | undefined;
  /** Desde este dia, no horário de Brasília. */
  from?: string | undefined;
  /** Até este dia, inclusive, no horário de Brasília. */
  to?: string | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type EventsQuery = {
  /** O último evento que você já leu. Sem ele, a leitura começa no mais antigo guardado. De 1 a 200 caracteres. */
  after?: string | undefined;
  /** O tipo do evento. Veja a tabela (/docs#tipos-de-evento). */
  type?: EventType | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `50`. */
  limit?: number | undefined;
};

export type NewWebhookEndpoint = {
  /** O endereço https que recebe os eventos. De 1 a 2048 caracteres. */
  url: string;
  /** Para você reconhecer o endereço. Até 100 caracteres. Padrão: `""`. */
  description?: string | undefined;
  /** Os tipos que este endereço recebe. Vazio: todos, também os que vierem a existir. Padrão: `[]`. */
  events?: ReadonlyArray<EventType> | undefined;
};

export type WebhookDeliveriesQuery = {
  /** O id de um endereço; `callback` são os endereços dados em cobranças e saques. */
  endpoint?: string | undefined;
  /** Só deste tipo de evento. Até 40 caracteres. */
  type?: string | undefined;
  /** Só neste estado. */
  state?: WebhookDeliveryState | undefined;
  /** O id de uma cobrança, de um saque ou de uma disputa. */
  subject?: string | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. De 1 a 200 caracteres. */
  before?: string | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `25`. */
  limit?: number | undefined;
};

export type ResendWebhookDeliveries =
  | {
      /** As entregas a reenviar, de 1 a 100. Envie só `ids`; ou, sem ele, `endpoint`, `from` e `to`. */
      ids: ReadonlyArray<string>;
    }
  | {
      /** O endereço cujas entregas se reenviam; `callback` são os dados em cobranças e saques. */
      endpoint: string;
      /** Desde este momento, ou desde o começo deste dia no horário de Brasília. */
      from: string;
      /** Até este momento, ou até o fim deste dia no horário de Brasília. */
      to: string;
      /** Só as que falharam, ou só as entregues. Padrão: `"failed"`. */
      state?: 'failed' | 'delivered' | undefined;
    };

export type WebhookDoctorQuestion = {
  /** Os cabeçalhos que chegaram: um objeto, ou o texto com as linhas `nome: valor`. Até 16384 caracteres. */
  headers: string | Readonly<Record<string, string | ReadonlyArray<string>>>;
  /** O corpo exatamente como chegou. Mais fundo ou com mais campos do que qualquer webhook, é recusado com `INVALID_BODY`. Até 32768 caracteres. */
  body: string;
  /** O endereço a que se destinava. Sem ele, todos os segredos da conta são tentados. */
  endpoint?: string | undefined;
  /** A assinatura a que o seu código chegou: assim se descobre o que ele fez de errado. Até 1024 caracteres. */
  computed?: string | undefined;
};

export type OffersQuery = {
  /** `active`: os que aceitam pagamentos; `ended`: os outros. */
  status?: 'active' | 'ended' | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type NewPaymentLink = {
  /** O que está à venda, como título da página. De 1 a 80 caracteres. */
  title: string;
  /** O que quem paga lê abaixo do título. De 1 a 280 caracteres. */
  description?: string | null | undefined;
  /** Valor em reais. Nulo: quem paga digita. */
  amount?: number | null | undefined;
  /** Quantos pagamentos o link aceita. Nulo: quantos vierem. De 1 a 1000000. */
  max_payments?: number | null | undefined;
  /** Até quando o link aceita pagamentos. Nulo: sem fim. */
  ends_at?: string | null | undefined;
  /** Endereço https a que a página de pagamento leva depois de paga. Até 2000 caracteres. */
  success_url?: string | null | undefined;
  /** `false` quando você o desligou. Padrão: `true`. */
  active?: boolean | undefined;
};

export type ChangedPaymentLink = {
  /** O que está à venda, como título da página. De 1 a 80 caracteres. */
  title: string;
  /** O que quem paga lê abaixo do título. De 1 a 280 caracteres. */
  description?: string | null | undefined;
  /** Valor em reais. Nulo: quem paga digita. */
  amount?: number | null | undefined;
  /** Quantos pagamentos o link aceita. Nulo: quantos vierem. De 1 a 1000000. */
  max_payments?: number | null | undefined;
  /** Até quando o link aceita pagamentos. Nulo: sem fim. */
  ends_at?: string | null | undefined;
  /** Endereço https a que a página de pagamento leva depois de paga. Até 2000 caracteres. */
  success_url?: string | null | undefined;
  /** `false` quando você o desligou. */
  active: boolean;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
};

export type NewCounterCode = {
  /** Um nome para você reconhecer. De 1 a 40 caracteres. */
  name: string;
  /** Valor em reais que está no código. Nulo: quem paga digita. */
  amount?: number | null | undefined;
};

export type ChangedCounterCode = {
  /** Um nome para você reconhecer. De 1 a 40 caracteres. */
  name: string;
  /** `false` quando você o desligou. */
  active: boolean;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
};

export type CustomersQuery = {
  /** Parte do nome, do documento ou do e-mail. Até 100 caracteres. */
  search?: string | undefined;
  /** Só o cliente com este `external_id`. Até 100 caracteres. */
  external_id?: string | undefined;
  /** `active`: os ativos; `archived`: os arquivados. Padrão: `"active"`. */
  status?: 'active' | 'archived' | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type NewCustomer = {
  /** O nome do cliente. De 2 a 200 caracteres. */
  name: string;
  /** CPF ou CNPJ do cliente. */
  document: string;
  /** E-mail do cliente, para os lembretes. De 1 a 254 caracteres. */
  email?: string | null | undefined;
  /** Telefone do cliente. Sem código de país, é brasileiro. Até 30 caracteres. */
  phone?: string | null | undefined;
  /** Endereço do cliente: inteiro ou nulo. */
  address?:
    | {
        /** Rua, número e complemento. De 1 a 200 caracteres. */
        street: string;
        /** A cidade. De 1 a 200 caracteres. */
        city: string;
        /** A UF, como `PE`. */
        state: string;
        /** O CEP, com oito dígitos. */
        zip_code: string;
      }
    | null
    | undefined;
  /** Uma observação que só a sua equipe vê. De 1 a 1000 caracteres. */
  note?: string | null | undefined;
  /** O id do cliente no seu sistema, que não se repete entre os ativos. De 1 a 100 caracteres. */
  external_id?: string | null | undefined;
};

export type ChangedCustomer = {
  /** O nome do cliente. De 2 a 200 caracteres. */
  name: string;
  /** CPF ou CNPJ do cliente. */
  document: string;
  /** E-mail do cliente, para os lembretes. De 1 a 254 caracteres. */
  email?: string | null | undefined;
  /** Telefone do cliente. Sem código de país, é brasileiro. Até 30 caracteres. */
  phone?: string | null | undefined;
  /** Endereço do cliente: inteiro ou nulo. */
  address?:
    | {
        /** Rua, número e complemento. De 1 a 200 caracteres. */
        street: string;
        /** A cidade. De 1 a 200 caracteres. */
        city: string;
        /** A UF, como `PE`. */
        state: string;
        /** O CEP, com oito dígitos. */
        zip_code: string;
      }
    | null
    | undefined;
  /** Uma observação que só a sua equipe vê. De 1 a 1000 caracteres. */
  note?: string | null | undefined;
  /** O id do cliente no seu sistema, que não se repete entre os ativos. De 1 a 100 caracteres. */
  external_id?: string | null | undefined;
  /** `true` arquiva o cliente: ele sai da lista e não recebe novas cobranças. Padrão: `false`. */
  archived?: boolean | undefined;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
};

export type NewSubscription = {
  /** Quem paga. */
  payer?:
    | {
        /** O nome de quem paga. De 2 a 200 caracteres. */
        name: string;
        /** O CPF ou CNPJ de quem paga. */
        document: string;
      }
    | null
    | undefined;
  /** O cliente cadastrado que paga, em vez de `payer`: vale o nome e o documento dele. */
  customer_id?: string | null | undefined;
  /** O que se paga, como o banco do pagador mostra. Até 35 caracteres. De 1 a 35 caracteres. */
  description: string;
  /** O valor de cada ciclo, em reais. Nulo se varia. */
  amount?: number | null | undefined;
  /** Em valor variável: o limite que o pagador escolhe no banco não pode ser menor. */
  min_maximum?: number | null | undefined;
  /** `weekly`, `monthly`, `quarterly`, `semiannual` ou `annual`. */
  period: SubscriptionPeriod;
  /** O dia do primeiro débito. O dia 31 vira o último dia dos meses mais curtos. */
  first_day: string;
  /** Nenhum ciclo vence depois deste dia. Nulo: sem fim. */
  last_day?: string | null | undefined;
  /** Em que dias depois do débito se tenta de novo: até três, de 1 a 7. Vazio: nunca. Padrão: `[1,4,7]`. */
  retry_days?: ReadonlyArray<number> | undefined;
  /** Como o pagador autoriza: `code` lê um código; `pay` paga a primeira e autoriza; `offer` recebe a oferta ao pagar uma cobrança com vencimento; `push` recebe um pedido no app do banco. */
  authorization: SubscriptionAuthorization;
  /** Em `pay` e `offer`: o que se paga junto com a autorização. Não é um ciclo. */
  first_payment?:
    | {
        /** O valor, em reais. Sem ele, o de cada ciclo. */
        amount?: number | null | undefined;
        /** Em `offer`: o vencimento, como `2026-12-10`. */
        due_date?: string | null | undefined;
      }
    | null
    | undefined;
  /** Em `push`: a conta do pagador. */
  payer_account?:
    | {
        /** O ISPB do banco do pagador, com 8 dígitos. */
        ispb: string;
        /** A agência, se há. */
        branch?: string | null | undefined;
        /** O número da conta. */
        number: string;
      }
    | null
    | undefined;
  /** Como o seu sistema chama esta assinatura. De 1 a 100 caracteres. */
  external_id?: string | null | undefined;
  /** Textos seus, por nome. Voltam nas consultas, nas cobranças e nos webhooks. */
  metadata?: Readonly<Record<string, string>> | null | undefined;
};

export type SubscriptionsQuery = {
  /** Só neste estado. */
  status?: SubscriptionStatus | undefined;
  /** Só as que têm este `external_id`. Até 100 caracteres. */
  external_id?: string | undefined;
  /** Só as deste cliente. */
  customer_id?: string | undefined;
  /** Parte do nome de quem paga ou da descrição, ou o documento inteiro. Até 100 caracteres. */
  search?: string | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `25`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type CyclesQuery = {
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `24`. */
  limit?: number | undefined;
  /** Só os ciclos de número menor que este. */
  before?: number | undefined;
};

export type SetCycleAmount = {
  /** O valor deste ciclo, em reais. */
  amount: number;
};

export type HeldPixQuery = {
  /** Com `open`, só os que esperam a sua decisão. Padrão: `"all"`. */
  state?: 'open' | 'all' | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type NewChargeBatch = {
  /** Como você chama o lote. De 1 a 100 caracteres. */
  reference?: string | null | undefined;
  /** Com `true`, nada é criado se uma linha repete uma cobrança em aberto ou paga: o mesmo `external_id` e o mesmo `due_date`. Sem vencimento, só se ela ainda pode ser paga. O erro `ALREADY_CHARGED` nomeia as linhas. */
  refuse_repeated?: boolean | undefined;
  /** As linhas, de 1 a 10.000. Cada uma é um pedido de cobrança. */
  items: ReadonlyArray<{
    /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
    amount: number;
    /** Validade em segundos: 900 são 15 minutos, 1800 são 30, 3600 são 1 hora, 86400 são 24 horas. No máximo 2592000, que são 30 dias. De 60 a 2592000. Padrão: `1800`. */
    expires_in?: number | undefined;
    /** Endereço https que recebe os webhooks desta cobrança. Até 2048 caracteres. */
    callback_url?: string | null | undefined;
    /** Como o seu sistema chama esta linha. Não se repete no lote. De 1 a 100 caracteres. */
    external_id: string;
    /** Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks. */
    metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Para você reconhecer o endereço. De 1 a 140 caracteres. */
    description?: string | null | undefined;
    /** Endereço https a que a página de pagamento leva depois de paga. Até 2000 caracteres. */
    success_url?: string | null | undefined;
    /** Não conta num lote. Padrão: `true`. */
    image?: boolean | undefined;
    /** O cliente de quem você cobra, se a cobrança é de um cliente cadastrado. */
    customer_id?: string | null | undefined;
    /** O que acontece com um Pix que não é como se espera. O que falta vale como na conta (/docs#setPayerRules). */
    payer_rules?:
      | {
          /** Quem paga é outra pessoa que não a da cobrança: `accept`, `hold` ou `give_back`. */
          other_payer?: 'accept' | 'hold' | 'give_back' | null | undefined;
          /** O Pix chega fora do prazo, ou a cobrança já terminou: `accept`, `hold` ou `give_back`. */
          late?: 'accept' | 'hold' | 'give_back' | null | undefined;
          /** A cobrança já está paga: `accept`, `hold` ou `give_back`. */
          doubled?: 'accept' | 'hold' | 'give_back' | null | undefined;
        }
      | null
      | undefined;
    /** Quem pagou. Nulo antes do pagamento, e quando o banco não informa. */
    payer?:
      | {
          /** Nome de quem pagou. De 2 a 200 caracteres. */
          name: string;
          /** Documento de quem pagou; de um CPF, só os dígitos do meio. */
          document: string;
        }
      | null
      | undefined;
    /** O dia do vencimento. Num fim de semana ou feriado nacional, vale o dia útil seguinte. Com ele, `expires_in` não conta. */
    due_date?: string | null | undefined;
    /** Por quantos dias corridos depois do vencimento ainda se paga; 30 se você não disser. De 0 a 365. */
    valid_after_due?: number | null | undefined;
    /** A multa por atraso, uma vez. */
    fine?:
      | {
          /** `amount` em reais, `percent` em porcentagem. */
          type: 'amount' | 'percent';
          /** Em reais ou em porcentagem, com até duas casas decimais. */
          value: number;
        }
      | null
      | undefined;
    /** Os juros por atraso. Um valor em reais é por dia. */
    interest?:
      | {
          /** `amount` em reais, `percent` em porcentagem. */
          type: 'amount' | 'percent';
          /** Em reais ou em porcentagem, com até duas casas decimais. */
          value: number;
          /** Se a porcentagem é por dia, mês ou ano. Padrão: `"month"`. */
          per?: 'day' | 'month' | 'year' | undefined;
          /** `calendar` conta dias corridos, `business` só dias úteis. Padrão: `"calendar"`. */
          days?: 'calendar' | 'business' | undefined;
        }
      | null
      | undefined;
    /** O abatimento, que vale sempre. */
    rebate?:
      | {
          /** `amount` em reais, `percent` em porcentagem. */
          type: 'amount' | 'percent';
          /** Em reais ou em porcentagem, com até duas casas decimais. */
          value: number;
        }
      | null
      | undefined;
    /** Descontos para quem paga até um dia: de 1 a 3, do mesmo `type`. Vale o que acaba primeiro. */
    discounts?:
      | ReadonlyArray<{
          /** `amount` em reais, `percent` em porcentagem. */
          type: 'amount' | 'percent';
          /** Em reais ou em porcentagem, com até duas casas decimais. */
          value: number;
          /** O último dia deste desconto. */
          until: string;
        }>
      | null
      | undefined;
    /** O desconto por dia de antecipação. Não junto com `discounts`. */
    early_discount?:
      | {
          /** `amount` em reais, `percent` em porcentagem. */
          type: 'amount' | 'percent';
          /** Em reais ou em porcentagem, com até duas casas decimais. */
          value: number;
          /** `calendar` conta dias corridos, `business` só dias úteis. Padrão: `"calendar"`. */
          days?: 'calendar' | 'business' | undefined;
        }
      | null
      | undefined;
  }>;
};

export type ChargeBatchesQuery = {
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** Continua depois deste ponto: o `next` da página anterior. Até 200 caracteres. */
  before?: string | undefined;
};

export type ChargeBatchLinesQuery = {
  /** Só as linhas neste estado. */
  state?: 'waiting' | 'created' | 'refused' | 'cancelled' | undefined;
  /** Quantos, no máximo, em uma página. De 1 a 100. Padrão: `10`. */
  limit?: number | undefined;
  /** O `next` da página anterior. Padrão: `0`. */
  after?: number | undefined;
};

export type ListedPayment = {
  /** O id. */
  id: string;
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. */
  external_id: string | null;
  /** Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks. */
  metadata: Record<string, string>;
  /** O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante. */
  description: string | null;
  /** Endereço https a que a página de pagamento leva depois de paga. */
  success_url: string | null;
  /** A página de pagamento desta cobrança: envie-a a quem paga. Não precisa de login. */
  checkout_url: string;
  /** O comprovante, para quem pagou. Nulo antes do pagamento. */
  receipt_url: string | null;
  /** O link de pagamento por que veio. Nulo se não veio de um. */
  payment_link_id: string | null;
  /** O QR Code de balcão por que veio. Nulo se não veio de um. */
  counter_code_id: string | null;
  /** O estado. Veja a tabela de estados (/docs#estados-pagamento). */
  status: ChargeStatus;
  /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
  amount: number;
  /** Em reais, o que entra no saldo: o valor já sem a tarifa. Numa conta própria entra o valor inteiro, e a tarifa é cobrada depois. */
  credited_amount: number;
  /** A parte do valor líquido que vai para a reserva quando o pagamento chega, e entra no saldo dias depois. Zero numa conta própria. */
  reserved_amount: number;
  /** Tarifa, em reais. */
  fee: number;
  /** Vem, com `true`, quando você recebe em conta própria: o valor cai inteiro nela, e a tarifa vai na fatura do mês. */
  fee_billed?: boolean;
  /** Vem quando é de uma conta própria: o nome que você deu a ela. */
  account_name?: string;
  /** Soma do que já foi devolvido, em reais. */
  refunded_amount: number;
  /** Quando foi criado. */
  created_at: string;
  /** Quando foi pago. Nulo antes disso. */
  paid_at: string | null;
  /** Até quando o código pode ser pago. */
  expires_at: string;
  /** O Pix copia e cola. */
  content: string;
  /** O id do Pix no Banco Central. Nulo antes do pagamento. */
  end_to_end_id: string | null;
  /** Quem pagou. Nulo antes do pagamento, e quando o banco não informa. */
  payer: Payer | null;
  /** Quando você cancelou a cobrança. Nulo se não cancelou. */
  cancelled_at: string | null;
  /** O cliente de quem você cobra, se a cobrança é de um cliente cadastrado. */
  customer_id?: string;
  /** De quem você cobra, quando a cobrança diz. */
  billed_to?: {
    /** Nome de quem você cobra. */
    name: string;
    /** CPF ou CNPJ de quem você cobra. */
    document: string;
  };
  /** Só numa cobrança com vencimento: o que muda no valor, e quanto é hoje. */
  due?: {
    /** O dia do vencimento. Num fim de semana ou feriado nacional, vale o dia útil seguinte. Com ele, `expires_in` não conta. */
    due_date: string;
    /** O último dia em que o banco de quem paga aceita. Um feriado da cidade dele pode estendê-lo. */
    valid_until: string;
    /** Por quantos dias corridos depois do vencimento ainda se paga; 30 se você não disser. */
    valid_after_due: number;
    /** A multa por atraso, uma vez. */
    fine: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Os juros por atraso. Um valor em reais é por dia. */
    interest: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** Se a porcentagem é por dia, mês ou ano. */
      per: 'day' | 'month' | 'year';
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** O abatimento, que vale sempre. */
    rebate: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Descontos para quem paga até um dia: de 1 a 3, do mesmo `type`. Vale o que acaba primeiro. */
    discounts: Array<{
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** O último dia deste desconto. */
      until: string;
    }> | null;
    /** O desconto por dia de antecipação. Não junto com `discounts`. */
    early_discount: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** Quanto se paga hoje, pela nossa conta; quem calcula de fato é o banco. Nulo depois de paga ou encerrada. */
    amount_today: number | null;
    /** Como o valor se compõe: o que o banco explicou, depois de paga; antes, a nossa conta de hoje. */
    parts: {
      /** O valor antes de multa, juros, abatimento e desconto. */
      original_amount: number;
      /** A multa. */
      fine_amount: number;
      /** Os juros. */
      interest_amount: number;
      /** O abatimento. */
      rebate_amount: number;
      /** O desconto. */
      discount_amount: number;
    } | null;
  };
};

export type Payer = {
  /** Nome de quem pagou. */
  name: string | null;
  /** Documento de quem pagou; de um CPF, só os dígitos do meio. */
  document: string | null;
};

export type Refund = {
  /** O id na Jangada. */
  id: string;
  /** O nome que você deu ao estorno em `id`. Nulo se não deu. */
  refund_id: string | null;
  /** O id da cobrança. */
  payment_id: string;
  /** Veja a tabela de estados (/docs#estados-estorno). */
  status: RefundStatus;
  /** Valor devolvido, em reais. */
  amount: number;
  /** O motivo, para os seus registros. */
  reason: string;
  /** Quem pediu: pelo painel, pela API, o operador, ou o banco por conta própria. */
  origin: 'panel' | 'api' | 'operator' | 'bank';
  /** Quem fez isto no painel. Só vem em uma sessão do painel: uma chave de API nunca recebe o nome de uma pessoa. */
  made_by?: {
    /** O id da pessoa. */
    id: string;
    /** O nome da pessoa. */
    name: string;
    /** Se a pessoa ainda é membro da conta. */
    member: boolean;
  } | null;
  /** Por que falhou ou espera, em uma frase. Nulo quando está tudo certo. */
  error: string | null;
  /** Verdadeiro enquanto espera a aprovação de outra pessoa da conta, o que `error` então diz. */
  awaits_approval?: boolean;
  /** O id da devolução no banco. Nulo até ele informar. */
  rtr_id: string | null;
  /** Quando foi criado. */
  created_at: string;
  /** Quando terminou. Nulo antes disso. */
  completed_at: string | null;
};

export type TimelineEntry = {
  /** Quando aconteceu. */
  at: string;
  /** O que aconteceu. */
  kind:
    | 'created'
    | 'cancelled'
    | 'expired'
    | 'failed'
    | 'paid'
    | 'credited'
    | 'webhook'
    | 'refund'
    | 'dispute';
  /** O mesmo, em uma frase. */
  title: string;
  /** Nomes e valores para procurar mais. */
  facts: Array<{
    /** O nome. */
    label: string;
    /** O valor. */
    value: string;
  }>;
  /** `false` quando algo deu errado. */
  ok: boolean;
  /** Quem fez isto no painel. Só vem em uma sessão do painel: uma chave de API nunca recebe o nome de uma pessoa. */
  made_by?: {
    /** O id da pessoa. */
    id: string;
    /** O nome da pessoa. */
    name: string;
    /** Se a pessoa ainda é membro da conta. */
    member: boolean;
  };
};

export type WebhookDelivery = {
  /** O id na Jangada. */
  id: string;
  /** O `webhook-id`: o mesmo em todas as entregas do evento. */
  event_id: string;
  /** O tipo do evento. Veja a tabela (/docs#tipos-de-evento). */
  type: string;
  /** O id da cobrança, do saque ou da disputa de que o evento fala. */
  subject_id: string;
  /** O endereço cadastrado. Nulo: foi à `callback_url` da cobrança ou do saque. */
  endpoint_id: string | null;
  /** Para onde foi. */
  url: string;
  /** `waiting` será tentada; `held` espera o endereço ser ligado; `delivered` foi entregue; `failed` não é mais tentada. */
  state: WebhookDeliveryState;
  /** Quantas tentativas já foram feitas. */
  attempts: number;
  /** O status HTTP da última resposta. Nulo se não houve resposta. */
  last_status: number | null;
  /** Por que não houve resposta. */
  last_error: string | null;
  /** Quando será a próxima tentativa. Nulo se não haverá. */
  next_attempt_at: string | null;
  /** Se foi reenviada à mão. */
  resent: boolean;
  /** Quando foi criado. */
  created_at: string;
  /** Quando foi entregue, ou deixou de ser tentada. */
  finished_at: string | null;
};

export type WebhookAttempt = {
  /** A primeira tentativa é 1. */
  number: number;
  /** Quando. */
  at: string;
  /** Quanto a resposta demorou, em milissegundos. */
  duration_ms: number;
  /** O status HTTP da resposta. */
  status: number | null;
  /** Por que não houve resposta, em uma palavra. */
  error: string | null;
  /** O mesmo, em uma frase. */
  error_text: string | null;
  /** Os cabeçalhos enviados. */
  headers: Record<string, string>;
  /** O começo da resposta do seu sistema. */
  answer: string | null;
};

export type WebhookDoctorFinding = {
  /** A causa, em uma palavra. */
  code: WebhookDoctorVerdict;
  /** O que está errado. */
  message: string;
  /** Como consertar. */
  hint: string;
};

export type CreatedPayment = {
  /** O id na Jangada. */
  id: string;
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. */
  external_id: string | null;
  /** Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks. */
  metadata: Record<string, string>;
  /** O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante. */
  description: string | null;
  /** Endereço https a que a página de pagamento leva depois de paga. */
  success_url: string | null;
  /** A página de pagamento desta cobrança: envie-a a quem paga. Não precisa de login. */
  checkout_url: string;
  /** O Pix copia e cola. `text` e `content` são iguais. */
  text: string;
  /** O Pix copia e cola. */
  content: string;
  /** O QR Code, um PNG como data URI. Nulo quando você pediu `image: false`. */
  image: string | null;
  /** O estado. Veja a tabela de estados (/docs#estados-pagamento). */
  status: ChargeStatus;
  /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
  amount: number;
  /** Tarifa, em reais. */
  fee: number;
  /** Vem, com `true`, quando você recebe em conta própria: o valor cai inteiro nela, e a tarifa vai na fatura do mês. */
  fee_billed?: boolean;
  /** Em reais, o que entra no saldo: o valor já sem a tarifa. Numa conta própria entra o valor inteiro, e a tarifa é cobrada depois. */
  credited_amount: number;
  /** A parte do valor líquido que vai para a reserva quando o pagamento chega, e entra no saldo dias depois. Zero numa conta própria. */
  reserved_amount: number;
  /** Quando foi criado. */
  created_at: string;
  /** Até quando o código pode ser pago. */
  expires_at: string;
  /** O cliente de quem você cobra, se a cobrança é de um cliente cadastrado. */
  customer_id?: string;
  /** De quem você cobra, quando a cobrança diz. */
  billed_to?: {
    /** Nome de quem você cobra. */
    name: string;
    /** CPF ou CNPJ de quem você cobra. */
    document: string;
  };
  /** Só numa cobrança com vencimento: o que muda no valor, e quanto é hoje. */
  due?: {
    /** O dia do vencimento. Num fim de semana ou feriado nacional, vale o dia útil seguinte. Com ele, `expires_in` não conta. */
    due_date: string;
    /** O último dia em que o banco de quem paga aceita. Um feriado da cidade dele pode estendê-lo. */
    valid_until: string;
    /** Por quantos dias corridos depois do vencimento ainda se paga; 30 se você não disser. */
    valid_after_due: number;
    /** A multa por atraso, uma vez. */
    fine: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Os juros por atraso. Um valor em reais é por dia. */
    interest: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** Se a porcentagem é por dia, mês ou ano. */
      per: 'day' | 'month' | 'year';
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** O abatimento, que vale sempre. */
    rebate: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Descontos para quem paga até um dia: de 1 a 3, do mesmo `type`. Vale o que acaba primeiro. */
    discounts: Array<{
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** O último dia deste desconto. */
      until: string;
    }> | null;
    /** O desconto por dia de antecipação. Não junto com `discounts`. */
    early_discount: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** Quanto se paga hoje, pela nossa conta; quem calcula de fato é o banco. Nulo depois de paga ou encerrada. */
    amount_today: number | null;
    /** Como o valor se compõe: o que o banco explicou, depois de paga; antes, a nossa conta de hoje. */
    parts: {
      /** O valor antes de multa, juros, abatimento e desconto. */
      original_amount: number;
      /** A multa. */
      fine_amount: number;
      /** Os juros. */
      interest_amount: number;
      /** O abatimento. */
      rebate_amount: number;
      /** O desconto. */
      discount_amount: number;
    } | null;
  };
};

export type Payment = {
  /** O id na Jangada. */
  id: string;
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. */
  external_id: string | null;
  /** Textos seus, por nome: até 20 nomes de até 40 caracteres, cada texto com até 500. Voltam nas consultas e nos webhooks. */
  metadata: Record<string, string>;
  /** O que quem paga lê sobre a cobrança, na página de pagamento e no comprovante. */
  description: string | null;
  /** Endereço https a que a página de pagamento leva depois de paga. */
  success_url: string | null;
  /** A página de pagamento desta cobrança: envie-a a quem paga. Não precisa de login. */
  checkout_url: string;
  /** O comprovante, para quem pagou. Nulo antes do pagamento. */
  receipt_url: string | null;
  /** O link de pagamento por que veio. Nulo se não veio de um. */
  payment_link_id: string | null;
  /** O QR Code de balcão por que veio. Nulo se não veio de um. */
  counter_code_id: string | null;
  /** O estado. Veja a tabela de estados (/docs#estados-pagamento). */
  status: ChargeStatus;
  /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
  amount: number;
  /** Em reais, o que entra no saldo: o valor já sem a tarifa. Numa conta própria entra o valor inteiro, e a tarifa é cobrada depois. */
  credited_amount: number;
  /** A parte do valor líquido que vai para a reserva quando o pagamento chega, e entra no saldo dias depois. Zero numa conta própria. */
  reserved_amount: number;
  /** Quando foi criado. */
  created_at: string;
  /** Quando foi pago. Nulo antes disso. */
  paid_at: string | null;
  /** Até quando o código pode ser pago. */
  expires_at: string;
  /** Soma do que já foi devolvido, em reais. */
  refunded_amount: number;
  /** O id do Pix no Banco Central. Nulo antes do pagamento. */
  end_to_end_id: string | null;
  /** Quem pagou. Nulo antes do pagamento, e quando o banco não informa. */
  payer: Payer | null;
  /** Quando você cancelou a cobrança. Nulo se não cancelou. */
  cancelled_at: string | null;
  /** O cliente de quem você cobra, se a cobrança é de um cliente cadastrado. */
  customer_id?: string;
  /** De quem você cobra, quando a cobrança diz. */
  billed_to?: {
    /** Nome de quem você cobra. */
    name: string;
    /** CPF ou CNPJ de quem você cobra. */
    document: string;
  };
  /** Só numa cobrança com vencimento: o que muda no valor, e quanto é hoje. */
  due?: {
    /** O dia do vencimento. Num fim de semana ou feriado nacional, vale o dia útil seguinte. Com ele, `expires_in` não conta. */
    due_date: string;
    /** O último dia em que o banco de quem paga aceita. Um feriado da cidade dele pode estendê-lo. */
    valid_until: string;
    /** Por quantos dias corridos depois do vencimento ainda se paga; 30 se você não disser. */
    valid_after_due: number;
    /** A multa por atraso, uma vez. */
    fine: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Os juros por atraso. Um valor em reais é por dia. */
    interest: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** Se a porcentagem é por dia, mês ou ano. */
      per: 'day' | 'month' | 'year';
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** O abatimento, que vale sempre. */
    rebate: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
    } | null;
    /** Descontos para quem paga até um dia: de 1 a 3, do mesmo `type`. Vale o que acaba primeiro. */
    discounts: Array<{
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** O último dia deste desconto. */
      until: string;
    }> | null;
    /** O desconto por dia de antecipação. Não junto com `discounts`. */
    early_discount: {
      /** `amount` em reais, `percent` em porcentagem. */
      type: 'amount' | 'percent';
      /** Em reais ou em porcentagem, com até duas casas decimais. */
      value: number;
      /** `calendar` conta dias corridos, `business` só dias úteis. */
      days: 'calendar' | 'business';
    } | null;
    /** Quanto se paga hoje, pela nossa conta; quem calcula de fato é o banco. Nulo depois de paga ou encerrada. */
    amount_today: number | null;
    /** Como o valor se compõe: o que o banco explicou, depois de paga; antes, a nossa conta de hoje. */
    parts: {
      /** O valor antes de multa, juros, abatimento e desconto. */
      original_amount: number;
      /** A multa. */
      fine_amount: number;
      /** Os juros. */
      interest_amount: number;
      /** O abatimento. */
      rebate_amount: number;
      /** O desconto. */
      discount_amount: number;
    } | null;
  };
};

export type PaymentsPage = {
  /** O que foi encontrado. */
  data: Array<ListedPayment>;
  /** O `before` da página seguinte, mais antiga. Nulo na última. */
  next: string | null;
};

export type PaymentTimeline = {
  /** O que foi encontrado. */
  data: Array<TimelineEntry>;
};

export type PaymentRefunds = {
  /** Os estornos deste pagamento. */
  refunds: Array<Refund>;
  /** Soma do que já foi devolvido, em reais. */
  refunded_amount: number;
  /** O que está a caminho de volta agora, em reais. */
  refunding_amount: number;
  /** O que ainda pode ser devolvido, em reais. */
  refundable_amount: number;
  /** Até quando o banco aceita um estorno deste pagamento. */
  refundable_until: string | null;
  /** Por que não pode ser estornado agora. Nulo quando pode. */
  blocked_because: string | null;
};

export type CreatedWithdrawal = {
  /** O mesmo, em uma frase. */
  message: string;
  /** O id do saque. */
  withdrawal_id: string;
  /** O que sai do saldo, **em centavos**: `10000` são R$ 100,00. */
  amount: number;
  /** Tarifa, **em centavos**. A chave recebe `amount` menos `fee`. */
  fee: number;
  /** Veja a tabela de estados (/docs#estados-saque). */
  status: WithdrawalStatus;
};

export type WithdrawalsPage = {
  /** O que foi encontrado. */
  data: Array<Withdrawal>;
  /** O `before` da página seguinte, mais antiga. Nulo na última. */
  next: string | null;
};

export type Withdrawal = {
  /** O id do saque. */
  withdrawal_id: string;
  /** Veja a tabela de estados (/docs#estados-saque). */
  status: WithdrawalStatus;
  /** O que saiu do saldo, **em centavos**. */
  amount: number;
  /** Tarifa, **em centavos**. A chave recebe `amount` menos `fee`. */
  fee: number;
  /** Soma do que voltou ao saldo depois de pago, **em centavos**. */
  returned_amount: number;
  /** A chave Pix que recebe. */
  pix_key: string;
  /** O tipo da chave. */
  pix_key_type: PixKeyType;
  /** O id do Pix no Banco Central. Nulo até o banco o informar. */
  end_to_end_id: string | null;
  /** Por que falhou ou espera, em uma frase. Nulo quando está tudo certo. */
  error: string | null;
  /** Quando foi criado. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
  /** Quando terminou. Nulo antes disso. */
  completed_at: string | null;
};

export type Balance = {
  /** O que pode ser sacado ou estornado agora, em reais: a soma de `at_operator` e `at_own_bank` se você recebe em conta própria, senão `at_operator`. */
  available: number;
  /** O que fica em reserva por alguns dias antes de ser liberado, em reais. */
  reserved: number;
  /** O que disputas abertas bloqueiam, em reais. */
  blocked: number;
  /** Saques e estornos pedidos que o banco ainda não concluiu, em reais. */
  in_transit: number;
  /** O que falta a disputas, em reais: sai do próximo dinheiro que entrar. */
  owed: number;
  /** O que pode ser sacado da conta do operador, em reais. */
  at_operator: number;
  /** O que entrou nas suas contas próprias e não saiu por aqui, em reais. O gateway não vê o que mais acontece nelas, e por isso o valor pode ser negativo. */
  at_own_bank: number;
};

export type EventsPage = {
  /** O que foi encontrado. */
  data: Array<FeedEvent>;
  /** Se já há mais para ler. Com `type`, uma página curta ou vazia pode não ser a última: siga enquanto for `true`. */
  has_more: boolean;
  /** O `after` da próxima chamada, também quando `has_more` é `false`. Guarde-o. Nulo enquanto não há eventos. */
  next: string | null;
};

export type WebhookEndpoints = {
  /** Os endereços cadastrados. */
  endpoints: Array<WebhookEndpoint>;
  /** Quantos endereços uma conta pode ter. */
  limit: number;
};

export type CreatedWebhookEndpoint = {
  /** O id na Jangada. */
  id: string;
  /** O endereço https que recebe os eventos. */
  url: string;
  /** Para você reconhecer o endereço. */
  description: string;
  /** Os tipos que este endereço recebe. Vazio: todos, também os que vierem a existir. */
  events: Array<EventType>;
  /** `on` recebe; `off` está desligado. */
  state: 'on' | 'off';
  /** Por que está desligado: você (`merchant`), resposta 410 (`gone`) ou dias de falhas (`failing`). */
  off_reason: 'merchant' | 'gone' | 'failing' | null;
  /** Quando foi desligado. */
  off_at: string | null;
  /** Desde quando só falha. Nulo enquanto está tudo certo. */
  failing_since: string | null;
  /** Quantas tentativas seguidas falharam. */
  failures: number;
  /** A última entrega que deu certo, com um minuto de margem. */
  last_delivered_at: string | null;
  /** Quando foi criado. */
  created_at: string;
  /** O segredo que assina as entregas deste endereço. Guarde-o agora. */
  secret: string;
};

export type WebhookEndpoint = {
  /** O id na Jangada. */
  id: string;
  /** O endereço https que recebe os eventos. */
  url: string;
  /** Para você reconhecer o endereço. */
  description: string;
  /** Os tipos que este endereço recebe. Vazio: todos, também os que vierem a existir. */
  events: Array<EventType>;
  /** `on` recebe; `off` está desligado. */
  state: 'on' | 'off';
  /** Por que está desligado: você (`merchant`), resposta 410 (`gone`) ou dias de falhas (`failing`). */
  off_reason: 'merchant' | 'gone' | 'failing' | null;
  /** Quando foi desligado. */
  off_at: string | null;
  /** Desde quando só falha. Nulo enquanto está tudo certo. */
  failing_since: string | null;
  /** Quantas tentativas seguidas falharam. */
  failures: number;
  /** A última entrega que deu certo, com um minuto de margem. */
  last_delivered_at: string | null;
  /** Quando foi criado. */
  created_at: string;
};

export type WebhookEndpointSecret = {
  /** O segredo que assina as entregas deste endereço. Guarde-o agora. */
  secret: string;
};

export type WebhookDeliveriesPage = {
  /** As entregas. */
  deliveries: Array<WebhookDelivery>;
  /** Se há entregas mais antigas. Com `type` ou `endpoint`, uma página curta ou vazia pode não ser a última: siga enquanto for `true`. */
  has_more: boolean;
  /** O `before` da página seguinte, mais antiga. Nulo na última. */
  next: string | null;
};

export type WebhookDeliveryDetail = {
  /** O id na Jangada. */
  id: string;
  /** O `webhook-id`: o mesmo em todas as entregas do evento. */
  event_id: string;
  /** O tipo do evento. Veja a tabela (/docs#tipos-de-evento). */
  type: string;
  /** O id da cobrança, do saque ou da disputa de que o evento fala. */
  subject_id: string;
  /** O endereço cadastrado. Nulo: foi à `callback_url` da cobrança ou do saque. */
  endpoint_id: string | null;
  /** Para onde foi. */
  url: string;
  /** `waiting` será tentada; `held` espera o endereço ser ligado; `delivered` foi entregue; `failed` não é mais tentada. */
  state: WebhookDeliveryState;
  /** Quantas tentativas já foram feitas. */
  attempts: number;
  /** O status HTTP da última resposta. Nulo se não houve resposta. */
  last_status: number | null;
  /** Por que não houve resposta. */
  last_error: string | null;
  /** Quando será a próxima tentativa. Nulo se não haverá. */
  next_attempt_at: string | null;
  /** Se foi reenviada à mão. */
  resent: boolean;
  /** Quando foi criado. */
  created_at: string;
  /** Quando foi entregue, ou deixou de ser tentada. */
  finished_at: string | null;
  /** O corpo enviado, byte a byte. Nulo se o evento já não é guardado. */
  body: string | null;
  /** Cada tentativa. */
  log: Array<WebhookAttempt>;
};

export type ResentWebhookDeliveries = {
  /** Quantas estão a caminho de novo. */
  resent: number;
  /** Quantas não foram: desconhecidas, de um endereço desligado, ou de um evento já esquecido. */
  skipped: number;
  /** Se o período tem mais: repita com `last_at` em `from`. */
  has_more: boolean;
  /** Quando foi criada a última que foi vista: o `from` com que continuar. Nulo quando nada foi visto, e com `ids`. */
  last_at: string | null;
};

export type WebhookDoctorAnswer = {
  /** Se a assinatura confere agora. */
  ok: boolean;
  /** A causa que melhor explica. */
  verdict: WebhookDoctorVerdict;
  /** Tudo o que foi notado. */
  findings: Array<WebhookDoctorFinding>;
};

export type PaymentLinksPage = {
  /** O que foi encontrado. */
  data: Array<PaymentLink>;
  /** O `before` da página seguinte, mais antiga. Nulo na última: com `status`, uma página curta ou vazia pode não ser a última. */
  next: string | null;
};

export type ChargeBatch = {
  /** O id na Jangada. */
  id: string;
  /** Como você chama o lote. */
  reference: string | null;
  /** `working` enquanto uma linha espera; depois `completed`. */
  status: 'working' | 'completed';
  /** Quantas linhas tem. */
  size: number;
  /** Quantas linhas ainda esperam. */
  waiting: number;
  /** Quantas viraram cobranças. */
  created: number;
  /** Quantas foram recusadas. */
  refused: number;
  /** Quantas foram canceladas antes de começar. */
  cancelled: number;
  /** Quando foi criado. */
  created_at: string;
  /** Quando terminou. Nulo antes disso. */
  completed_at: string | null;
};

export type ChargeBatchesPage = {
  /** O que foi encontrado. */
  data: Array<ChargeBatch>;
  /** O valor a enviar na chamada seguinte para continuar. Nulo no fim. */
  next: string | null;
};

export type ChargeBatchLinesPage = {
  /** O que foi encontrado. */
  data: Array<{
    /** O número da linha, a partir de 1. */
    line: number;
    /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. */
    external_id: string;
    /** `waiting`, `created`, `refused` ou `cancelled`. */
    state: 'waiting' | 'created' | 'refused' | 'cancelled';
    /** A cobrança. Nulo até que exista. */
    payment_id: string | null;
    /** A página de pagamento desta cobrança: envie-a a quem paga. Não precisa de login. */
    checkout_url: string | null;
    /** O Pix copia e cola. */
    content: string | null;
    /** O código (/docs#erros) da recusa. Nulo sem recusa. */
    code: string | null;
    /** A recusa em palavras. Nulo sem recusa. */
    message: string | null;
  }>;
  /** O `after` da próxima página. Nulo na última. */
  next: number | null;
};

export type PayerRules = {
  /** Quem paga é outra pessoa que não a da cobrança: `accept`, `hold` ou `give_back`. */
  other_payer: 'accept' | 'hold' | 'give_back' | null;
  /** O Pix chega fora do prazo, ou a cobrança já terminou: `accept`, `hold` ou `give_back`. */
  late: 'accept' | 'hold' | 'give_back' | null;
  /** A cobrança já está paga: `accept`, `hold` ou `give_back`. */
  doubled: 'accept' | 'hold' | 'give_back' | null;
};

export type HeldPixPage = {
  /** O que foi encontrado. */
  data: Array<HeldPix>;
  /** O valor a enviar na chamada seguinte para continuar. Nulo no fim. */
  next: string | null;
};

export type HeldPix = {
  /** O id na Jangada. */
  id: string;
  /** O id do Pix no Banco Central. Nulo antes do pagamento. */
  end_to_end_id: string;
  /** Valor cobrado, em reais: `25.9` são R$ 25,90. */
  amount: number;
  /** Quando foi pago. Nulo antes disso. */
  paid_at: string;
  /** Desde quando está retido, ou a caminho de volta. */
  held_at: string;
  /** Por que não foi creditado: `other-payer` (outra pessoa), `late` (fora do prazo), `second-payment` (já paga) e, numa conta própria, `wrong-amount`, `wrong-key` ou `below-fee`. */
  why: 'other-payer' | 'late' | 'second-payment' | 'wrong-amount' | 'wrong-key' | 'below-fee';
  /** `accepted`: foi creditado. */
  state: 'held' | 'accepted' | 'returning' | 'returned';
  /** O id da cobrança. */
  payment_id: string;
  /** Como o seu sistema chama esta cobrança. Não precisa ser único; serve para procurar. */
  external_id: string | null;
  /** O pagamento que virou, se foi aceito ou devolvido de uma conta própria. Nulo enquanto está retido. */
  credited_payment_id: string | null;
  /** A conta própria em que chegou. Nulo na conta da operação. */
  connection_id: string | null;
  /** Quem pagou. Nulo antes do pagamento, e quando o banco não informa. */
  payer: {
    /** Nome de quem pagou. */
    name: string | null;
    /** Documento de quem pagou; de um CPF, só os dígitos do meio. */
    document: string | null;
  } | null;
  /** Quando se decidiu. Nulo enquanto espera. */
  decided_at: string | null;
};

export type PaymentLink = {
  /** O id na Jangada. */
  id: string;
  /** A página do link: envie-a a quem paga. */
  url: string;
  /** O que está à venda, como título da página. */
  title: string;
  /** O que quem paga lê abaixo do título. */
  description: string | null;
  /** Valor em reais. Nulo: quem paga digita. */
  amount: number | null;
  /** Quantos pagamentos o link aceita. Nulo: quantos vierem. */
  max_payments: number | null;
  /** Até quando o link aceita pagamentos. Nulo: sem fim. */
  ends_at: string | null;
  /** Endereço https a que a página de pagamento leva depois de paga. */
  success_url: string | null;
  /** `false` quando você o desligou. */
  active: boolean;
  /** `active` recebe; `off` foi desligado; `ended` passou do fim; `sold_out` chegou ao limite de pagamentos. */
  state: PaymentLinkState;
  /** Quantos pagamentos já foram feitos por ele. */
  payments: number;
  /** A soma deles em reais, sem descontar tarifas nem estornos. */
  received: number;
  /** Quando foi criado. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
};

export type CounterCodesPage = {
  /** O que foi encontrado. */
  data: Array<CounterCode>;
  /** O valor a enviar na chamada seguinte para continuar. Nulo no fim. */
  next: string | null;
};

export type CounterCode = {
  /** O id na Jangada. */
  id: string;
  /** Um nome para você reconhecer. */
  name: string;
  /** Valor em reais que está no código. Nulo: quem paga digita. */
  amount: number | null;
  /** `false` quando você o desligou. */
  active: boolean;
  /** O Pix copia e cola a imprimir, que não vence. */
  text: string;
  /** A página para imprimir. */
  print_url: string;
  /** Quantos pagamentos já foram feitos por ele. */
  payments: number;
  /** A soma deles em reais, sem descontar tarifas nem estornos. */
  received: number;
  /** Quando foi criado. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
};

export type CustomersPage = {
  /** O que foi encontrado. */
  data: Array<Customer>;
  /** O `before` da página seguinte, mais antiga. Nulo na última: com `search`, uma página curta ou vazia pode não ser a última. */
  next: string | null;
};

export type Customer = {
  /** O id na Jangada. */
  id: string;
  /** O nome do cliente. */
  name: string;
  /** CPF ou CNPJ do cliente. */
  document: string;
  /** E-mail do cliente, para os lembretes. */
  email: string | null;
  /** Telefone do cliente. Sem código de país, é brasileiro. */
  phone: string | null;
  /** Endereço do cliente: inteiro ou nulo. */
  address: {
    /** Rua, número e complemento. */
    street: string;
    /** A cidade. */
    city: string;
    /** A UF, como `PE`. */
    state: string;
    /** O CEP, com oito dígitos. */
    zip_code: string;
  } | null;
  /** Uma observação que só a sua equipe vê. */
  note: string | null;
  /** O id do cliente no seu sistema, que não se repete entre os ativos. */
  external_id: string | null;
  /** A página com tudo o que o cliente tem em aberto: envie-a só a ele. Nulo para quem não vê documentos. */
  page_url: string | null;
  /** Quando o cliente parou os lembretes por e-mail. Nulo se ainda os recebe. */
  reminders_stopped_at: string | null;
  /** Quando o cliente foi arquivado. Nulo se está ativo. */
  archived_at: string | null;
  /** Quando o cliente foi cadastrado. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
  /** Quem fez isto no painel. Só vem em uma sessão do painel: uma chave de API nunca recebe o nome de uma pessoa. */
  made_by?: {
    /** O id da pessoa. */
    id: string;
    /** O nome da pessoa. */
    name: string;
    /** Se a pessoa ainda é membro da conta. */
    member: boolean;
  } | null;
};

export type CustomerDetail = {
  /** O id na Jangada. */
  id: string;
  /** O nome do cliente. */
  name: string;
  /** CPF ou CNPJ do cliente. */
  document: string;
  /** E-mail do cliente, para os lembretes. */
  email: string | null;
  /** Telefone do cliente. Sem código de país, é brasileiro. */
  phone: string | null;
  /** Endereço do cliente: inteiro ou nulo. */
  address: {
    /** Rua, número e complemento. */
    street: string;
    /** A cidade. */
    city: string;
    /** A UF, como `PE`. */
    state: string;
    /** O CEP, com oito dígitos. */
    zip_code: string;
  } | null;
  /** Uma observação que só a sua equipe vê. */
  note: string | null;
  /** O id do cliente no seu sistema, que não se repete entre os ativos. */
  external_id: string | null;
  /** A página com tudo o que o cliente tem em aberto: envie-a só a ele. Nulo para quem não vê documentos. */
  page_url: string | null;
  /** Quando o cliente parou os lembretes por e-mail. Nulo se ainda os recebe. */
  reminders_stopped_at: string | null;
  /** Quando o cliente foi arquivado. Nulo se está ativo. */
  archived_at: string | null;
  /** Quando o cliente foi cadastrado. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
  /** O número da versão: envie o que leu ao alterar. */
  version: number;
  /** Quem fez isto no painel. Só vem em uma sessão do painel: uma chave de API nunca recebe o nome de uma pessoa. */
  made_by?: {
    /** O id da pessoa. */
    id: string;
    /** O nome da pessoa. */
    name: string;
    /** Se a pessoa ainda é membro da conta. */
    member: boolean;
  } | null;
  /** O que o cliente deve hoje e o que já pagou. Nulo para um membro que não vê todas as cobranças. */
  totals: {
    /** O que pode ser pago agora, vencido ou não, pelo valor de hoje. */
    open: {
      /** Quantas cobranças. */
      count: number;
      /** A soma, em reais. */
      amount: number;
    };
    /** A parte que já venceu. */
    overdue: {
      /** Quantas cobranças. */
      count: number;
      /** A soma, em reais. */
      amount: number;
    };
    /** O que foi pago, menos o que foi devolvido. */
    paid: {
      /** Quantas cobranças. */
      count: number;
      /** A soma, em reais. */
      amount: number;
    };
  } | null;
};

export type Subscription = {
  /** O id da assinatura. */
  id: string;
  /** `waiting`: o pagador ainda não autorizou; `active`; `past_due`: o último ciclo não foi pago; `ended`. */
  status: SubscriptionStatus;
  /** Quem paga. */
  payer: {
    /** O nome de quem paga. */
    name: string;
    /** O CPF ou CNPJ de quem paga. */
    document: string;
  };
  /** O cliente cadastrado de quem é a assinatura. Nulo se não é de nenhum. */
  customer_id: string | null;
  /** O que se paga, como o banco do pagador mostra. Até 35 caracteres. */
  description: string;
  /** O valor de cada ciclo, em reais. Nulo se varia. */
  amount: number | null;
  /** Em valor variável: o limite que o pagador escolhe no banco não pode ser menor. */
  min_maximum: number | null;
  /** `weekly`, `monthly`, `quarterly`, `semiannual` ou `annual`. */
  period: SubscriptionPeriod;
  /** O dia do primeiro débito. O dia 31 vira o último dia dos meses mais curtos. */
  first_day: string;
  /** Nenhum ciclo vence depois deste dia. Nulo: sem fim. */
  last_day: string | null;
  /** Em que dias depois do débito se tenta de novo: até três, de 1 a 7. Vazio: nunca. */
  retry_days: Array<number>;
  /** Como o pagador autoriza: `code` lê um código; `pay` paga a primeira e autoriza; `offer` recebe a oferta ao pagar uma cobrança com vencimento; `push` recebe um pedido no app do banco. */
  authorization: SubscriptionAuthorization;
  /** A autorização no banco do pagador. */
  mandate: {
    /** `making`, `created`, `approved`, `rejected`, `expired` ou `cancelled`. */
    status: MandateStatus;
    /** O id da autorização no banco. Nulo até o banco criá-la. */
    id_rec: string | null;
    /** Como o pagador autorizou. Nulo antes disso. */
    allowed_by: SubscriptionAuthorization | null;
    /** Quando autorizou. */
    allowed_at: string | null;
    /** Quando a autorização terminou. */
    ended_at: string | null;
    /** Por que terminou, se o banco disse. */
    reason: {
      /** O código do banco, como `SLDB`. */
      code: string;
      /** O código em uma frase. */
      text: string;
    } | null;
  };
  /** O código copia e cola com que o pagador autoriza. Nulo se não há, ou ainda não. */
  code: string | null;
  /** A página em que o pagador autoriza, e depois acompanha. */
  page_url: string;
  /** A cobrança que se paga junto com a autorização. Nulo se não há. */
  first_payment_id: string | null;
  /** Como o seu sistema chama esta assinatura. */
  external_id: string | null;
  /** Textos seus, por nome. Voltam nas consultas, nas cobranças e nos webhooks. */
  metadata: Record<string, string>;
  /** Por que terminou: `finished`, `by_merchant`, `by_payer`, `by_bank`, `rejected` ou `not_allowed` (ninguém autorizou a tempo). Nulo se não terminou. */
  end: SubscriptionEnd | null;
  /** Quando terminou. */
  ended_at: string | null;
  /** O próximo ciclo, planejado ou em andamento. Nulo se não há. */
  next_cycle: Cycle | null;
  /** O dia do próximo débito, também antes que o ciclo seja planejado. Nulo se não há. */
  next_debit_day: string | null;
  /** Quando foi criada. */
  created_at: string;
  /** Quando mudou pela última vez. */
  updated_at: string;
};

export type SubscriptionsPage = {
  /** O que foi encontrado. */
  data: Array<Subscription>;
  /** O valor a enviar na chamada seguinte para continuar. Nulo no fim. */
  next: string | null;
};

export type CyclesPage = {
  /** O que foi encontrado. */
  data: Array<Cycle>;
};

export type Cycle = {
  /** O número do ciclo. O primeiro é 1. */
  number: number;
  /** `planned`: ainda não foi ao banco; `sending`: a ordem saiu; `scheduled`: o banco vai debitar; `retrying`: falhou e será tentado de novo; `paid`; `given_up`: terminou sem pagamento; `cancelled`. */
  status: CycleStatus;
  /** O dia que a assinatura diz. */
  due_day: string;
  /** O dia útil em que o banco debita. */
  debit_day: string;
  /** O valor do ciclo, em reais. Nulo enquanto não se sabe. */
  amount: number | null;
  /** Por que terminou sem débito: `refused`, `no_retries_left`, `expired`, `no_amount`, `too_late`, `mandate_ended`, `paid_otherwise`, `by_merchant`, `by_payer` ou `subscription_ended`. */
  reason: CycleReason | null;
  /** O que o banco disse. Nulo se nada. */
  bank_reason: {
    /** O código do banco, como `AM02`. */
    code: string;
    /** O código em uma frase. */
    text: string;
  } | null;
  /** A cobrança que o banco debita. Nulo antes do envio. */
  payment_id: string | null;
  /** A cobrança com código, para pagar o ciclo sem o débito. Nulo se não há. */
  other_payment_id: string | null;
  /** A página de pagamento dessa cobrança. */
  other_checkout_url: string | null;
  /** Quando foi pago. Nulo antes. */
  paid_at: string | null;
  /** Cada tentativa de débito, na ordem dos dias. */
  attempts: Array<{
    /** O dia da tentativa. */
    day: string;
    /** Se é uma nova tentativa, depois de uma que falhou. */
    retry: boolean;
    /** `requested`, `scheduled`, `paid`, `refused`, `cancelled` ou `expired`. */
    status: 'requested' | 'scheduled' | 'paid' | 'refused' | 'cancelled' | 'expired';
    /** O EndToEndId do débito. */
    end_to_end_id: string | null;
    /** Por que foi recusada. Nulo se não foi. */
    reason: {
      /** O código do banco, como `AM02`. */
      code: string;
      /** O código em uma frase. */
      text: string;
    } | null;
  }>;
};

export type SubscriptionSummary = {
  /** Quantas esperam a autorização. */
  waiting: number;
  /** Quantas estão em dia. */
  active: number;
  /** Quantas estão em atraso. */
  past_due: number;
  /** Quantos ciclos vencem em 31 dias. */
  expected_count: number;
  /** A soma deles, em reais, dos que têm valor. */
  expected: number;
  /** Quantas terminaram em 90 dias, por motivo. */
  ended: Array<{
    /** O motivo. */
    reason: SubscriptionEnd;
    /** Quantas. */
    count: number;
  }>;
};

/** O que aconteceu com uma cobrança. Valores em reais. */
export type PaymentEvent = {
  type: 'payment.paid' | 'payment.expired' | 'payment.refunded' | 'payment.error';
  id: string;
  paymentId: string;
  status: ChargeStatus;
  external_id?: string;
  metadata?: Record<string, string>;
  /** O valor de que o evento fala. */
  amount: number;
  refunded_amount?: number;
  /** O estorno de que o evento fala. */
  refund?: {
    id: string;
    refund_id: string | null;
    amount: number;
  };
  created_at: string;
  updated_at: string;
};

/** Um estorno que o banco recusou. Valores em reais. */
export type RefundFailedEvent = {
  type: 'refund.failed';
  id: string;
  paymentId: string;
  /** O estorno de que o evento fala. */
  refund: {
    id: string;
    refund_id: string | null;
    status: RefundStatus;
    amount: number;
    error: string;
  };
  created_at: string;
  updated_at: string;
};

/** O que aconteceu com um saque. **Valores em centavos.** */
export type WithdrawalEvent = {
  type: 'withdrawal.pending' | 'withdrawal.paid' | 'withdrawal.error';
  id: string;
  withdrawalId: string;
  status: WithdrawalStatus;
  /** O valor de que o evento fala. */
  amount: number;
  /** A tarifa. */
  fee: number;
  /** Soma do que já voltou. */
  returned_amount?: number;
  error?: string;
  created_at: string;
  updated_at: string;
};

/** O que aconteceu com uma disputa. Valores em reais. */
export type DisputeEvent = {
  type: 'dispute.opened' | 'dispute.closed';
  id: string;
  disputeId: string;
  paymentId: string | null;
  end_to_end_id: string;
  status: DisputeStatus;
  /** O valor de que o evento fala. */
  amount: number;
  /** O que fica bloqueado do saldo enquanto a disputa está aberta. */
  blocked_amount: number;
  /** Soma do que já voltou. */
  returned_amount: number;
  /** Até quando uma defesa pode ser enviada. */
  deadline: string;
  created_at: string;
  updated_at: string;
};

/** O que aconteceu com uma conta bancária. */
export type ConnectionEvent = {
  type: 'connection.broken' | 'connection.restored';
  id: string;
  connectionId: string;
  /** O banco da conta. */
  bank: string;
  /** O nome do banco. */
  bank_name: string;
  /** A chave Pix da conta. */
  pix_key: string;
  /** Desde quando nada funciona, ou nada funcionou. */
  since: string;
  /** O que falhou. */
  reason: string;
  created_at: string;
  updated_at: string;
};

/** O que aconteceu com uma assinatura, a autorização ou um ciclo dela. Valores em reais. */
export type SubscriptionEvent = {
  type:
    | 'mandate.approved'
    | 'mandate.rejected'
    | 'mandate.cancelled'
    | 'mandate.expired'
    | 'cycle.planned'
    | 'cycle.scheduled'
    | 'cycle.retrying'
    | 'cycle.paid'
    | 'cycle.given_up'
    | 'cycle.cancelled'
    | 'subscription.past_due'
    | 'subscription.recovered'
    | 'subscription.ended';
  id: string;
  subscriptionId: string;
  status: SubscriptionStatus;
  mandate_status: MandateStatus;
  external_id?: string;
  metadata?: Record<string, string>;
  cycle: {
    number: number;
    status: CycleStatus;
    debit_day: string;
    amount: number | null;
    reason: CycleReason | null;
    code: string | null;
    payment_id: string | null;
  } | null;
  code: string | null;
  created_at: string;
  updated_at: string;
};

/** Um teste que você pediu. */
export type TestEvent = {
  type: 'webhook.test';
  id: string;
  endpointId: string;
  message: string;
  created_at: string;
};

type Happened<Body extends { readonly type: string }> = {
  /** O id do evento, igual em todas as entregas: o cabeçalho `webhook-id`. Guarde os que já tratou. */
  id: string;
  type: Body['type'];
  /** O corpo, como o webhook o traz. */
  data: Body;
};

/** Um evento, do feed ou de um webhook. `type` diz o que há em `data`; tipos novos podem aparecer: ignore-os. */
export type JangadaEvent =
  | Happened<PaymentEvent>
  | Happened<RefundFailedEvent>
  | Happened<WithdrawalEvent>
  | Happened<DisputeEvent>
  | Happened<ConnectionEvent>
  | Happened<SubscriptionEvent>
  | Happened<TestEvent>;

/** Um evento do feed. */
export type FeedEvent = Exclude<JangadaEvent, Happened<TestEvent>> & {
  /** Quando aconteceu. */
  created_at: string;
};

/** Cada chamada que uma chave de API pode fazer: o que recebe e o que responde. */
export type Operations = {
  /** Cria uma cobrança Pix. Escopo `charges`. */
  createPayment: { body: NewPayment; answer: CreatedPayment };
  /** O estado de uma cobrança. Escopo `read`. */
  getPaymentStatus: { id: string; answer: Payment };
  /** As cobranças, da mais nova para a mais antiga; também pelo seu external_id ou por metadata. Escopo `read`. */
  listPayments: { query: PaymentsQuery; answer: PaymentsPage };
  /** Cancela uma cobrança que ninguém pagou: o banco deixa de aceitar o código. Escopo `charges`. */
  cancelPayment: { id: string; answer: Payment };
  /** Tudo o que aconteceu com uma cobrança: chamada, banco, livro, webhooks, estornos. Escopo `read`. */
  paymentTimeline: { id: string; answer: PaymentTimeline };
  /** Cria até 10.000 cobranças de uma vez. A resposta vem logo; as cobranças são criadas em seguida. Escopo `charges`. */
  createChargeBatch: { body: NewChargeBatch; answer: ChargeBatch };
  /** Os lotes da conta, do mais novo para o mais antigo. Escopo `read`. */
  listChargeBatches: { query: ChargeBatchesQuery; answer: ChargeBatchesPage };
  /** Um lote, com quantas linhas já viraram cobranças. Escopo `read`. */
  getChargeBatch: { id: string; answer: ChargeBatch };
  /** As linhas de um lote, na ordem em que vieram, com a cobrança ou a recusa de cada uma. Escopo `read`. */
  listChargeBatchLines: { id: string; query: ChargeBatchLinesQuery; answer: ChargeBatchLinesPage };
  /** Cancela as linhas de um lote que ainda esperam. As cobranças já criadas continuam valendo. Escopo `charges`. */
  cancelChargeBatch: { id: string; answer: ChargeBatch };
  /** Os links de pagamento, do mais novo para o mais antigo. Escopo `read`. */
  listPaymentLinks: { query: OffersQuery; answer: PaymentLinksPage };
  /** Cria um link: uma página em que cada pessoa que paga recebe a sua cobrança. Escopo `charges`. */
  createPaymentLink: { body: NewPaymentLink; answer: PaymentLink };
  /** Um link, com quantos pagamentos já foram feitos por ele. Escopo `read`. */
  getPaymentLink: { id: string; answer: PaymentLink };
  /** Muda um link por inteiro, ou o desliga. Os códigos que já saíram continuam como estavam. Escopo `charges`. */
  updatePaymentLink: { id: string; body: ChangedPaymentLink; answer: PaymentLink };
  /** Os QR Codes de balcão, do mais novo para o mais antigo. Escopo `read`. */
  listCounterCodes: { query: OffersQuery; answer: CounterCodesPage };
  /** Cria um código para imprimir, que não vence: cada Pix que chega por ele é um pagamento. Escopo `charges`. */
  createCounterCode: { body: NewCounterCode; answer: CounterCode };
  /** Um QR Code de balcão, com quantos pagamentos já chegaram por ele. Escopo `read`. */
  getCounterCode: { id: string; answer: CounterCode };
  /** Muda o nome de um QR Code de balcão, ou o desliga. O que ainda chegar por ele é creditado. Escopo `charges`. */
  updateCounterCode: { id: string; body: ChangedCounterCode; answer: CounterCode };
  /** As regras da conta para outro pagador, pagamento fora do prazo e pagamento em dobro. Escopo `read`. */
  getPayerRules: { answer: PayerRules };
  /** Troca as regras da conta. Com null vale o que a Jangada faz sem regra. Escopo `refunds`. */
  setPayerRules: { body: PayerRules; answer: PayerRules };
  /** Os Pix que esperam a sua decisão, e os que uma regra devolveu. Escopo `read`. */
  listHeldPix: { query: HeldPixQuery; answer: HeldPixPage };
  /** Aceita um Pix retido: paga a cobrança ou, se ela já foi paga, vira um pagamento à parte. Escopo `charges`. */
  acceptHeldPix: { id: string; answer: HeldPix };
  /** Devolve um Pix retido, inteiro, a quem pagou. Não há tarifa. Escopo `refunds`. */
  giveBackHeldPix: { id: string; answer: HeldPix };
  /** Os clientes, do mais novo para o mais antigo; também por nome, documento ou e-mail. Escopo `read`. */
  listCustomers: { query: CustomersQuery; answer: CustomersPage };
  /** Cadastra um cliente: a quem você cobra. Escopo `charges`. */
  createCustomer: { body: NewCustomer; answer: Customer };
  /** Um cliente, com o que deve e o que pagou. As cobranças dele: GET /pix com customer_id. Escopo `read`. */
  getCustomer: { id: string; answer: CustomerDetail };
  /** Muda um cliente por inteiro, ou o arquiva. As cobranças que já saíram continuam como estavam. Escopo `charges`. */
  updateCustomer: { id: string; body: ChangedCustomer; answer: Customer };
  /** Troca o endereço da página do cliente. O endereço de antes deixa de valer na hora. Escopo `charges`. */
  renewCustomerPage: { id: string; answer: Customer };
  /** Cria uma assinatura: o pagador autoriza uma vez, e o banco dele debita cada período. Escopo `charges`. */
  createSubscription: { body: NewSubscription; answer: Subscription };
  /** As assinaturas, da mais nova para a mais antiga. Escopo `read`. */
  listSubscriptions: { query: SubscriptionsQuery; answer: SubscriptionsPage };
  /** Uma assinatura, com a autorização do pagador. Escopo `read`. */
  getSubscription: { id: string; answer: Subscription };
  /** Termina uma assinatura e cancela a autorização no banco. O que ainda pode ser cancelado não é debitado. Escopo `charges`. */
  cancelSubscription: { id: string; answer: Subscription };
  /** Os ciclos de uma assinatura, do mais novo para o mais antigo, com cada tentativa de débito. Escopo `read`. */
  listCycles: { id: string; query: CyclesQuery; answer: CyclesPage };
  /** Diz o valor de um ciclo de uma assinatura de valor variável, antes que ele seja enviado ao banco. Escopo `charges`. */
  setCycleAmount: { id: string; number: number; body: SetCycleAmount; answer: Cycle };
  /** Cancela um ciclo, até as 22 h do dia antes do débito. O código dele deixa de valer, e os outros ciclos seguem. Escopo `charges`. */
  cancelCycle: { id: string; number: number; answer: Cycle };
  /** Cria uma cobrança com código para um ciclo que o pagador quer pagar antes, ou que o banco não debitou. Escopo `charges`. */
  chargeCycle: { id: string; number: number; answer: Cycle };
  /** Quantas assinaturas há, o que elas devem trazer em 31 dias, e por que outras terminaram. Escopo `read`. */
  getSubscriptionSummary: { answer: SubscriptionSummary };
  /** O saldo da conta agora. Valores em reais. Escopo `read`. */
  getBalance: { answer: Balance };
  /** Saca, pela chave de API, para um destino salvo. Valores em centavos. Escopo `withdrawals`. */
  apiWithdraw: { body: NewWithdrawal; answer: CreatedWithdrawal };
  /** Os saques, da API e do painel, do mais novo para o mais antigo. Valores em centavos. Escopo `read`. */
  apiListWithdrawals: { query: WithdrawalsQuery; answer: WithdrawalsPage };
  /** O estado de um saque. Valores em centavos. Escopo `read`. */
  apiGetWithdrawal: { id: string; answer: Withdrawal };
  /** Devolve um pagamento, inteiro ou em parte, a quem pagou. Escopo `refunds`. */
  refundPayment: { id: string; body: NewRefund; answer: Refund };
  /** Os estornos de um pagamento, e o que ainda pode ser devolvido. Escopo `read`. */
  listRefunds: { id: string; answer: PaymentRefunds };
  /** Tudo o que aconteceu na conta, do mais antigo ao mais novo, sem falhas e sem repetição, por 30 dias. Escopo `read`. */
  listEvents: { query: EventsQuery; answer: EventsPage };
  /** Um evento, pelo seu webhook-id. Escopo `read`. */
  getEvent: { id: string; answer: FeedEvent };
  /** Os endereços que recebem eventos da conta, e como vai cada um. Escopo `webhooks`. */
  listWebhookEndpoints: { answer: WebhookEndpoints };
  /** Cadastra um endereço. O segredo dele vem nesta resposta, uma vez. Escopo `webhooks`. */
  createWebhookEndpoint: { body: NewWebhookEndpoint; answer: CreatedWebhookEndpoint };
  /** Um endereço. Escopo `webhooks`. */
  getWebhookEndpoint: { id: string; answer: WebhookEndpoint };
  /** Muda o endereço, a descrição e os tipos de evento. O que já espera vai ao endereço novo. Escopo `webhooks`. */
  updateWebhookEndpoint: { id: string; body: NewWebhookEndpoint; answer: WebhookEndpoint };
  /** Remove um endereço. O que esperava por ele não é enviado; o registro das entregas fica. Escopo `webhooks`. */
  deleteWebhookEndpoint: {
    id: string;
    answer: {
      success: true;
    };
  };
  /** Liga um endereço. Os eventos dos últimos 3 dias que esperavam por ele são enviados. Escopo `webhooks`. */
  enableWebhookEndpoint: { id: string; answer: WebhookEndpoint };
  /** Desliga um endereço: nada é enviado até ser ligado de novo. Escopo `webhooks`. */
  disableWebhookEndpoint: { id: string; answer: WebhookEndpoint };
  /** Envia um webhook.test a um endereço, assinado como os outros. O resultado está na entrega. Escopo `webhooks`. */
  testWebhookEndpoint: { id: string; answer: WebhookDelivery };
  /** Troca o segredo de um endereço. O antigo assina junto por 24 horas. No painel pede a senha. Escopo `webhooks`. */
  rotateWebhookEndpointSecret: { id: string; answer: WebhookEndpointSecret };
  /** As entregas dos últimos 90 dias, da mais nova para a mais antiga. Escopo `webhooks`. */
  listWebhookDeliveries: { query: WebhookDeliveriesQuery; answer: WebhookDeliveriesPage };
  /** Uma entrega com cada tentativa: o que foi enviado, quando, e o que o seu sistema respondeu. Escopo `webhooks`. */
  getWebhookDelivery: { id: string; answer: WebhookDeliveryDetail };
  /** Envia de novo, entregue ou não: uma entrega nova do mesmo evento, com o mesmo webhook-id. Escopo `webhooks`. */
  resendWebhookDelivery: { id: string; answer: WebhookDelivery };
  /** Envia muitas de novo: até 100 pelos ids, ou até 1000 de um endereço em um período. Escopo `webhooks`. */
  resendWebhookDeliveries: { body: ResendWebhookDeliveries; answer: ResentWebhookDeliveries };
  /** Diz por que a assinatura de um webhook não confere, pelos cabeçalhos e pelo corpo que chegaram. Escopo `webhooks`. */
  webhookDoctor: { body: WebhookDoctorQuestion; answer: WebhookDoctorAnswer };
};

/** Where each is called, and whether it takes an Idempotency-Key. */
export const operations = {
  createPayment: { method: 'POST', path: '/pix/new', keyed: true },
  getPaymentStatus: { method: 'GET', path: '/pix/status/{id}', keyed: false },
  listPayments: { method: 'GET', path: '/pix', keyed: false },
  cancelPayment: { method: 'POST', path: '/pix/{id}/cancel', keyed: false },
  paymentTimeline: { method: 'GET', path: '/pix/{id}/timeline', keyed: false },
  createChargeBatch: { method: 'POST', path: '/pix/batches', keyed: true },
  listChargeBatches: { method: 'GET', path: '/pix/batches', keyed: false },
  getChargeBatch: { method: 'GET', path: '/pix/batches/{id}', keyed: false },
  listChargeBatchLines: { method: 'GET', path: '/pix/batches/{id}/items', keyed: false },
  cancelChargeBatch: { method: 'POST', path: '/pix/batches/{id}/cancel', keyed: false },
  listPaymentLinks: { method: 'GET', path: '/payment-links', keyed: false },
  createPaymentLink: { method: 'POST', path: '/payment-links', keyed: true },
  getPaymentLink: { method: 'GET', path: '/payment-links/{id}', keyed: false },
  updatePaymentLink: { method: 'PUT', path: '/payment-links/{id}', keyed: false },
  listCounterCodes: { method: 'GET', path: '/counter-codes', keyed: false },
  createCounterCode: { method: 'POST', path: '/counter-codes', keyed: true },
  getCounterCode: { method: 'GET', path: '/counter-codes/{id}', keyed: false },
  updateCounterCode: { method: 'PUT', path: '/counter-codes/{id}', keyed: false },
  getPayerRules: { method: 'GET', path: '/payer-rules', keyed: false },
  setPayerRules: { method: 'PUT', path: '/payer-rules', keyed: false },
  listHeldPix: { method: 'GET', path: '/held-pix', keyed: false },
  acceptHeldPix: { method: 'POST', path: '/held-pix/{id}/accept', keyed: false },
  giveBackHeldPix: { method: 'POST', path: '/held-pix/{id}/give-back', keyed: false },
  listCustomers: { method: 'GET', path: '/customers', keyed: false },
  createCustomer: { method: 'POST', path: '/customers', keyed: true },
  getCustomer: { method: 'GET', path: '/customers/{id}', keyed: false },
  updateCustomer: { method: 'PUT', path: '/customers/{id}', keyed: false },
  renewCustomerPage: { method: 'POST', path: '/customers/{id}/renew-page', keyed: false },
  createSubscription: { method: 'POST', path: '/subscriptions', keyed: true },
  listSubscriptions: { method: 'GET', path: '/subscriptions', keyed: false },
  getSubscription: { method: 'GET', path: '/subscriptions/{id}', keyed: false },
  cancelSubscription: { method: 'POST', path: '/subscriptions/{id}/cancel', keyed: false },
  listCycles: { method: 'GET', path: '/subscriptions/{id}/cycles', keyed: false },
  setCycleAmount: { method: 'PUT', path: '/subscriptions/{id}/cycles/{number}', keyed: false },
  cancelCycle: { method: 'POST', path: '/subscriptions/{id}/cycles/{number}/cancel', keyed: false },
  chargeCycle: { method: 'POST', path: '/subscriptions/{id}/cycles/{number}/charge', keyed: false },
  getSubscriptionSummary: { method: 'GET', path: '/subscription-summary', keyed: false },
  getBalance: { method: 'GET', path: '/balance', keyed: false },
  apiWithdraw: { method: 'POST', path: '/withdraw', keyed: true },
  apiListWithdrawals: { method: 'GET', path: '/withdraw', keyed: false },
  apiGetWithdrawal: { method: 'GET', path: '/withdraw/{id}', keyed: false },
  refundPayment: { method: 'POST', path: '/pix/{id}/refund', keyed: true },
  listRefunds: { method: 'GET', path: '/pix/{id}/refunds', keyed: false },
  listEvents: { method: 'GET', path: '/events', keyed: false },
  getEvent: { method: 'GET', path: '/events/{id}', keyed: false },
  listWebhookEndpoints: { method: 'GET', path: '/webhooks/endpoints', keyed: false },
  createWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints', keyed: false },
  getWebhookEndpoint: { method: 'GET', path: '/webhooks/endpoints/{id}', keyed: false },
  updateWebhookEndpoint: { method: 'PUT', path: '/webhooks/endpoints/{id}', keyed: false },
  deleteWebhookEndpoint: { method: 'DELETE', path: '/webhooks/endpoints/{id}', keyed: false },
  enableWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints/{id}/enable', keyed: false },
  disableWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints/{id}/disable', keyed: false },
  testWebhookEndpoint: { method: 'POST', path: '/webhooks/endpoints/{id}/test', keyed: false },
  rotateWebhookEndpointSecret: {
    method: 'POST',
    path: '/webhooks/endpoints/{id}/secret/rotate',
    keyed: false,
  },
  listWebhookDeliveries: { method: 'GET', path: '/webhooks/deliveries', keyed: false },
  getWebhookDelivery: { method: 'GET', path: '/webhooks/deliveries/{id}', keyed: false },
  resendWebhookDelivery: { method: 'POST', path: '/webhooks/deliveries/{id}/resend', keyed: false },
  resendWebhookDeliveries: { method: 'POST', path: '/webhooks/deliveries/resend', keyed: false },
  webhookDoctor: { method: 'POST', path: '/webhooks/doctor', keyed: false },
} as const;
