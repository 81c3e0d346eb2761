import { createHash, randomBytes } from 'node:crypto';
import { finished } from 'node:stream';
import pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './outage.ts';
import { findPrimary, forgetPrimary, needsPrimary, serversOf } from './servers.ts';
import { watchForSilence } from './silence-watch.ts';

/** The most names kept in memory. Statements whose text varies would otherwise add names without end. */
const maxStatementNames = 5000;
const statementNames = new Map<string, string>();

/** Part of every statement name. Each increase gives all statements new names (`discardStatementNames`). */
let nameGeneration = 0;

/** Returns the name for a SQL text. The same text gets the same name, so each connection parses and plans it once. */
function statementName(sql: string): string {
  const existingName = statementNames.get(sql);
  if (existingName !== undefined) return existingName;
  const name = createHash('sha256').update(`${nameGeneration} ${sql}`).digest('base64url').slice(0, 24);
  if (statementNames.size < maxStatementNames) statementNames.set(sql, name);
  return name;
}

/**
 * Whether a prepared statement failed because the columns that it returns have changed since it was prepared: a newer
 * version of the gateway has migrated the database. It did nothing, and succeeds once it is prepared again.
 */
export function isStalePlan(error: unknown): boolean {
  // The message may be in any language, and other errors have this code too.
  return (
    error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  );
}

/**
 * Gives all statements new names, so that every connection prepares them again. `staleName` is the name under which the
 * statement failed. If the statement has a newer name by now, another connection has done this already.
 */
function discardStatementNames(sql: string, staleName: string): void {
  if (statementName(sql) !== staleName) return;
  nameGeneration += 1;
  statementNames.clear();
}

/** The settings in which the sessions of the gateway differ from each other. */
export type SessionOptions = {
  /** The longest time that a statement may take; 0 means no limit. */
  readonly statementTimeoutMs?: number;
  /**
   * True if the statements read few rows by key, as the gateway's do: discourages plans that read whole tables.
   * PostgreSQL keeps the plan of a prepared statement, so a plan made while a table is small would still scan the
   * whole table after it has grown.
   */
  readonly readsByKey?: boolean;
  /**
   * True if each new connection must first check that it has not reached another server, after a failover or because
   * this is a copy; if it has, payouts stop (`detect_server_change`, a function that exists only after all migrations).
   */
  readonly detectsServerChange?: boolean;
};

export type ClientConfig = pg.ClientConfig & { readonly session: SessionOptions };

/**
 * How long after a statement's time limit its connection is abandoned. The server cancels the statement at the limit,
 * and its answer needs time to arrive.
 */
const answerGraceMs = 5000;

/**
 * A connection that prepares each parametrised statement once, and is abandoned if the server stays silent: when a
 * statement has not been answered within its time limit, or as soon as the server turns out not to be working on it
 * (`silence-watch.ts`). An abandoned connection is closed, so no pool hands it out again.
 */
