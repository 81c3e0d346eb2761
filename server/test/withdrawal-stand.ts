import { adminUpdateUser, getWithdrawal, login, type WithdrawalDetail } from '@jangada/contract';
import { bankWatchLoops } from '../src/bank-watch/index.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { settleReceived } from '../src/payments/index.ts';
import { withdrawalLoops } from '../src/withdrawals/index.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from './given.ts';

/**
 * A gateway for tests of withdrawals. Nothing runs in the background: a test runs the jobs itself, and moves the clocks
 * of the gateway and the bank. The clocks start at noon in Brasília, because other limits apply at night.
 */
export class WithdrawalStand {
  readonly gateway: TestGateway;
  admin: GivenAdmin;

  private constructor(gateway: TestGateway, admin: GivenAdmin) {
    this.gateway = gateway;
    this.admin = admin;
  }

  static async start(
    env: Readonly<Record<string, string>> = {},
    options: Pick<TestGatewayOptions, 'databaseUrl'> = {},
  ): Promise<WithdrawalStand> {
    const gateway = await startTestGateway({ ...options, startsWork: false, env });
    const stand = new WithdrawalStand(gateway, await givenAdmin(gateway));
    await stand.advanceToNoon();
    return stand;
  }

  get deps() {
    return this.gateway.deps;
  }

  /**
   * Creates a merchant with a PIN and this balance in BRL. Then polls the bank's balance, because the gateway sends no
   * payout before it knows that balance.
   */
  async createFundedMerchant(balance: number): Promise<GivenMerchant> {
    const merchant = await givenMerchant(this.gateway, { admin: this.admin });
    await givenPin(this.gateway, merchant);
    await givenBalance(this.gateway, merchant, balance);
    await this.pollBankBalance();
    return merchant;
  }

  /**
   * Moves the clocks to noon in Brasília on the next day. Sessions have expired by then, so the administrator is new.
   */
  async advanceToNoon(): Promise<void> {
    await this.advanceToHour(0);
    await this.advanceToHour(12);
    this.admin = await givenAdmin(this.gateway);
  }

