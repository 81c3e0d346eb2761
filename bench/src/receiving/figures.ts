/** Payments that are told of and settled. */
export type SettleFigure = {
  readonly kind: 'settle';
  readonly name: string;
  readonly label: string;
  /** At least this many times as many a second as the control's transactions. */
  readonly target: number | undefined;
  readonly perNotice: number;
  readonly connections: number;
  readonly merchants: 'many' | 'one';
  readonly receiver: 'silent' | 'prompt';
  /** Prepared for each second of sending: more than can be settled. */
  readonly preparedPerSecond: number;
};

/** Charges that are created through the API. */
export type CreateFigure = {
  readonly kind: 'create';
  readonly name: string;
  readonly label: string;
  readonly target: number | undefined;
  readonly connections: number;
  readonly picture: boolean;
  readonly preparedPerSecond: number;
};

export type Figure = SettleFigure | CreateFigure;

const settle = {
  kind: 'settle',
  connections: 16,
  perNotice: 1,
  merchants: 'many',
  receiver: 'silent',
  preparedPerSecond: 7500,
} as const;
const create = { kind: 'create', connections: 16, preparedPerSecond: 6000 } as const;

/** In the order in which they are measured: the last one leaves webhooks behind that are still being sent. */
export const figures: readonly Figure[] = [
  { ...settle, name: 'one-per-call', label: 'settled, one per notification', target: 1 },
  {
    ...settle,
    name: 'hundred-per-call',
    label: 'settled, 100 per notification',
    target: 4,
    perNotice: 100,
    connections: 4,
    preparedPerSecond: 24_000,
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
  },
];