export class DatabaseClient extends pg.Client {
  /** The configured address, which may name several servers. */
  readonly #address: string;
  /** The address of the one server to which this connection leads. */
  #url: string;
  readonly #settings: string;
  readonly #statementTimeoutMs: number;
  readonly #name: string;
  /** Set while a statement waits for its answer. */
  #waiting: { readonly since: number } | undefined;
  #lastAnswerAt = 0;
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
    this.#statementTimeoutMs = session.statementTimeoutMs ?? 0;
    // Without a listener, an error event would end the process.
    this.on('error', () => {
      this.#isBroken = true;
    });
  }

  override connect = ((callback?: (error: Error | null, client?: DatabaseClient) => void) => {
    const connected = this.#open();
    if (callback === undefined) return connected;
    // In a tick of its own, so that an error thrown by the callback does not become a rejection of this promise.
    connected.then(
      () => process.nextTick(callback, null, this),
      (error: Error) => process.nextTick(callback, error),
    );
    return undefined;
  }) as pg.Client['connect'];

  /** Replaces all overloads of `pg`: a text or a query object, then perhaps values, then perhaps a callback. */
  override query = ((textOrQuery: unknown, ...rest: unknown[]) => {
    const send = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (isStream(textOrQuery)) {
      finished(textOrQuery, this.#startWaiting(0));
      return send(textOrQuery);
    }
    const callback = rest.find((argument) => typeof argument === 'function');
    const [values] = rest;
    const isPrepared = typeof textOrQuery === 'string' && Array.isArray(values) && values.length > 0;
    const name = isPrepared ? statementName(textOrQuery) : '';
    const query = isPrepared ? [{ name, text: textOrQuery, values }] : [textOrQuery];
    if (!isPrepared && values !== undefined && values !== callback) query.push(values as never);
    const stopWaiting = this.#startWaiting(
      this.#statementTimeoutMs === 0 ? 0 : this.#statementTimeoutMs + answerGraceMs,
    );
    if (callback !== undefined)
      return send(...query, (error: Error | undefined, result: unknown) => {
        stopWaiting();
        callback(error && this.#toOutageIfBroken(error), result);
      });
    return (send(...query) as Promise<unknown>).then(
      (result) => {
        stopWaiting();
        return result;
      },
      (error) => {
        stopWaiting();
        if (isPrepared && isStalePlan(error)) {
          discardStatementNames(textOrQuery, name);
          // Within a transaction, which is aborted now, `inTransaction` repeats all of it.
          if (this.getTransactionStatus() === 'I') return this.query(textOrQuery, values);
        }
        throw this.#toOutageIfBroken(error);
      },
    );
  }) as pg.Client['query'];

  /** Closes the connection at once. A statement that waits for its answer fails with DatabaseUnavailable. */
  abandon(reason: string): void {
    forgetPrimary(this.#address);
    this.connection.stream.destroy(new DatabaseUnavailable(reason));
  }

  async #open(): Promise<this> {
    const mustBePrimary = this.#address !== '' && needsPrimary(this.#address);
    try {
      if (mustBePrimary) this.#useServer(await findPrimary(this.#address));
      await super.connect();
      this.#watch();
      // A statement, not startup parameters: poolers refuse connections with parameters that they do not know.
      await this.query(mustBePrimary ? `${failUnlessPrimary}; ${this.#settings}` : this.#settings);
      return this;
    } catch (error) {
      forgetPrimary(this.#address);
      this.connection.stream.destroy();
      throw asUnavailable(error);
    }
  }

  /** Chooses the server to connect to. */
  #useServer(server: string): void {
    this.#url = server;
    const { host, port } = new pg.Client({ connectionString: server });
    Object.assign(this, { host, port });
  }

  #watch(): void {
    this.#lastAnswerAt = performance.now();
    const stopWatching = watchForSilence({
      url: this.#url,
      name: this.#name,
      waitingSince: () => this.#waiting?.since,
      lastAnswerAt: () => this.#lastAnswerAt,
      hasStatementTimeout: this.#statementTimeoutMs > 0,
      bytesRead: () => bytesReadFrom(this.connection.stream),
      isIdle: () => this.#waiting === undefined && this.getTransactionStatus() === 'I',
      abandon: (reason) => this.abandon(reason),
    });
    this.once('end', stopWatching);
  }

  /**
   * Records that a statement was sent, and abandons the connection if the answer takes longer than `timeoutMs` (0: no
   * limit). Returns a function that the caller calls when the answer has arrived.
   */
  #startWaiting(timeoutMs: number): () => void {
    const waiting = { since: performance.now() };
    this.#waiting = waiting;
    const timer =
      timeoutMs === 0 ? undefined : setTimeout(() => this.abandon('the database did not answer'), timeoutMs);
    return () => {
      clearTimeout(timer);
      this.#lastAnswerAt = performance.now();
      if (this.#waiting === waiting) this.#waiting = undefined;
    };
  }

  /** Returns DatabaseUnavailable for an error that came because the connection broke; other errors unchanged. */
  #toOutageIfBroken(error: unknown): unknown {
    return this.#isBroken || this.connection.stream.destroyed ? asUnavailable(error) : error;
  }
}

/** Opens a connection outside any pool. Its statements have no time limit, but a silent connection is abandoned. */
export async function connectClient(url: string): Promise<DatabaseClient> {
  const client = new DatabaseClient({ connectionString: url, session: {} });
  await client.connect();
  return client;
}

/** Whether the query is the stream of a COPY, which may take any time. */
function isStream(query: unknown): query is NodeJS.ReadableStream & pg.Submittable {
  return typeof query === 'object' && query !== null && 'submit' in query && 'pipe' in query;
}

function bytesReadFrom(stream: object): number {
  return 'bytesRead' in stream ? Number(stream.bytesRead) : 0;
}

/**
 * Returns the statements that set up a session. They set everything that the gateway depends on, because an operator's
 * own server may be configured differently from the embedded one.
 */
function settingsOf({
  statementTimeoutMs = 0,
  readsByKey = false,
  detectsServerChange = false,
}: SessionOptions): string {
  const settings = {
    // Compiling a statement (JIT) takes longer than any statement here runs, and some servers compile by default.
    jit: 'off',
    timezone: 'UTC',
    datestyle: 'ISO, MDY',
    default_transaction_isolation: 'read committed',
    // These three replace the server's own time-outs, which could end long work such as a migration; 0 means none.
    lock_timeout: 0,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs === 0 ? 0 : 60_000,
    ...(readsByKey && { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }),
  };
  return [
    ...Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`),
    endIfAbandoned,
    ...(detectsServerChange ? ['select detect_server_change()'] : []),
  ].join('; ');
}

// The primary may have become a standby since `findPrimary` found it. The error raised is the one with which PostgreSQL
// itself refuses to write on a standby.
const failUnlessPrimary = `do $$ begin
  if current_setting('transaction_read_only')::boolean then
    raise read_only_sql_transaction using message = 'this server of the database is read-only';
  end if;
end $$`;

// Makes the server check during a statement whether we are still connected: a statement whose connection was abandoned
// must not continue and hold its locks. PostgreSQL on Windows does not offer this check.
const endIfAbandoned = `select set_config('client_connection_check_interval', '5s', false)
  where version() !~* 'windows|visual c|mingw|msvc'`;
