/** The meaning of the fields of a cycle. */
const cycleTexts: Readonly<Record<string, string>> = {
  number: 'O número do ciclo. O primeiro é 1.',
  status:
    '`planned`: ainda não foi ao banco; `sending`: a ordem saiu; `scheduled`: o banco vai debitar; `retrying`: falhou e será tentado de novo; `paid`; `given_up`: terminou sem pagamento; `cancelled`.',
  due_day: 'O dia que a assinatura diz.',
  debit_day: 'O dia útil em que o banco debita.',
  amount: 'O valor do ciclo, em reais. Nulo enquanto não se sabe.',
  reason:
    'Por que terminou sem débito: `refused`, `no_retries_left`, `expired`, `no_amount`, `too_late`, `mandate_ended`, `paid_otherwise`, `by_merchant`, `by_payer` ou `subscription_ended`.',
  bank_reason: 'O que o banco disse. Nulo se nada.',
  'bank_reason.code': 'O código do banco, como `AM02`.',
  'bank_reason.text': 'O código em uma frase.',
  payment_id: 'A cobrança que o banco debita. Nulo antes do envio.',
  other_payment_id: 'A cobrança com código, para pagar o ciclo sem o débito. Nulo se não há.',
  other_checkout_url: 'A página de pagamento dessa cobrança.',
  paid_at: 'Quando foi pago. Nulo antes.',
  attempts: 'Cada tentativa de débito, na ordem dos dias.',
  'attempts.day': 'O dia da tentativa.',
  'attempts.retry': 'Se é uma nova tentativa, depois de uma que falhou.',
  'attempts.status': '`requested`, `scheduled`, `paid`, `refused`, `cancelled` ou `expired`.',
  'attempts.end_to_end_id': 'O EndToEndId do débito.',
  'attempts.reason': 'Por que foi recusada. Nulo se não foi.',
  'attempts.reason.code': 'O código do banco, como `AM02`.',
  'attempts.reason.text': 'O código em uma frase.',
};

/** The meaning of the fields of a subscription. */
const subscriptionTexts: Readonly<Record<string, string>> = {
  id: 'O id da assinatura.',
  status:
    '`waiting`: o pagador ainda não autorizou; `active`; `past_due`: o último ciclo não foi pago; `ended`.',
  payer: 'Quem paga.',
  customer_id: 'O cliente cadastrado de quem é a assinatura. Nulo se não é de nenhum.',
  'payer.name': 'O nome de quem paga.',
  'payer.document': 'O CPF ou CNPJ de quem paga.',
  description: 'O que se paga, como o banco do pagador mostra. Até 35 caracteres.',
  amount: 'O valor de cada ciclo, em reais. Nulo se varia.',
  min_maximum: 'Em valor variável: o limite que o pagador escolhe no banco não pode ser menor.',
  period: '`weekly`, `monthly`, `quarterly`, `semiannual` ou `annual`.',
  first_day: 'O dia do primeiro débito. O dia 31 vira o último dia dos meses mais curtos.',
  last_day: 'Nenhum ciclo vence depois deste dia. Nulo: sem fim.',
  retry_days: 'Em que dias depois do débito se tenta de novo: até três, de 1 a 7. Vazio: nunca.',
  authorization:
    'Como o pagador autoriza: `code` lê um código; `pay` paga a primeira e autoriza; `offer` recebe a oferta ao pagar uma cobrança com vencimento; `push` recebe um pedido no app do banco.',
  mandate: 'A autorização no banco do pagador.',
  'mandate.status': '`making`, `created`, `approved`, `rejected`, `expired` ou `cancelled`.',
  'mandate.id_rec': 'O id da autorização no banco. Nulo até o banco criá-la.',
  'mandate.allowed_by': 'Como o pagador autorizou. Nulo antes disso.',
  'mandate.allowed_at': 'Quando autorizou.',
  'mandate.ended_at': 'Quando a autorização terminou.',
  'mandate.reason': 'Por que terminou, se o banco disse.',
  'mandate.reason.code': 'O código do banco, como `SLDB`.',
  'mandate.reason.text': 'O código em uma frase.',
  code: 'O código copia e cola com que o pagador autoriza. Nulo se não há, ou ainda não.',
  page_url: 'A página em que o pagador autoriza, e depois acompanha.',
  first_payment_id: 'A cobrança que se paga junto com a autorização. Nulo se não há.',
  external_id: 'Como o seu sistema chama esta assinatura.',
  metadata: 'Textos seus, por nome. Voltam nas consultas, nas cobranças e nos webhooks.',
  end: 'Por que terminou: `finished`, `by_merchant`, `by_payer`, `by_bank`, `rejected` ou `not_allowed` (ninguém autorizou a tempo). Nulo se não terminou.',
  ended_at: 'Quando terminou.',
  next_cycle: 'O próximo ciclo, planejado ou em andamento. Nulo se não há.',
  next_debit_day: 'O dia do próximo débito, também antes que o ciclo seja planejado. Nulo se não há.',
  created_at: 'Quando foi criada.',
  updated_at: 'Quando mudou pela última vez.',
  ...under('next_cycle.', cycleTexts),
};

