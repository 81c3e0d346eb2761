import type {
  DisputeEvent,
  PaymentEvent,
  RefundFailedEvent,
  TestEvent,
  WithdrawalEvent,
} from './contract.ts';

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
  | Happened<TestEvent>;

/** Um evento do feed. */
export type FeedEvent = Exclude<JangadaEvent, Happened<TestEvent>> & {
  /** Quando aconteceu. */
  created_at: string;
};
