import { createHash, randomBytes } from 'node:crypto';
import { finished } from 'node:stream';
import pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './outage.ts';
import { findPrimary, forgetPrimary, needsPrimary, serversOf } from './servers.ts';
import { watchForSilence } from './silence-watch.ts';

/** Bounds the memory for the names of statements whose text varies. */
const maxStatementNames = 5000;
const statementNames = new Map<string, string>();

/** A given SQL text has the same name on every connection, so that each connection parses and plans it once. */
function statementName(sql: string): string {
  const existingName = statementNames.get(sql);
  if (existingName !== undefined) return existingName;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
  if (statementNames.size < maxStatementNames) statementNames.set(sql, name);
  return name;
}

/** How long a session of the gateway may take over one statement, and how it plans. */
export type SessionOptions = {
  /** No statement may take longer; 0 means no limit. */
  readonly statementTimeoutMs?: number;
  /**
   * True for work that reads few rows by key, like all of the gateway's: discourages plans that read whole tables.
   * PostgreSQL plans a statement while its tables are small and keeps the plan, so it would continue to scan them after
   * they have grown.
   */
  readonly byKey?: boolean;
  /** True for connections to a database with all migrations: notices a failover or a copy before anything else is done. */
  readonly recognizesServer?: boolean;
};

export type ClientConfig = pg.ClientConfig & { readonly session: SessionOptions };

/** The server's answer to a statement that it cancels itself must arrive before we give the connection up. */
const answerMs = 5000;

/**
 * A connection whose parametrised statements are prepared once, and which is given up when it stays silent: at the end
 * of the time that its statement has, or as soon as the server turns out not to work on it (`silence-watch.ts`). A
 * connection that was given up is closed, so no pool hands it out again.
 */
export class DatabaseClient extends pg.Client {
  /** The address, which may name several servers. */
  readonly #address: string;
  /** The address of the one server that it is connected to. */
  #url: string;
  readonly #settings: string;
  readonly #limitMs: number;
  readonly #name: string;
  /** The statement that waits for its answer, and since when. */
  #waiting: { readonly since: number } | undefined;
  #heardAt = 0;
  #isBroken = false;

  constructor({ session, ...config }: ClientConfig = { session: {} }) {
    const address = config.connectionString ?? '';
    const [firstServer = address] = serversOf(address);
    const name = `${config.application_name ?? 'jangada'} ${randomBytes(4).toString('hex')}`;
    super({
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
      ...config,
      connectionString: firstServer,
      application_name: name,
    });
    this.#name = name;
    this.#address = address;
    this.#url = firstServer;
    this.#settings = settingsOf(session);
    this.#limitMs = session.statementTimeoutMs ?? 0;
    // An error event that nobody listens to would end the process.
    this.on('error', () => {
      this.#isBroken = true;
    });
  }

  override connect = ((callback?: (error: Error | null, client?: DatabaseClient) => void) => {
    const connected = this.#open();
    if (callback === undefined) return connected;
    // On a tick of its own, because what the callback throws is not an error of this connection.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
    return undefined;
  }) as pg.Client['connect'];