  /** Moves the clocks to the next time at which this hour begins in Brasília (UTC−3). */
  async advanceToHour(hour: number): Promise<void> {
    const now = this.deps.clock.now();
    const hourTodayMs = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`) + (hour + 3) * 3_600_000;
    const days = hourTodayMs > now.getTime() ? 0 : 1;
    await this.gateway.advance(Math.ceil((hourTodayMs - now.getTime()) / 1000) + days * 86_400);
    await this.pollBankBalance();
  }

  /** Returns the merchant with a new session. */
  async signIn(merchant: GivenMerchant): Promise<GivenMerchant> {
    const { username, password } = merchant;
    const response = await this.gateway.api('POST', '/login', { username, password });
    return { ...merchant, ...parseSuccess(login.response, response) };
  }

  /** Changes whether the account is approved, as an administrator. */
  async approve(merchant: GivenMerchant, approved: boolean): Promise<void> {
    const path = `/admin/users/${merchant.id}`;
    const { token } = this.admin;
    const { version } = parseSuccess(
      adminUpdateUser.response,
      await this.gateway.api('GET', path, undefined, { token }),
    ).user;
    const response = await this.gateway.api('PUT', path, { version, approved }, { token });
    if (response.status !== 200)
      throw new Error(`The account was not changed: ${JSON.stringify(response.body)}`);
  }

  /** Polls the bank's balance, if a poll is due. */
  async pollBankBalance(): Promise<void> {
    for (const { name, work } of bankWatchLoops) if (name === 'bank balance') await work(this.deps);
  }

  /** Sends all due withdrawals. Returns how many were due. */
  sendDueWithdrawals(): Promise<number> {
    return this.#runLoop('withdrawals');
  }

  /** Looks up all due withdrawals at the bank. Returns how many were due. */
  lookUpDueWithdrawals(): Promise<number> {
    return this.#runLoop('withdrawal look-ups');
  }

  /** Reads the bank's list of payouts. */
  async reconcile(): Promise<void> {
    await this.#runLoop('sent Pix');
  }

  /** Books a Pix received by the bank. */
  async bookReceivedPix(endToEndId: string): Promise<void> {
    const pix = await this.deps.psp.findReceivedPix(endToEndId);
    if (pix === undefined) throw new Error(`The bank does not know ${endToEndId}.`);
    await inTransaction(this.deps, (tx) => settleReceived(tx, [pix], this.deps.connection));
  }

  async #runLoop(loopName: string): Promise<number> {
    const loop = withdrawalLoops.find(({ name }) => name === loopName);
    if (loop === undefined) throw new Error(`There is no loop ${loopName}.`);
    return loop.work(this.deps);
  }

  /** Moves the clocks in steps of ten seconds; after each step, polls the bank's balance and looks up due orders. */
  async advanceInSteps(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      await this.gateway.advance(10);
      await this.pollBankBalance();
      await this.lookUpDueWithdrawals();
    }
  }

  /**
   * Enables withdrawals by API key, saves maria@example.com as a destination, and requests a withdrawal to it by API
   * key. `amountCents` includes the fee.
   */
  async requestWithdrawalByApi(
    merchant: GivenMerchant,
    amountCents: number,
    callbackUrl: string,
  ): Promise<{ id: string }> {
    const { token, apiKey, password } = merchant;
    const proof = { password, withdrawal_pin: defaultPin };
    const payee = { pixKey: 'maria@example.com' };
    const destination = { ...payee, pix_key_type: 'email', ...proof };
    await this.gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
    await this.gateway.api('POST', '/authed/api-withdrawals/destinations', destination, { token });
    const body = { amount: amountCents, ...payee, keyType: 'email', callbackUrl };
    const response = await this.gateway.api('POST', '/withdraw', body, { apiKey });
    if (response.status !== 200)
      throw new Error(`The withdrawal was not accepted: ${JSON.stringify(response.body)}`);
    return { id: (response.body as { withdrawal_id: string }).withdrawal_id };
  }

  /** Requests a withdrawal in the dashboard, of R$ 50,00 by default. */
  ask(merchant: GivenMerchant, fields: Record<string, unknown> = {}): Promise<WithdrawalDetail> {
    return givenWithdrawal(this.gateway, merchant, fields);
  }

  /** A withdrawal as its merchant sees it. */
  async readWithdrawal({ token }: GivenMerchant, id: string): Promise<WithdrawalDetail> {
    const response = await this.gateway.api('GET', `/authed/withdrawals/${id}`, undefined, { token });
    return parseSuccess(getWithdrawal.response, response);
  }

  /** Moves the clocks second by second and looks up due orders, until the withdrawal has this status. */
  async advanceUntilStatus(merchant: GivenMerchant, id: string, status: string): Promise<WithdrawalDetail> {
    for (let tries = 0; tries < 60; tries += 1) {
      const found = await this.readWithdrawal(merchant, id);
      if (found.status === status) return found;
      await this.gateway.advance(1);
      await this.lookUpDueWithdrawals();
    }
    throw new Error(
      `It did not become ${status}: ${JSON.stringify(await this.readWithdrawal(merchant, id))}`,
    );
  }

  rowOf(id: string) {
    const row = this.deps.db.selectFrom('withdrawals').selectAll().where('id', '=', id);
    return row.executeTakeFirstOrThrow();
  }

  /** The bank's records of a withdrawal: one at most, unless it was paid twice. */
  async payoutsOf(id: string) {
    const { id_envio } = await this.rowOf(id);
    return (await this.gateway.bank.listPayouts()).filter(({ idEnvio }) => idEnvio === id_envio);
  }

  /** The kinds of the open items about a withdrawal or payout. */
  async readOpenItemKinds(reference: string): Promise<string[]> {
    const items = this.deps.db.selectFrom('open_items').select('kind').where('reference', '=', reference);
    return (await items.where('closed_at', 'is', null).execute()).map(({ kind }) => kind);
  }

  /** The events about a withdrawal, in the order of the log. `event` is the end of the event's id. */
  async readEvents(id: string): Promise<{ readonly event: string; readonly body: unknown }[]> {
    const rows = await this.deps.db
      .selectFrom('events')
      .select(['id', 'body'])
      .where('subject_id', '=', id)
      .orderBy('epoch')
      .orderBy('tx')
      .orderBy('seq')
      .execute();
    return rows.map((row) => ({
      event: row.id.replace(`evt_${id.replaceAll('-', '')}_`, ''),
      body: JSON.parse(row.body),
    }));
  }

  /** All notifications of a merchant, oldest first. */
  async readNotifications({ id }: GivenMerchant): Promise<{ title: string; body: string }[]> {
    const notifications = this.deps.db.selectFrom('notifications').select(['title', 'body']);
    return notifications.where('merchant_id', '=', id).orderBy('id').execute();
  }

  /** As an administrator, closes a withdrawal of unknown outcome with evidence from the bank. */
  resolve(merchant: GivenMerchant, id: string, body: Record<string, unknown>) {
    const path = `/admin/users/${merchant.id}/withdrawals/${id}/resolve`;
    return this.gateway.api('POST', path, body, { token: this.admin.token });
  }
}
