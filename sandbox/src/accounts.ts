import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { accountSchema, isAppCustomer, PAYER_OPENING_CENTS, type SandboxAccount } from './account.ts';
import { AutomaticWorker } from './automatic/automatic-worker.ts';
import type { Bank, BankSettings } from './bank.ts';
import { Books, type BooksOptions } from './books.ts';
import { readClientCertificate } from './certificate-authority.ts';
import type { VirtualClock } from './clock.ts';
import { debitAppCustomer } from './debit-app-customer.ts';
import { Journal } from './journal.ts';
import { Notifier, type NotifierOptions } from './notifier.ts';
import { receivePayout } from './receive-payout.ts';
import { SandboxRefusal } from './refusal.ts';
import { Settler } from './settler.ts';

/** A line of the file of accounts. Files on disk contain these field names, so none may change. */
const openedSchema = accountSchema.extend({
  id: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  /** The client certificate that the account demands, with its key, as PEM. */
  certificate: z.string().optional(),
});

type OpenedAccount = z.infer<typeof openedSchema>;

/** An account and the credentials that act for it. */
type AccountAccess = Pick<Bank, 'account' | 'clientId' | 'clientSecret' | 'certificate'>;

interface AccountsOptions extends BooksOptions {
  readonly dataDir: string;
  readonly notifications?: NotifierOptions;
}

/**
 * All accounts of the running bank. The first is the one of the settings, with its journal in `dataDir`; the others
 * were opened while the bank ran, and are kept in `accounts.jsonl`, each with a journal in a directory of its own.
 */
export class Accounts {
  readonly first: Bank;
  readonly #banks: Bank[];
  readonly #settings: BankSettings;
  readonly #options: AccountsOptions;
  readonly #file: Journal;
  /** The keys of all accounts, those being opened included. */
  readonly #keys: Set<string>;
  #lastNumber = 1;

  private constructor(
    first: AccountAccess,
    books: Books,
    settings: BankSettings,
    options: AccountsOptions,
    file: Journal,
  ) {
    this.#settings = settings;
    this.#options = options;
    this.#file = file;
    this.first = this.#makeBank('1', first, books);
    this.#banks = [this.first];
    this.#keys = new Set([first.account.key]);
  }

  /** Opens the books of all accounts; `first` describes the first one. */
  static async open(
    first: AccountAccess,
    settings: BankSettings,
    options: AccountsOptions,
  ): Promise<Accounts> {
    const opened: OpenedAccount[] = [];
    const books = await Books.open(options.dataDir, options);
    const path = join(options.dataDir, 'accounts.jsonl');
    const file = await Journal.open(path, (line) => opened.push(openedSchema.parse(line)), options);
    const accounts = new Accounts(first, books, settings, options, file);
    for (const account of opened) await accounts.#addBank(account);
    return accounts;
  }

  /** The first account and then the others, oldest first. */
  get all(): readonly Bank[] {
    return this.#banks;
  }

  /** The clock of the bank, which all accounts share. */
  get clock(): VirtualClock {
    return this.first.books.clock;
  }

  /** Whether no account's books contain anything that has a time. Only then may the clock be set back. */
  get isEmpty(): boolean {
    return this.#banks.every(({ books }) => books.isEmpty);
  }

  /** The balance of the bank app's customer, in cents. */
  get payerCents(): number {
    return this.#banks.reduce((sum, { books }) => sum + books.payerChangeCents, PAYER_OPENING_CENTS);
  }

  ofKey(key: string): Bank | undefined {
    return this.#banks.find(({ account }) => account.key === key);
  }

  /** Returns the account with this id or key. */
  named(idOrKey: string): Bank | undefined {
    return this.#banks.find(({ id }) => id === idOrKey) ?? this.ofKey(idOrKey);
  }

  /**
   * Opens an account with new credentials and empty books, and resolves once it is on disk. With `certificateDays` the
   * account demands a client certificate, which is valid so long. Throws `SandboxRefusal` KEY_TAKEN if another account
   * has the key, and NO_CERTIFICATES if the bank issues none.
   */
  async add(account: SandboxAccount, certificateDays?: number): Promise<Bank> {
    const certificate =
      certificateDays === undefined ? undefined : this.#issueCertificate(account, certificateDays);
    if (this.#keys.has(account.key)) {
      throw new SandboxRefusal('KEY_TAKEN', 'Esta chave Pix já é de outra conta deste banco.');
    }
    this.#keys.add(account.key);
    this.#lastNumber += 1;
    const id = String(this.#lastNumber);
    const clientSecret = randomBytes(24).toString('base64url');
    const opened = { ...account, id, clientId: `conta-${id}`, clientSecret, certificate };
    await this.#file.append(opened);
    return this.#addBank(opened);
  }

  /** Sends the notices, and continues the refunds, payouts and debits, that an earlier run left unfinished. */
  start(): void {
    for (const { books, notifier, settler, automaticWorker } of this.#banks) {
      notifier.schedule(books.notices.values());
      settler.wake();
      automaticWorker.wake();
    }
  }

  /** Sends and continues what is due. Call it after the bank's time was moved. */
  wake(): void {
    for (const { notifier, settler, automaticWorker } of this.#banks) {
      notifier.wake();
      settler.wake();
      automaticWorker.wake();
    }
  }

  /** Resolves once the state of all accounts in memory is on disk. */
  async untilDurable(): Promise<void> {
    await Promise.all(this.#banks.map(({ books }) => books.untilDurable()));
  }

  /** Ends the workers; nothing is continued or sent from then on. */
  async stopWorkers(): Promise<void> {
    for (const { settler, automaticWorker } of this.#banks) {
      settler.stop();
      automaticWorker.stop();
    }
    await Promise.all(this.#banks.map(({ notifier }) => notifier.stop()));
  }

  async closeBooks(): Promise<void> {
    await Promise.all([this.#file.close(), ...this.#banks.map(({ books }) => books.close())]);
  }

  #issueCertificate({ name }: SandboxAccount, days: number): string {
    const { authority } = this.#settings;
    if (authority === undefined) {
      throw new SandboxRefusal(
        'NO_CERTIFICATES',
        'Este banco foi iniciado sem SANDBOX_MTLS_PORT e não emite certificados.',
      );
    }
    return authority.issueToClient(name, days);
  }

  async #addBank({ id, clientId, clientSecret, certificate: pem, ...account }: OpenedAccount): Promise<Bank> {
    const directory = join(this.#options.dataDir, 'accounts', id);
    const books = await Books.open(directory, this.#options, this.clock);
    const certificate = pem === undefined ? undefined : readClientCertificate(pem);
    const bank = this.#makeBank(id, { account, clientId, clientSecret, certificate }, books);
    this.#banks.push(bank);
    this.#keys.add(account.key);
    this.#lastNumber = Math.max(this.#lastNumber, Number(id));
    return bank;
  }

  #makeBank(id: string, access: AccountAccess, books: Books): Bank {
    const notifier = new Notifier(books, this.#options.notifications ?? {});
    const accountOfKey = (key: string) => this.ofKey(key);
    const settler = new Settler(books, notifier, (payout, now) => {
      const payee = accountOfKey(payout.payee.key);
      return payee && receivePayout(payee, access.account, payout, now);
    });
    const automaticWorker = new AutomaticWorker(
      () => bank,
      ({ payer, amountCents }) => (isAppCustomer(payer) ? debitAppCustomer(this, amountCents) : {}),
    );
    const bank: Bank = {
      ...{ ...this.#settings, ...access, id, books, notifier, settler, automaticWorker, accountOfKey },
    };
    return bank;
  }
}
