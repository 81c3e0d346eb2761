/** Work of the gateway: payments of which the bank notifies it, and which it settles. */
export type SettleWork = {
  readonly kind: 'settle';
  readonly name: string;
  /** Payments in one notification. */
  readonly paymentsPerNotification: number;
  /** The number of connections of the load, each of which sends one notification at a time. */
  readonly connections: number;
  /** Whether the payments belong to many merchants with very unequal shares, or to a single one. */
  readonly merchants: 'many' | 'one';
  /**
   * The receiver of the payments' webhooks: `prompt` responds immediately, `silent` never responds. The webhooks to the
   * silent receiver soon occupy all slots of the sender, so that no more webhooks are sent during the measurement.
   */
  readonly receiver: 'silent' | 'prompt';
};

/** Work of the gateway: charges that are created through the API. */
export type CreateWork = {
  readonly kind: 'create';
  readonly name: string;
  readonly connections: number;
  /** Whether the response includes the image of the QR code. */
  readonly picture: boolean;
};

export type Work = SettleWork | CreateWork;

/** One number that the bench measures: the payments or charges that the gateway processes in a second. */
export type Figure = Work & {
  readonly label: string;
  /** The goal: at least this ratio to the transactions per second of the control, which is pgbench. */
  readonly target: number | undefined;
  /** The payments or charges prepared for each second of sending: more than the gateway can process. */
  readonly preparedPerSecond: number;
};

const settle = {
  kind: 'settle',
  connections: 64,
  paymentsPerNotification: 1,
  merchants: 'many',
  receiver: 'silent',
  preparedPerSecond: 5500,
} as const;
const create = { kind: 'create', connections: 64, preparedPerSecond: 6000 } as const;

/** All figures, in the order in which they are measured. */
export const figures: readonly Figure[] = [
  { ...settle, name: 'one-per-call', label: 'settled, one per notification', target: 1.2 },
  {
    ...settle,
    name: 'hundred-per-call',
    label: 'settled, 100 per notification',
    target: 3,
    paymentsPerNotification: 100,
    connections: 4,
    preparedPerSecond: 16_000,
  },
  {
    ...settle,
    name: 'one-merchant',
    label: 'settled, one per notification, one merchant',
    target: 1.2,
    merchants: 'one',
  },
  { ...create, name: 'create', label: 'charges created, no picture', target: 0.6, picture: false },
  {
    ...create,
    name: 'create-with-picture',
    label: 'charges created, with QR picture',
    target: 0.45,
    picture: true,
  },
  {
    ...settle,
    name: 'with-webhooks',
    label: 'settled, one per notification, webhooks answered',
    target: 0.8,
    receiver: 'prompt',
    preparedPerSecond: 3000,
  },
];
