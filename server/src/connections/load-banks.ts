import type { Logger } from 'pino';
import type { Config, PspConfig } from '../config.ts';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { invariant } from '../invariant.ts';
import {
  type BankAddresses,
  type BankExchange,
  type Banks,
  bankAddressRules,
  type ConnectedBank,
  callbacksOf,
  connectBank,
  connectUnusableBank,
  createBanks,
  findKnownBank,
  type KnownBank,
  noticeUrl,
  OWN_ACCOUNT_ITEMS_PER_PAGE,
  OWN_ACCOUNT_LIMITS,
  ownAccountOf,
  type Psp,
  pspConfigOf,
  recurringOf,
} from '../psp/index.ts';
import type { Secrets } from '../secrets.ts';
import type { BankToCheck } from './check-bank.ts';
import { openCredentials } from './credentials.ts';
import {
  type ConnectionRow,
  debitAccountOf,
  type LoadableRow,
  selectChangedSince,
  selectConnection,
} from './store.ts';

type LoadDeps = {
  readonly db: Db;
  readonly secrets: Secrets;
  readonly log: Logger;
  readonly config: Pick<Config, 'psp' | 'merchantCity' | 'mode' | 'sandboxMtls' | 'sandboxPublic'>;
  readonly onExchange?: (exchange: BankExchange) => void;
};

/**
 * Rows that changed within this time before the newest known change are compared again: commits may overtake each other,
 * and another host's clock may be behind.
 */
const overlapMs = 3_600_000;
/** Calls in progress with replaced credentials may still end; no call takes longer. */
const closeAfterMs = 60_000;

/**
 * The operator's own bank and those of merchants, as the database has them. `refresh` reads what changed since; a bank
 * is connected only when it is first used, so an account at rest costs the memory of its row.
 */
export function createLiveBanks(house: ConnectedBank, deps: LoadDeps): Banks {
  const loaded = new Map<number, LoadedBank>();
  /** When each row that was read changed last. */
  const changes = new Map<number, Date>();
  let newestChange: Date | undefined;
  let running: Promise<void> | undefined;

  async function load(): Promise<void> {
    const since = newestChange && new Date(newestChange.getTime() - overlapMs);
    for (const row of await selectChangedSince(deps.db, since, changes)) {
      changes.set(row.id, row.updated_at);
      if (newestChange === undefined || row.updated_at > newestChange) newestChange = row.updated_at;
      applyRow(row);
    }
  }

  function applyRow(row: LoadableRow): void {
    const before = loaded.get(row.id);
    const isKnown = findKnownBank(deps.config, row.bank) !== undefined;
    if (!isKnown)
      deps.log.error({ connectionId: row.id, bank: row.bank }, 'an account at a bank that is not known');
    const version = isKnown ? versionOf(row) : undefined;
    if (before?.version === version) return;
    before?.closeLater();
    if (version === undefined) loaded.delete(row.id);
    else loaded.set(row.id, createLoadedBank(row, version, deps));
  }

  const find = (id: number) => (id === house.connection.id ? house : loaded.get(id));
  const fixed = createBanks(house);
  return {
    house,
    find,
    of: (id) => loaded.get(id) ?? fixed.of(id),
    all: () => [house, ...loaded.values()],
    refresh() {
      running ??= load().finally(() => {
        running = undefined;
      });
      return running;
    },
    async close() {
      await Promise.all([fixed.close(), ...[...loaded.values()].map((bank) => bank.close())]);
    },
  };
}

type LoadedBank = ConnectedBank & {
  readonly version: string;
  close(): Promise<void>;
  closeLater(): void;
};

/** Changes when the bank has to be connected anew. Undefined if the account is not in use. */
function versionOf(row: LoadableRow): string | undefined {
  const { state, sealed_key, sealed_credentials, pix_key, api_url, token_url } = row;
  const account = JSON.stringify(debitAccountOf(row));
  if (state === 'retired' || sealed_key === null || sealed_credentials === null) return undefined;
  return [sealed_credentials.toString('base64'), pix_key, api_url, token_url, account].join(' ');
}

/** The bank of one row, which is connected when its `psp` is first used. */
function createLoadedBank(row: LoadableRow, version: string, deps: LoadDeps): LoadedBank {
  const { config } = deps;
  const known = findKnownBank(config, row.bank);
  const recurring = recurringOf(known, debitAccountOf(row));
  let psp: Psp | undefined;
  const close = async () => void (await psp?.close());
  // Accessors of the object itself, so that a copy into the dependencies of some work has their values.
  return {
    connection: { id: row.id, pixKey: row.pix_key },
    get psp() {
      psp ??= connectOrStandIn(deps, row);
      return psp;
    },
    // Undefined before the first use, which a look at the health is not.
    health: () => psp?.health(),
    ...(known !== undefined && { offers: { ...known.offers, recurring: recurring === 'available' } }),
    ...(recurring === 'needs-account' && { lacksDebitAccount: true }),
    callbacks: callbacksAt(config, row),
    institution: known?.institution,
    version,
    close,
    closeLater: () => setTimeout(() => void close(), closeAfterMs).unref(),
  };
}

