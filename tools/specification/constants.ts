import {
  AVATAR_MAX_BYTES,
  CHARGE_EXPIRY,
  DEFAULT_OUT_FEE_CENTS,
  feedQuery,
  MIN_CHARGE_CENTS,
  MIN_WITHDRAWAL_CENTS,
  PAGE_SIZE,
  PASSWORD_MIN_LENGTH,
  SOCKET_RECONNECT,
  WITHDRAWAL_PIN_LENGTH,
} from '@jangada/contract';

/** A number or word of the specification, and ours: imported, or the name of a constant that is read where it is declared. */
export type Constant = {
  readonly says: string;
  readonly is: number | string | readonly number[];
  readonly ours:
    | number
    | readonly number[]
    | { readonly named: string }
    | { readonly in: string; readonly stands: string };
  readonly at: string;
  readonly by: readonly string[];
};

const feedDefaults = feedQuery.parse({});

export const constants: Readonly<Record<string, Constant>> = {
  'minimum-pix': {
    says: 'least PIX, in cents',
    is: 150,
    ours: MIN_CHARGE_CENTS,
    at: 'MIN_CHARGE_CENTS',
    by: [
      'R$ 1,50 and the maximum itself are taken',
      'the amount %j is refused under its field, and nothing is sent',
    ],
  },
  'minimum-withdrawal': {
    says: 'least withdrawal, in cents',
    is: 500,
    ours: MIN_WITHDRAWAL_CENTS,
    at: 'MIN_WITHDRAWAL_CENTS',
    by: ['the amount %j is refused under its field, and the key under its own'],
  },
  'default-out-fee': {
    says: 'fee of a withdrawal until it is loaded, in cents',
    is: 150,
    ours: DEFAULT_OUT_FEE_CENTS,
    at: 'DEFAULT_OUT_FEE_CENTS, defaultOutFees',
    by: ['until the terms are loaded the fee is R$ 1,50, and a failure to load them is told'],
  },
  'example-withdrawal': {
    says: 'the documented example of a withdrawal: 10000 cents with a fee of 80',
    is: [10_000, 80],
    ours: { in: 'contract/src/docs/example-calls.ts', stands: 'amount: 10_000, fee: 80,' },
    at: 'exampleAnswers',
    by: ['the call and the answer shown for %s are what its schemas take'],
  },
  'expiry-options': {
    says: 'lifetimes of a PIX to choose from, in seconds',
    is: [900, 1800, 3600, 86_400],
    ours: CHARGE_EXPIRY.options,
    at: 'CHARGE_EXPIRY',
    by: ['the form offers a quarter, half and a whole hour and a day, and begins with half an hour'],
  },
  'expiry-default': {
    says: 'lifetime unless another is chosen, in seconds',
    is: 1800,
    ours: CHARGE_EXPIRY.default,
    at: 'CHARGE_EXPIRY',
    by: ['the form offers a quarter, half and a whole hour and a day, and begins with half an hour'],
  },
  'expiry-maximum': {
    says: 'longest lifetime, in seconds',
    is: 86_400,
    ours: CHARGE_EXPIRY.max,
    at: 'CHARGE_EXPIRY',
    by: ['whose body does not fit is refused with every field, the first one speaking'],
  },
  'pin-digits': {
    says: 'digits of a withdrawal PIN',
    is: 4,
    ours: WITHDRAWAL_PIN_LENGTH,
    at: 'WITHDRAWAL_PIN_LENGTH',
    by: ['digits only are taken, four of them, typed or pasted, and the last is deleted first'],
  },
  'password-minimum': {
    says: 'least characters of a password',
    is: 8,
    ours: PASSWORD_MIN_LENGTH,
    at: 'PASSWORD_MIN_LENGTH',
    by: ['%j is refused with %j'],
  },
  'avatar-maximum': {
    says: 'largest avatar, in bytes',
    is: 2 * 1024 * 1024,
    ours: AVATAR_MAX_BYTES,
    at: 'AVATAR_MAX_BYTES',
    by: ['a picture is a JPEG or PNG of at most 2 MB'],
  },
  'page-transactions': {
    says: 'transactions a page',
    is: 10,
    ours: PAGE_SIZE.transactions,
    at: 'PAGE_SIZE',
    by: ['ten a page, newest first, with what was credited only where money came'],
  },
  'page-withdrawals': {
    says: 'withdrawals a page',
    is: 10,
    ours: PAGE_SIZE.withdrawals,
    at: 'PAGE_SIZE',
    by: ['each withdrawal stands with date, amount, key with its type, and status'],
  },
  'page-recent': {
    says: 'transactions on the overview',
    is: 5,
    ours: PAGE_SIZE.recentTransactions,
    at: 'PAGE_SIZE',
    by: ['the newest transactions stand with short id, status, amount and date'],
  },
  'feed-defaults': {
    says: 'offset and limit of the feed unless others are given',
    is: [0, 10],
    ours: [feedDefaults.offset, feedDefaults.limit],
    at: 'feedQuery',
    by: ['gives any page of any filter as the whole list has it, newest first'],
  },
  'toast-time': {
    says: 'how long a toast stands, in ms',
    is: 3000,
    ours: { named: 'TOAST_MS' },
    at: 'TOAST_MS',
    by: ['a toast %s stands for 3 s'],
  },
  'welcome-time': {
    says: 'how long the welcome stands before the dashboard, in ms',
    is: 2000,
    ours: { named: 'WELCOME_MS' },
    at: 'WELCOME_MS',
    by: ['who has signed in is welcomed for 2 s, and then goes on'],
  },
  'copied-time': {
    says: 'how long a copy is confirmed, in ms',
    is: 2000,
    ours: { named: 'CONFIRMATION_MS' },
    at: 'CONFIRMATION_MS',
    by: ['a copy is confirmed for 2 s'],
  },
  'unauthorised-time': {
    says: 'a 401 is heeded once in, in ms',
    is: 1000,
    ours: { named: 'REFUSALS_APART_MS' },
    at: 'REFUSALS_APART_MS',
    by: ['a 401 ends the session at most once per second, and not for the token of an earlier session'],
  },
  'storage-names': {
    says: 'what the browser keeps is named',
    is: 'token, user',
    ours: { in: 'web/src/session/session.ts', stands: "'token'" },
    at: 'web/src/session/session.ts',
    by: ['whoever is not signed in is asked to, and then stands where they wanted to go'],
  },
  'mobile-breakpoint': {
    says: 'width below which a screen is small, in px',
    is: 768,
    ours: { in: 'web/src/ui/use-media-query.ts', stands: '48rem' },
    at: 'web/src/ui/use-media-query.ts',
    by: [
      'on a phone the pictures are a carousel in a sheet',
      'on a phone the users are a list that shows less of each',
    ],
  },
  'shadow-threshold': {
    says: 'scrolling after which the top bar has a shadow, in px',
    is: 10,
    ours: { named: 'SCROLLED_PX' },
    at: 'SCROLLED_PX',
    by: ['panel-layout › the top bar has a shadow once the page is scrolled by more than 10 px'],
  },
  'sidebar-width': {
    says: 'width of the sidebar, and of the drawer, in units of 4 px',
    is: '64, 60',
    ours: { in: 'web/src/theme/parts.css', stands: 'width: min(15rem, 80vw)' },
    at: 'PanelLayout, web/src/theme/parts.css',
    by: [
      'panel-layout › on a large screen the menu is a sidebar of 64 units, and each group opens and closes',
      'panel-layout › on a small screen the menu is a drawer of 60 units, which a change of route closes',
    ],
  },
  'drawer-share': {
    says: 'most of the viewport that the drawer takes',
    is: '80 %',
    ours: { in: 'web/src/theme/parts.css', stands: 'max-width: 80vw' },
    at: 'web/src/theme/parts.css',
    by: ['it covers at most 80 % of the viewport and locks the page behind it'],
  },
  'default-theme': {
    says: 'theme',
    is: 'corporate',
    ours: { in: 'web/src/app/theme.ts', stands: "'corporate'" },
    at: 'web/src/app/theme.ts',
    by: ['the dark theme is remembered, and nothing light is painted before it'],
  },
  'channel-tries': {
    says: 'how often the live channel is tried again',
    is: 5,
    ours: SOCKET_RECONNECT.tries,
    at: 'SOCKET_RECONNECT',
    by: [
      'lost, it is tried 5 times and is then down; coming back to the page tries again and counts as regained',
    ],
  },
  'channel-delay': {
    says: 'time between those tries, in ms',
    is: 3000,
    ours: SOCKET_RECONNECT.delayMs,
    at: 'SOCKET_RECONNECT',
    by: [
      'lost, it is tried 5 times and is then down; coming back to the page tries again and counts as regained',
    ],
  },
  'push-refresh': {
    says: 'time after which a push token is registered anew, in ms',
    is: 7 * 24 * 3_600_000,
    ours: { named: 'REFRESH_MS' },
    at: 'REFRESH_MS',
    by: ['a device is registered anew after 7 days, and let go when somebody else signs in or signs out'],
  },
  'worker-activation': {
    says: 'time that a service worker has to start, in ms',
    is: 10_000,
    ours: { named: 'ACTIVATION_MS' },
    at: 'ACTIVATION_MS',
    by: ['a service worker that is not active after 10 s is given up'],
  },
  'token-margin': {
    says: 'how long before its end a token for push is renewed, in ms',
    is: 3_600_000,
    ours: { named: 'renewBeforeMs' },
    at: 'renewBeforeMs',
    by: ['the token for a push service is kept, and renewed an hour before it ends'],
  },
};
