/** Payments that are notified and settled. */
export type SettleWork = {
  readonly kind: 'settle';
  readonly name: string;
  readonly perNotice: number;
  /** Concurrent notifications. */
  readonly connections: number;
  /** A thousand merchants with very unequal shares, or a single one. */
  readonly merchants: 'many' | 'one';
  /** The receiver of webhooks: one that responds at once, or one that never responds. */
  readonly receiver: 'silent' | 'prompt';
};

/** Charges that are created through the API. */
export type CreateWork = {
  readonly kind: 'create';
  readonly name: string;
  readonly connections: number;
  readonly picture: boolean;
};

export type Work = SettleWork | CreateWork;

export type Figure = Work & {
  readonly label: string;
  /** The minimum ratio to the control's transactions per second. */
  readonly target: number | undefined;
  /** Payments or charges prepared per second of sending: more than can be processed. */
  readonly preparedPerSecond: number;
};

const settle = {
  kind: 'settle',
  connections: 64,
  perNotice: 1,
  merchants: 'many',
  receiver: 'silent',
  preparedPerSecond: 5500,
} as const;
const create = { kind: 'create', connections: 64, preparedPerSecond: 6000 } as const;

/** All figures, in the order in which they are measured. */
export const figures: readonly Figure[] = [
  { ...settle, name: 'one-per-call', label: 'settled, one per notification', target: 1 },
  {
    ...settle,
    name: 'hundred-per-call',
    label: 'settled, 100 per notification',
    target: 4,
    perNotice: 100,
    connections: 4,
    preparedPerSecond: 16_000,
  },
  {
    ...settle,
    name: 'one-merchant',
    label: 'settled, one per notification, one merchant',
    target: 1,
    merchants: 'one',
  },
  { ...create, name: 'create', label: 'charges created, no picture', target: 0.5, picture: false },
  {
    ...create,
    name: 'create-with-picture',
    label: 'charges created, with QR picture',
    target: undefined,
    picture: true,
  },
  {
    ...settle,
    name: 'with-webhooks',
    label: 'settled, one per notification, webhooks answered',
    target: undefined,
    receiver: 'prompt',
    preparedPerSecond: 3000,
  },
];
