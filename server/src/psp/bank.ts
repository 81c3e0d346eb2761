import type { ConnectableBank } from '@jangada/contract';
import type { PspConfig } from '../config.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import type { BankHealth, Psp } from './psp.ts';

/** The operator's own account, which the settings name. */
export const HOUSE_CONNECTION = 1;

/** An account at a bank for which this gateway may speak. */
export type Connection = {
  readonly id: number;
  /** The Pix key on which the account receives. */
  readonly pixKey: string;
};

/** How a callback proves that it comes from the bank: each part that is set is demanded, besides the secret path. */
export type CallbackProof = Pick<PspConfig, 'webhookCidrs' | 'webhookProofHeader'>;

/** A connection, the adapter that reaches its bank, and how the bank's callbacks are recognised. */
export type ConnectedBank = {
  readonly connection: Connection;
  readonly psp: Psp;
  readonly callbacks: CallbackProof & {
    readonly adapter: PspConfig['name'];
    /**
     * Set for a bank that is not the operator's: the address and the mutual TLS of the settings are for the operator's
     * own bank, so any other calls the public URL.
     */
    readonly arrivesAtPublicUrl?: true;
  };
  /** The institution that holds the account, as payers read it; undefined if nobody named it. */
  readonly institution?: string | undefined;
  /**
   * What the attempts of this process to reach the bank have shown; undefined if there were none. To be asked instead of
   * `psp.health`, which would connect a bank that is connected only when it is first used.
   */
  readonly health?: () => BankHealth | undefined;
  /** For a bank that is connected only when it is first used: what it offers, as known without connecting it. */
  readonly offers?: BankOffers;
  /** Set if the bank debits by mandate, and nobody entered the account into which the debits are to be paid. */
  readonly lacksDebitAccount?: true;
};

/** The services of a bank besides charges. */
export type BankOffers = ConnectableBank['offers'];

/** The services that the bank of an account offers; none if there is no such account. Connects no bank to find out. */
export function offersOf(
  banks: Pick<Banks, 'find'>,
  connectionId: number,
): Pick<BankOffers, 'refunds' | 'withdrawals' | 'recurring'> {
  const bank = banks.find(connectionId);
  if (bank === undefined) return { refunds: false, withdrawals: false, recurring: false };
  if (bank.offers !== undefined) return bank.offers;
  const { refunds, payouts, recurring } = bank.psp;
  return {
    refunds: refunds !== undefined,
    withdrawals: payouts !== undefined,
    recurring: recurring !== undefined,
  };
}

export type Banks = {
  readonly house: ConnectedBank;
  /** The bank of a connection, to which everything that began there is bound. */
  of(connectionId: number): ConnectedBank;
  /** The same for a number that a caller names; undefined if there is no such connection. */
  find(connectionId: number): ConnectedBank | undefined;
  /** All banks that this gateway reads and sends to. */
  all(): readonly ConnectedBank[];
  /** Reads which accounts merchants connected, changed or gave up. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/**
 * The dependencies of work at one bank. Other code has no `psp`, so work that belongs to one account cannot reach
 * another by mistake.
 */
export type AtBank = Deps & ConnectedBank;

export function atBank<D extends Pick<Deps, 'banks'>>(deps: D, connectionId: number): D & ConnectedBank {
  return { ...deps, ...deps.banks.of(connectionId) };
}

/**
 * The same for an account that another process may have activated a moment ago: if it is not known, the accounts are read
 * anew. Undefined if it is still unknown then.
 */
export async function findAtBank<D extends Pick<Deps, 'banks'>>(
  deps: D,
  connectionId: number,
): Promise<(D & ConnectedBank) | undefined> {
  if (deps.banks.find(connectionId) === undefined) await deps.banks.refresh();
  return deps.banks.find(connectionId) && atBank(deps, connectionId);
}

/** Dependencies at the operator's own bank. */
export function atHouse<D extends Pick<Deps, 'banks'>>(deps: D): D & ConnectedBank {
  return { ...deps, ...deps.banks.house };
}

export function createBanks(house: ConnectedBank, others: readonly ConnectedBank[] = []): Banks {
  const banks = new Map([house, ...others].map((bank) => [bank.connection.id, bank]));
  return {
    house,
    of(connectionId) {
      const bank = banks.get(connectionId);
      invariant(bank !== undefined, `no bank is connected as ${connectionId}`);
      return bank;
    },
    find: (connectionId) => banks.get(connectionId),
    all: () => [...banks.values()],
    refresh: () => Promise.resolve(),
    async close() {
      await Promise.all([...banks.values()].map(({ psp }) => psp.close()));
    },
  };
}
