import { adminUpdateUser, getWithdrawal, login, type WithdrawalDetail } from '@jangada/contract';
import { bankWatchLoops } from '../src/bank-watch/index.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { settleReceived } from '../src/payments/index.ts';
import { withdrawalLoops } from '../src/withdrawals/index.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenPinDigits,
  givenWithdrawal,
  read,
} from './given.ts';

/**
 * A gateway without background work: tests run its jobs when they want, and move the time of gateway and bank. It
 * starts at noon in Brasília, since other limits hold at night.
 */
export class WithdrawalStand {
  readonly gateway: TestGateway;
  admin: GivenAdmin;

  private constructor(gateway: TestGateway, admin: GivenAdmin) {
    this.gateway = gateway;
    this.admin = admin;
  }

  static async start(env: Readonly<Record<string, string>> = {}): Promise<WithdrawalStand> {
    const gateway = await startTestGateway({ work: false, env });
    const stand = new WithdrawalStand(gateway, await givenAdmin(gateway));
    await stand.untilNoon();
    return stand;
  }

  get deps() {
    return this.gateway.deps;
  }

  /** A merchant with a PIN and this balance in BRL, after a reading of the bank's balance. */
  async merchant(balance: number): Promise<GivenMerchant> {
    const merchant = await givenMerchant(this.gateway, { admin: this.admin });
    await givenPin(this.gateway, merchant);
    await givenBalance(this.gateway, merchant, balance);
    await this.watchBank();
    return merchant;
  }

  /** Moves to noon in Brasília, on a day without withdrawals so far. Sessions have expired by then. */
  async untilNoon(): Promise<void> {
    await this.untilHour(0);
    await this.untilHour(12);
    this.admin = await givenAdmin(this.gateway);
  }

  /** Moves to the next time with this hour in Brasília, UTC−3. */
  async untilHour(hour: number): Promise<void> {
    const now = this.deps.clock.now();
    const wanted = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`) + (hour + 3) * 3_600_000;
    const days = wanted > now.getTime() ? 0 : 1;
    await this.gateway.advance(Math.ceil((wanted - now.getTime()) / 1000) + days * 86_400);
    await this.watchBank();
  }

  /** With a new session. */
  async signIn(merchant: GivenMerchant): Promise<GivenMerchant> {
    const { username, password } = merchant;
    const answer = await this.gateway.api('POST', '/login', { username, password });
    return { ...merchant, ...read(login.response, answer) };
  }

  /** Through the account settings of the administration. */
  async approve(merchant: GivenMerchant, approved: boolean): Promise<void> {
    const path = `/admin/users/${merchant.id}`;
    const { token } = this.admin;
    const { version } = read(
      adminUpdateUser.response,
      await this.gateway.api('GET', path, undefined, { token }),
    ).user;
    const answer = await this.gateway.api('PUT', path, { version, approved }, { token });
    if (answer.status !== 200) throw new Error(`The account was not changed: ${JSON.stringify(answer.body)}`);
  }

  /** Reads the bank's balance, if due. */
  async watchBank(): Promise<void> {
    for (const { name, work } of bankWatchLoops) if (name === 'bank balance') await work(this.deps);
  }

  send(): Promise<number> {
    return this.#work('withdrawals');
  }

  lookUp(): Promise<number> {
    return this.#work('withdrawal look-ups');
  }

  /** Reads the bank's list of payouts. */
  async reconcile(): Promise<void> {
    await this.#work('sent Pix');
  }

  /** Books a Pix received by the bank. */
  async receive(endToEndId: string): Promise<void> {
    const pix = await this.deps.psp.findReceivedPix(endToEndId);
    if (pix === undefined) throw new Error(`The bank does not know ${endToEndId}.`);
    await inTransaction(this.deps, (tx) => settleReceived(tx, [pix], this.deps.config.pixKey));
  }

  async #work(wanted: string): Promise<number> {
    const loop = withdrawalLoops.find(({ name }) => name === wanted);
    if (loop === undefined) throw new Error(`There is no loop ${wanted}.`);
    return loop.work(this.deps);
  }

  /** Reads the balance and looks up due orders, every ten seconds for this long. */
  async passTime(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 10) {
      await this.gateway.advance(10);
      await this.watchBank();
      await this.lookUp();
    }
  }

  /** By API key to maria@example.com, with a callback address. `amountCents`: fee included. */
  async askByApi(merchant: GivenMerchant, amountCents: number, callbackUrl: string): Promise<{ id: string }> {
    const { token, apiKey, password } = merchant;
    const proof = { password, withdrawal_pin: givenPinDigits };
    const payee = { pixKey: 'maria@example.com' };
    const saved = { ...payee, pix_key_type: 'email', ...proof };
    await this.gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
    await this.gateway.api('POST', '/authed/api-withdrawals/destinations', saved, { token });
    const wanted = { amount: amountCents, ...payee, keyType: 'email', callbackUrl };
    const answer = await this.gateway.api('POST', '/withdraw', wanted, { apiKey });
    if (answer.status !== 200) throw new Error(`It was not taken: ${JSON.stringify(answer.body)}`);
    return { id: (answer.body as { withdrawal_id: string }).withdrawal_id };
  }

  ask(merchant: GivenMerchant, wanted: Record<string, unknown> = {}): Promise<WithdrawalDetail> {
    return givenWithdrawal(this.gateway, merchant, wanted);
  }

  async detail({ token }: GivenMerchant, id: string): Promise<WithdrawalDetail> {
    const answer = await this.gateway.api('GET', `/authed/withdrawals/${id}`, undefined, { token });
    return read(getWithdrawal.response, answer);
  }

  /** Looks it up every second until it has this status. */
  async untilStatus(merchant: GivenMerchant, id: string, status: string): Promise<WithdrawalDetail> {
    for (let tries = 0; tries < 60; tries += 1) {
      const found = await this.detail(merchant, id);
      if (found.status === status) return found;
      await this.gateway.advance(1);
      await this.lookUp();
    }
    throw new Error(`It did not come to ${status}: ${JSON.stringify(await this.detail(merchant, id))}`);
  }

  rowOf(id: string) {
    const row = this.deps.db.selectFrom('withdrawals').selectAll().where('id', '=', id);
    return row.executeTakeFirstOrThrow();
  }

  /** The bank's record of it. */
  async payoutsOf(id: string) {
    const { id_envio } = await this.rowOf(id);
    return (await this.gateway.bank.sent()).filter(({ idEnvio }) => idEnvio === id_envio);
  }

  /** The kinds of its open items. */
  async openItems(reference: string): Promise<string[]> {
    const items = this.deps.db.selectFrom('open_items').select('kind').where('reference', '=', reference);
    return (await items.where('closed_at', 'is', null).execute()).map(({ kind }) => kind);
  }

  /** The events sent to its merchant's system, by the end of their ids and by their bodies. */
  async told(id: string): Promise<{ readonly event: string; readonly body: unknown }[]> {
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

  async notified({ id }: GivenMerchant): Promise<{ title: string; body: string }[]> {
    const notifications = this.deps.db.selectFrom('notifications').select(['title', 'body']);
    return notifications.where('merchant_id', '=', id).orderBy('id').execute();
  }

  resolve(merchant: GivenMerchant, id: string, body: Record<string, unknown>) {
    const path = `/admin/users/${merchant.id}/withdrawals/${id}/resolve`;
    return this.gateway.api('POST', path, body, { token: this.admin.token });
  }
}