/** The calls that answer with subscriptions or cycles, and where in their responses those are. */
const responses: readonly (readonly [
  call: string,
  prefix: string,
  texts: Readonly<Record<string, string>>,
])[] = [
  ['createSubscription', '', subscriptionTexts],
  ['getSubscription', '', subscriptionTexts],
  ['cancelSubscription', '', subscriptionTexts],
  ['listSubscriptions', 'data.', subscriptionTexts],
  ['listCycles', 'data.', cycleTexts],
  ['setCycleAmount', '', cycleTexts],
  ['cancelCycle', '', cycleTexts],
  ['chargeCycle', '', cycleTexts],
];

/** The meaning of the fields of subscriptions, by call (see `fieldTexts`). */
export const subscriptionFieldTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['listCycles', 'setCycleAmount', 'cancelCycle', 'chargeCycle'].map((call) => [
      `${call}/id`,
      'O id da assinatura.',
    ]),
  ),
  ...Object.fromEntries(
    ['setCycleAmount', 'cancelCycle', 'chargeCycle'].map((call) => [
      `${call}/number`,
      'O número do ciclo. O primeiro é 1.',
    ]),
  ),
  'createSubscription<first_payment':
    'Em `pay` e `offer`: o que se paga junto com a autorização. Não é um ciclo.',
  'createSubscription<first_payment.amount': 'O valor, em reais. Sem ele, o de cada ciclo.',
  'createSubscription<first_payment.due_date': 'Em `offer`: o vencimento, como `2026-12-10`.',
  'createSubscription<payer_account': 'Em `push`: a conta do pagador.',
  'createSubscription<payer_account.ispb': 'O ISPB do banco do pagador, com 8 dígitos.',
  'createSubscription<payer_account.branch': 'A agência, se há.',
  'createSubscription<payer_account.number': 'O número da conta.',
  'createSubscription<customer_id':
    'O cliente cadastrado que paga, em vez de `payer`: vale o nome e o documento dele.',
  'listSubscriptions<customer_id': 'Só as deste cliente.',
  'listSubscriptions<status': 'Só neste estado.',
  'listSubscriptions<external_id': 'Só as que têm este `external_id`.',
  'listSubscriptions<search': 'Parte do nome de quem paga ou da descrição, ou o documento inteiro.',
  'listCycles<before': 'Só os ciclos de número menor que este.',
  'setCycleAmount<amount': 'O valor deste ciclo, em reais.',
  ...Object.fromEntries(
    responses.flatMap(([call, prefix, texts]) =>
      Object.entries(texts).map(([path, text]) => [`${call}:${prefix}${path}`, text]),
    ),
  ),
  'getSubscriptionSummary:waiting': 'Quantas esperam a autorização.',
  'getSubscriptionSummary:active': 'Quantas estão em dia.',
  'getSubscriptionSummary:past_due': 'Quantas estão em atraso.',
  'getSubscriptionSummary:expected_count': 'Quantos ciclos vencem em 31 dias.',
  'getSubscriptionSummary:expected': 'A soma deles, em reais, dos que têm valor.',
  'getSubscriptionSummary:ended': 'Quantas terminaram em 90 dias, por motivo.',
  'getSubscriptionSummary:ended.reason': 'O motivo.',
  'getSubscriptionSummary:ended.count': 'Quantas.',
};

function under(prefix: string, texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([path, text]) => [prefix + path, text]));
}