  override query = ((first: unknown, ...rest: unknown[]) => {
    const send = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (isStream(first)) {
      finished(first, this.#wait(0));
      return send(first);
    }
    const callback = rest.find((argument) => typeof argument === 'function');
    const [values] = rest;
    const isPrepared = typeof first === 'string' && Array.isArray(values) && values.length > 0;
    const query = isPrepared ? [{ name: statementName(first), text: first, values }] : [first];
    if (!isPrepared && values !== undefined && values !== callback) query.push(values as never);
    const answered = this.#wait(this.#limitMs === 0 ? 0 : this.#limitMs + answerMs);
    if (callback !== undefined)
      return send(...query, (error: Error | undefined, result: unknown) => {
        answered();
        callback(error && this.#explain(error), result);
      });
    return (send(...query) as Promise<unknown>).then(
      (result) => {
        answered();
        return result;
      },
      (error) => {
        answered();
        throw this.#explain(error);
      },
    );
  }) as pg.Client['query'];

  /** Closes the connection at once; what waits for its answer fails with DatabaseUnavailable. */
  abandon(reason: string): void {
    forgetPrimary(this.#address);
    this.connection.stream.destroy(new DatabaseUnavailable(reason));
  }

  async #open(): Promise<this> {
    const isPrimary = this.#address !== '' && needsPrimary(this.#address);
    try {
      if (isPrimary) this.#turnTo(await findPrimary(this.#address));
      await super.connect();
      this.#watch();
      // Not start parameters, because poolers refuse connections with parameters that they do not know.
      await this.query(isPrimary ? `${failUnlessPrimary}; ${this.#settings}` : this.#settings);
      return this;
    } catch (error) {
      forgetPrimary(this.#address);
      this.connection.stream.destroy();
      throw asUnavailable(error);
    }
  }

  /** Chooses the server to connect to. */
  #turnTo(server: string): void {
    this.#url = server;
    const { host, port } = new pg.Client({ connectionString: server });
    Object.assign(this, { host, port });
  }

  #watch(): void {
    this.#heardAt = performance.now();
    const forget = watchForSilence({
      url: this.#url,
      name: this.#name,
      waitingSince: () => this.#waiting?.since,
      heardAt: () => this.#heardAt,
      isLimited: this.#limitMs > 0,
      bytesRead: () => bytesReadFrom(this.connection.stream),
      isAtRest: () => this.#waiting === undefined && this.getTransactionStatus() === 'I',
      abandon: (reason) => this.abandon(reason),
    });
    this.once('end', forget);
  }

  /** Notes that a statement was sent. Returns a function to call when it was answered; 0: it may take any time. */
  #wait(timeoutMs: number): () => void {
    const waiting = { since: performance.now() };
    this.#waiting = waiting;
    const timer =
      timeoutMs === 0 ? undefined : setTimeout(() => this.abandon('the database did not answer'), timeoutMs);
    return () => {
      clearTimeout(timer);
      this.#heardAt = performance.now();
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
  }

  #explain(error: unknown): unknown {
    return this.#isBroken || this.connection.stream.destroyed ? asUnavailable(error) : error;
  }
}

/** Opens a connection outside any pool. It has no limit of time, but is given up when it stays silent. */
export async function connectClient(url: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: url, session: {} });
  await client.connect();
  return client;
}

/** A COPY, which the driver treats as a query. */
function isStream(query: unknown): query is NodeJS.ReadableStream & pg.Submittable {
  return typeof query === 'object' && query !== null && 'submit' in query && 'pipe' in query;
}

function bytesReadFrom(stream: object): number {
  return 'bytesRead' in stream ? Number(stream.bytesRead) : 0;
}

/**
 * What a session needs, whatever the server's own settings are: an operator's server is not set up like the embedded one.
 */
function settingsOf({
  statementTimeoutMs = 0,
  byKey = false,
  recognizesServer = false,
}: SessionOptions): string {
  const settings = {
    // Compiling costs more than any statement here takes, and some servers compile by default.
    jit: 'off',
    timezone: 'UTC',
    datestyle: 'ISO, MDY',
    default_transaction_isolation: 'read committed',
    // Long work has time-outs of its own, or none.
    lock_timeout: 0,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs === 0 ? 0 : 60_000,
    ...(byKey && { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }),
  };
  return [
    ...Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`),
    endIfGivenUp,
    ...(recognizesServer ? ['select recognize_server()'] : []),
  ].join('; ');
}

// The primary may have become a standby since it was found; this is how PostgreSQL itself refuses to write to one.
const failUnlessPrimary = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'this server of the database is read-only';
  end if;
end $$`;

// A statement whose connection was given up must not go on, holding what it locked. Windows cannot check this.
const endIfGivenUp = `select set_config('client_connection_check_interval', '5s', false)
  where version() !~* 'windows|visual c|mingw|msvc'`;
