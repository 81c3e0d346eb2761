import { z } from 'zod';

/**
 * How the bank misbehaves for one account, so that the gateway can be tested against it. By default the bank behaves
 * normally.
 * - notifications: `duplicated` sends every notification twice, `late` sends after `lateSeconds`, `out-of-order`
 *   collects the payments of a second and sends the newest first, `never` sends nothing: only `GET /v2/pix` shows the
 *   payment.
 * - charges: `slow` responds after `slowSeconds`, `down` responds 503, `hang` never responds, `accepted-then-timeout`
 *   creates the charge and never responds.
 * - confirmations (look-ups of anything but charges): `not-found-first` responds 404 to the first look-up of each Pix,
 *   refund and payout; `slow`, `down` and `hang` are as for charges.
 * - payouts: `refused` accepts the payout and lets it fail, `refused-in-call` responds 422, `slow` completes the payout
 *   after `slowSeconds` of bank time, `accepted-then-timeout` accepts the payout and never responds,
 *   `lost-then-timeout` neither accepts the payout nor responds, `returned` returns the payout in full
 *   `payoutReturnSeconds` after its completion, `down` responds 503, `wrong-notification` lets the payout fail but
 *   notifies that it is completed, and notifies of one more completed payout with an unknown idEnvio.
 * - refunds: `refused` accepts the refund and lets it fail, `refused-in-call` responds 400, `slow` completes the refund
 *   after `slowSeconds` of bank time, `accepted-then-timeout` accepts the refund and never responds, `down` responds
 *   503.
 * - valueParts (what a Pix that paid a charge with a due date says of its amount, BACEN's `componentesValor`):
 *   `left-out` says nothing, `wrong` says parts that do not add up to the amount.
 * - shopSystem (an example of a merchant's system): `normal` accepts the gateway's webhooks, `down` responds 503. There
 *   is one such system, and only the first account's setting counts.
 */
export const behaviourSchema = z.strictObject({
  notifications: z.enum(['normal', 'duplicated', 'late', 'out-of-order', 'never']).default('normal'),
  payouts: z
    .enum([
      'normal',
      'refused',
      'refused-in-call',
      'slow',
      'accepted-then-timeout',
      'lost-then-timeout',
      'returned',
      'down',
      'wrong-notification',
    ])
    .default('normal'),
  refunds: z
    .enum(['normal', 'refused', 'refused-in-call', 'slow', 'accepted-then-timeout', 'down'])
    .default('normal'),
  charges: z.enum(['normal', 'slow', 'down', 'hang', 'accepted-then-timeout']).default('normal'),
  confirmations: z.enum(['normal', 'slow', 'down', 'hang', 'not-found-first']).default('normal'),
  valueParts: z.enum(['normal', 'left-out', 'wrong']).default('normal'),
  shopSystem: z.enum(['normal', 'down']).default('normal'),
  lateSeconds: z.int().min(0).max(86_400).default(10),
  slowSeconds: z.number().min(0).max(86_400).default(5),
  payoutReturnSeconds: z
    .number()
    .min(0)
    .max(90 * 86_400)
    .default(60),
  /** The maximum number of items in one call of a webhook. */
  batchSize: z.int().min(1).max(1000).default(1),
});

export type Behaviour = z.infer<typeof behaviourSchema>;

export const NORMAL_BEHAVIOUR: Behaviour = behaviourSchema.parse({});

export type SpecialEffect =
  | 'notification-duplicated'
  | 'notification-late'
  | 'notification-never'
  | 'charge-down'
  | 'charge-accepted-then-timeout'
  | 'confirmation-not-found-first'
  | 'payment-refused';

/**
 * Charge amounts (cents), each of which triggers one misbehaviour whatever the configured behaviour, so that a test can
 * cause it without changing the behaviour of the whole bank.
 */
