/** Payments that are told of and settled. */
export type SettleWork = {
  readonly kind: 'settle';
  readonly name: string;
  readonly perNotice: number;
  /** Notifications under way at once. */
  readonly connections: number;
  /** A thousand, of whom some have far more than others, or one alone. */
  readonly merchants: 'many' | 'one';
  /** Where webhooks go: to one that answers at once, or to one that takes the call and never answers. */
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
  /** At least this many times as many a second as the control's transactions. */
  readonly target: number | undefined;
  /** Payments or charges that are prepared for each second of sending: more than can be done. */
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

/** In the order in which they are measured. */
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
