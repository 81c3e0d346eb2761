import {
  chargeCycle,
  createSubscription,
  listCycles,
  type Subscription,
  subscriptionEvent,
  subscription as subscriptionSchema,
} from '@jangada/contract';
import { calendarDayOf, daysAfter, timeAtHour } from '../src/calendar-day.ts';
import { reconcilePayments } from '../src/payments/reconcile-payments.ts';
import { atHouse, type PixRecurring } from '../src/psp/index.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from './given.ts';
import { workOnSubscriptions } from './given-subscription.ts';

const monthly = {
  payer: { name: 'Ana Souza', document: '529.982.247-25' },
  description: 'Mensalidade',
  amount: 99.9,
  period: 'monthly',
  first_day: '2027-03-10',
  authorization: 'code',
};

/** A gateway and a bank in February 2027, with a merchant who has subscriptions, and no work but what a test asks for. */
export class SubscriptionStand {
  readonly gateway: TestGateway;
  readonly merchant: GivenMerchant;

  private constructor(gateway: TestGateway, merchant: GivenMerchant) {
    this.gateway = gateway;
    this.merchant = merchant;
  }

  static async start(): Promise<SubscriptionStand> {
    const gateway = await startTestGateway({ startsWork: false });
    const begin = timeAtHour('2027-02-22', 12).getTime();
    await gateway.advance(Math.ceil((begin - gateway.deps.clock.now().getTime()) / 1000));
    return new SubscriptionStand(gateway, await givenMerchant(gateway, { admin: await givenAdmin(gateway) }));
  }

  get db() {
    return this.gateway.deps.db;
  }

  /** The bank's answers about mandates and debits, of which a test may replace one. */
  get recurring(): PixRecurring {
    const { recurring } = atHouse(this.gateway.deps).psp;
    if (recurring === undefined) throw new Error('a bank without mandates');
    return recurring;
  }

  call(method: string, path: string, body?: unknown) {
    return this.gateway.api(method, path, body, { apiKey: this.merchant.apiKey });
  }

  today(): string {
    return calendarDayOf(this.gateway.deps.clock.now());
  }

  /** Moves the clocks of gateway and bank, a few hours at a time with all work in each. */
  async goTo(day: string, hour: number): Promise<void> {
    const target = timeAtHour(day, hour).getTime();
    for (;;) {
      const leftSeconds = Math.ceil((target - this.gateway.deps.clock.now().getTime()) / 1000);
      if (leftSeconds <= 0) return;
      await this.gateway.advance(Math.min(leftSeconds, 4 * 3600));
      await this.work();
    }
  }

  async work(): Promise<void> {
    await reconcilePayments(atHouse(this.gateway.deps));
    await workOnSubscriptions(this.gateway);
  }

  async wait(seconds: number): Promise<void> {
    await this.gateway.advance(seconds);
    await this.work();
  }

  async given(fields: Readonly<Record<string, unknown>> = {}): Promise<Subscription> {
    return parseSuccess(
      createSubscription.response,
      await this.call('POST', '/subscriptions', { ...monthly, ...fields }),
    );
  }

  async read({ id }: Pick<Subscription, 'id'>): Promise<Subscription> {
    return parseSuccess(subscriptionSchema, await this.call('GET', `/subscriptions/${id}`));
  }

  /** The newest first. */
  async cyclesOf({ id }: Pick<Subscription, 'id'>) {
    return parseSuccess(listCycles.response, await this.call('GET', `/subscriptions/${id}/cycles`)).data;
  }

  /** The payer's app reads the code and allows the debits. */
  async allow({ code }: Subscription, more: object = {}): Promise<void> {
    await this.gateway.bank.control('POST', '/sandbox/recs', { brCode: code, ...more });
    await this.wait(60);
  }

  /** A subscription whose payer has allowed the debits, with its first cycle sent to the bank. */
  async givenScheduled(fields: Readonly<Record<string, unknown>> = {}): Promise<Subscription> {
    const today = this.today();
    const created = await this.given({ first_day: daysAfter(today, 14), ...fields });
    await this.allow(created);
    await this.goTo(daysAfter(today, 10), 12);
    const [cycle] = await this.cyclesOf(created);
    if (cycle?.status !== 'scheduled') throw new Error(`the first cycle is ${cycle?.status}`);
    return this.read(created);
  }

  async firstDebitDay(subscription: Subscription): Promise<string> {
    return (await this.cyclesOf(subscription)).at(-1)?.debit_day ?? '';
  }

  /** Asks for a code for the first cycle: its text, or undefined if the call is to be repeated. */
  async codeForFirstCycle({ id }: Subscription): Promise<string | undefined> {
    const response = await this.call('POST', `/subscriptions/${id}/cycles/1/charge`, {});
    if (response.status === 500) return undefined;
    const { other_payment_id } = parseSuccess(chargeCycle.response, response);
    const charge = await this.db
      .selectFrom('charges')
      .select('br_code')
      .where('id', '=', other_payment_id)
      .executeTakeFirstOrThrow();
    return charge.br_code;
  }

  /** The path of the mandate among the bank's calls for tests. */
  async recOf({ id }: Subscription): Promise<string> {
    const { id_rec } = await this.db
      .selectFrom('mandates')
      .select('id_rec')
      .where('subscription_id', '=', id)
      .executeTakeFirstOrThrow();
    return `/sandbox/recs/${id_rec}`;
  }

  chargesOf({ id }: Subscription) {
    return this.db
      .selectFrom('charges')
      .select(['id', 'status', 'br_code', 'amount_cents', 'refunded_cents', 'refunding_cents'])
      .where('subscription_id', '=', id)
      .execute();
  }

  /** The bodies of the events that say that a cycle was paid. */
  async paidEventsOf({ id }: Subscription) {
    const rows = await this.db
      .selectFrom('events')
      .select('body')
      .where('merchant_id', '=', this.merchant.id)
      .where('subject_id', '=', id)
      .where('type', '=', 'cycle.paid')
      .execute();
    return rows.map(({ body }) => subscriptionEvent.parse(JSON.parse(body)));
  }

  async creditedCents({ id }: Subscription): Promise<number> {
    const rows = await this.db
      .selectFrom('charges')
      .innerJoin('received_pix', (join) =>
        join
          .onRef('received_pix.merchant_id', '=', 'charges.merchant_id')
          .onRef('received_pix.charge_id', '=', 'charges.id'),
      )
      .select('received_pix.amount_cents')
      .where('charges.subscription_id', '=', id)
      .execute();
    return rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  }

  async refundsOf({ id }: Subscription): Promise<number[]> {
    const rows = await this.db
      .selectFrom('refunds')
      .innerJoin('charges', 'charges.id', 'refunds.charge_id')
      .select('refunds.amount_cents')
      .where('charges.subscription_id', '=', id)
      .execute();
    return rows.map(({ amount_cents }) => amount_cents);
  }
}