export const SPECIAL_AMOUNTS: readonly { cents: number; effect: SpecialEffect; text: string }[] = [
  { cents: 1301, effect: 'notification-duplicated', text: 'aviso chega duas vezes' },
  { cents: 1302, effect: 'notification-late', text: 'aviso chega 5 minutos depois' },
  { cents: 1303, effect: 'notification-never', text: 'aviso não chega nunca' },
  { cents: 1304, effect: 'charge-down', text: 'banco fora do ar ao criar a cobrança' },
  { cents: 1305, effect: 'charge-accepted-then-timeout', text: 'cobrança criada, resposta não chega' },
  { cents: 1306, effect: 'confirmation-not-found-first', text: 'primeira consulta não acha o Pix' },
  { cents: 1307, effect: 'payment-refused', text: 'pagamento recusado por falta de saldo' },
];

/** The delay of the notification of a payment with the special amount `notification-late`. */
export const SPECIAL_LATE_SECONDS = 300;

const EFFECTS = new Map(SPECIAL_AMOUNTS.map(({ cents, effect }) => [cents, effect]));

/** The misbehaviour that an amount triggers, if any. */
export function specialEffect(cents: number): SpecialEffect | undefined {
  return EFFECTS.get(cents);
}

/**
 * Refund amounts (cents), each of which triggers one misbehaviour, whatever the configured behaviour. With the effect
 * `down` only the first attempt with an id fails, so that the refund completes in the end.
 */
export const SPECIAL_REFUND_AMOUNTS: readonly {
  cents: number;
  effect: Behaviour['refunds'];
  text: string;
}[] = [
  { cents: 1501, effect: 'refused', text: 'devolução recusada pelo banco de quem pagou' },
  { cents: 1502, effect: 'refused-in-call', text: 'devolução negada na hora' },
  { cents: 1503, effect: 'slow', text: 'devolução demora a terminar' },
  { cents: 1504, effect: 'accepted-then-timeout', text: 'devolução aceita, resposta não chega' },
  { cents: 1505, effect: 'down', text: 'banco fora do ar na primeira tentativa' },
];

type PayoutEffect = Exclude<Behaviour['payouts'], 'normal'>;

const PAYOUT_TEXTS: readonly [PayoutEffect, string][] = [
  ['refused', 'envio recusado pelo banco de quem recebe'],
  ['refused-in-call', 'envio negado na hora'],
  ['slow', 'envio demora a terminar'],
  ['accepted-then-timeout', 'envio aceito, resposta não chega'],
  ['lost-then-timeout', 'primeira tentativa se perde, sem resposta'],
  ['returned', 'envio concluído e depois devolvido'],
  ['down', 'banco fora do ar na primeira tentativa'],
  ['wrong-notification', 'envio recusado, mas o aviso diz concluído'],
];

/**
 * Payout amounts (cents), each of which triggers one misbehaviour, whatever the configured behaviour. With the effects
 * `down` and `lost-then-timeout` only the first attempt with an idEnvio fails, so that the payout completes in the end.
 */
export const SPECIAL_PAYOUT_AMOUNTS: readonly { cents: number; effect: PayoutEffect; text: string }[] =
  PAYOUT_TEXTS.map(([effect, text], index) => ({ cents: 1401 + index, effect, text }));

type PayeeEffect = PayoutEffect | 'key-not-found' | 'key-of-another';

/**
 * Payee keys that trigger the same misbehaviours as the special payout amounts; and two more: a key that does not
 * exist, and a key that belongs to another document than the request names.
 */
export const SPECIAL_PAYEE_KEYS: readonly { key: string; effect: PayeeEffect; text: string }[] = [
  ...SPECIAL_PAYOUT_AMOUNTS.map(({ cents, effect, text }) => ({ key: payeeKey(cents), effect, text })),
  { key: payeeKey(1409), effect: 'key-not-found', text: 'chave não existe' },
  { key: payeeKey(1410), effect: 'key-of-another', text: 'chave é de outro CPF ou CNPJ' },
];

function payeeKey(ending: number): string {
  return `00000000-0000-4000-8000-${String(ending).padStart(12, '0')}`;
}