/**
 * Connects the bank of a row. If its credentials cannot be opened, the calls to the bank fail instead, and the account's
 * owner is told as for a bank that is silent.
 */
function connectOrStandIn(deps: LoadDeps, row: LoadableRow): Psp {
  const { config, onExchange, log } = deps;
  const known = knownBankOf(config, row.bank);
  const settings = { pixKey: row.pix_key, merchantCity: config.merchantCity };
  try {
    return connectBank(
      { ...settings, psp: bankConfigOf(deps, row) },
      {
        ...(onExchange && { onExchange }),
        limits: OWN_ACCOUNT_LIMITS,
        itemsPerPage: OWN_ACCOUNT_ITEMS_PER_PAGE,
        // Addresses that an administrator entered are checked again at each connection.
        ...(known.addresses === undefined && { addressRules: bankAddressRules(config) }),
      },
    );
  } catch (err) {
    log.error({ err, connectionId: row.id }, 'the credentials of an account cannot be opened');
    const psp = pspConfigOf(known, addressesOf(known, row), { clientId: '', clientSecret: '' });
    return connectUnusableBank({ ...settings, psp }, err);
  }
}

type AddressRow = Pick<LoadableRow, 'bank' | 'api_url' | 'token_url'>;

/** At the operator's own bank, callbacks are proven as the settings say. No other bank can give that proof. */
function callbacksAt(config: LoadDeps['config'], row: AddressRow): ConnectedBank['callbacks'] {
  const known = knownBankOf(config, row.bank);
  if (isAtHouseBank(config, row)) return { ...callbacksOf(config.psp), adapter: known.adapter };
  return { adapter: known.adapter, webhookCidrs: known.webhookCidrs, arrivesAtPublicUrl: true };
}

function isAtHouseBank(config: LoadDeps['config'], row: AddressRow): boolean {
  return addressesOf(knownBankOf(config, row.bank), row).apiUrl === config.psp.baseUrl;
}

/** How to reach the bank of an account, with its stored credentials or with `sealed` ones. */
function bankConfigOf(
  { config, secrets }: Pick<LoadDeps, 'config' | 'secrets'>,
  row: Omit<LoadableRow, 'state' | 'updated_at'>,
  sealed = row.sealed_credentials,
): PspConfig {
  invariant(sealed !== null, 'a bank whose credentials are erased');
  const known = knownBankOf(config, row.bank);
  const debitAccount = debitAccountOf(row);
  const credentials = {
    ...openCredentials(secrets, row, sealed),
    ...(debitAccount !== null && { debitAccount }),
  };
  const { webhookMtls, webhookProofHeader } = isAtHouseBank(config, row) ? config.psp : {};
  return {
    ...pspConfigOf(known, addressesOf(known, row), credentials),
    ...(webhookMtls && { webhookMtls }),
    ...(webhookProofHeader && { webhookProofHeader }),
  };
}

/** How to check an account, with its stored credentials or with `sealed` ones. */
export function bankToCheck(
  deps: Pick<Deps, 'config' | 'secrets' | 'clock' | 'db'>,
  row: ConnectionRow,
  sealed = row.sealed_credentials,
): BankToCheck {
  const { config, clock } = deps;
  const connection = { id: row.id, pixKey: row.pix_key };
  return {
    config,
    bank: knownBankOf(config, row.bank),
    psp: bankConfigOf(deps, row, sealed),
    pixKey: row.pix_key,
    noticeUrl: noticeUrl({ ...deps, connection, callbacks: callbacksAt(config, row) }),
    isAbandoned: (url) => isOfUnusedAccount(deps, url),
    now: clock.now,
  };
}

/** Whether this gateway made a URL for notices for an account that nobody is paid at: a draft, or a retired one. */
async function isOfUnusedAccount(deps: Pick<Deps, 'db' | 'secrets'>, url: string): Promise<boolean> {
  const id = ownAccountOf(deps, url);
  if (id === undefined) return false;
  const row = await selectConnection(deps.db, id);
  return row === undefined || row.state === 'draft' || row.state === 'retired';
}

function knownBankOf(config: LoadDeps['config'], id: string): KnownBank {
  const known = findKnownBank(config, id);
  invariant(known !== undefined, `an account at a bank that is not known: ${id}`);
  return known;
}

function addressesOf(
  known: KnownBank,
  { api_url, token_url }: Pick<LoadableRow, 'api_url' | 'token_url'>,
): BankAddresses {
  if (known.addresses !== undefined) return known.addresses;
  invariant(api_url !== null && token_url !== null, 'a bank whose addresses nobody entered');
  return { apiUrl: api_url, tokenUrl: token_url };
}
