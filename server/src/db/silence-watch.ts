import { randomBytes } from 'node:crypto';
import pTimeout, { TimeoutError } from 'p-timeout';
import pg from 'pg';

/** A connection to the database, as far as the watch knows it. Times are those of `performance.now()`. */
export type WatchedConnection = {
  /** The address of the server. */
  readonly url: string;
  /** The `application_name` of the session, which no other session has. */
  readonly name: string;
  /** Since when a statement has waited for its answer; undefined if none waits. */
  readonly waitingSince: () => number | undefined;
  /** When the server last answered on this connection. */
  readonly lastAnswerAt: () => number;
  readonly bytesRead: () => number;
  /** Whether statements have a time limit: those that a caller waits for do, long work such as a migration does not. */
  readonly hasStatementTimeout: boolean;
  /** Whether no statement waits for its answer and no transaction is open. */
  readonly isIdle: () => boolean;
  /** Closes the connection at once. */
  readonly abandon: (reason: string) => void;
};

/** The server is asked only about statements that have waited at least this long for their answer. */
const suspectAfterMs = 2000;
const checkEveryMs = 1000;
const checkTimeoutMs = 2000;

const watched = new Set<WatchedConnection>();
const urlsBeingChecked = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/**
 * Watches a connection until the returned function is called. When the host of a database vanishes, nobody closes its
 * connections: a statement then waits for an answer that never comes, and looks like one that takes long. So while a
 * statement waits, the watch opens a new connection and asks the server whether it is working on that statement. If
 * the answer is no twice in a row, the connection is abandoned, and so are connections at rest that the server last
 * answered before the statement was sent. A statement that the server is working on may take any time. If the server
 * does not answer the question twice in a row, only connections with a time limit are abandoned.
 */
export function watchForSilence(connection: WatchedConnection): () => void {
  watched.add(connection);
  timer ??= setInterval(checkAllConnections, checkEveryMs).unref();
  return () => {
    watched.delete(connection);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function checkAllConnections(): void {
  const now = performance.now();
  const waiting = [...watched].filter((connection) => {
    const since = connection.waitingSince();
    return since !== undefined && now - since >= suspectAfterMs;
  });
  for (const [url, suspects] of Map.groupBy(waiting, (connection) => connection.url)) {
    if (urlsBeingChecked.has(url)) continue;
    urlsBeingChecked.add(url);
    void checkSuspects(url, suspects).finally(() => urlsBeingChecked.delete(url));
  }
}

/** A connection that looked silent at a check: since when its statement waited, and how many bytes had been read. */
type Observation = { readonly since: number | undefined; readonly bytesRead: number };
const previousObservations = new WeakMap<WatchedConnection, Observation>();

async function checkSuspects(url: string, suspects: readonly WatchedConnection[]): Promise<void> {
  const idleSessions = await findIdleSessions(
    url,
    suspects.map(({ name }) => name),
  );
  // Without an answer to go by, no connection may be abandoned.
  if (idleSessions === undefined) return;
  const silent = suspects.filter((connection) => {
    const isAlive =
      idleSessions === 'no answer' ? !connection.hasStatementTimeout : !idleSessions.has(connection.name);
    if (isAlive) return false;
    const observation = { since: connection.waitingSince(), bytesRead: connection.bytesRead() };
    const previous = previousObservations.get(connection);
    previousObservations.set(connection, observation);
    // At the first check the answer may be on its way: only a second check that finds no change proves silence.
    const isSameStatement = observation.since !== undefined && observation.since === previous?.since;
    return isSameStatement && observation.bytesRead === previous?.bytesRead;
  });
  if (silent.length > 0) abandonSilent(url, silent);
}

function abandonSilent(url: string, silent: readonly WatchedConnection[]): void {
  const lastSent = Math.max(...silent.map((connection) => connection.waitingSince() ?? 0));
  const idleConnections = [...watched].filter(
    (connection) => connection.url === url && connection.isIdle() && connection.lastAnswerAt() < lastSent,
  );
  for (const connection of [...silent, ...idleConnections])
    connection.abandon('the connection to the database has gone silent');
  void endSessions(
    url,
    silent.map(({ name }) => name),
  );
}

/**
 * Returns the names of those sessions that the server is not working on, because they are gone or wait for our next
 * statement. Returns `no answer` if the server does not answer in time, and undefined if it refuses the connection or
 * a pooler hides the names of sessions.
 */
async function findIdleSessions(
  url: string,
  names: readonly string[],
): Promise<ReadonlySet<string> | 'no answer' | undefined> {
  const ownName = `jangada watch ${randomBytes(4).toString('hex')}`;
  return askServer(url, ownName, async (client) => {
    const { rows } = await client.query<{ name: string; state: string | null }>(
      'select application_name as name, state from pg_stat_activity where application_name = any($1)',
      [[...names, ownName]],
    );
    const states = new Map(rows.map(({ name, state }) => [name, state]));
    if (!states.has(ownName)) return undefined;
    return new Set(names.filter((name) => !states.has(name) || states.get(name)?.startsWith('idle')));
  });
}

/** Ends the sessions of abandoned connections: if their server still runs, they would go on holding locks. */
async function endSessions(url: string, names: readonly string[]): Promise<void> {
  await askServer(url, 'jangada watch', (client) =>
    client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = any($1) and state like 'idle%'`,
      [names],
    ),
  );
}

async function askServer<T>(
  url: string,
  name: string,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T | 'no answer' | undefined> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  client.on('error', () => {});
  const connectAndAsk = async () => {
    await client.connect();
    return ask(client);
  };
  try {
    const answer = await pTimeout(connectAndAsk(), { milliseconds: checkTimeoutMs });
    // Not awaited: the server may go silent now, and then `end` never resolves.
    client.end().catch(() => {});
    return answer;
  } catch (error) {
    client.connection.stream.destroy();
    return error instanceof TimeoutError ? 'no answer' : undefined;
  }
}
