import { randomBytes } from 'node:crypto';
import pTimeout, { TimeoutError } from 'p-timeout';
import pg from 'pg';

/** A connection as the watch sees it. Times are those of `performance.now()`. */
export type WatchedConnection = {
  /** Where it leads. */
  readonly url: string;
  /** The name of its session at the server, which no other session has. */
  readonly name: string;
  /** Since when it has waited for the answer to a statement, if it waits. */
  readonly waitingSince: () => number | undefined;
  /** When it last heard from the server. */
  readonly heardAt: () => number;
  readonly bytesRead: () => number;
  /** Whether its statements have a limit of time, as those have that somebody waits for. */
  readonly isLimited: boolean;
  /** Whether it neither waits for an answer nor is within a transaction. */
  readonly isAtRest: () => boolean;
  /** Closes it at once. */
  readonly abandon: (reason: string) => void;
};

/** A statement that was answered within this time is nobody's concern. */
const suspectAfterMs = 2000;
const lookEveryMs = 1000;
const lookTimeoutMs = 2000;

const watched = new Set<WatchedConnection>();
const looking = new Set<string>();
let timer: NodeJS.Timeout | undefined;

/**
 * Watches a connection until the returned function is called. When the host of a database vanishes, nobody closes its
 * connections: a statement waits for an answer that never comes, and looks just like one that takes long. So while one
 * waits, the server is asked over a new connection whether it works on it. If twice in a row it does not, the
 * connection is abandoned, and with it those at rest that were last heard before. A statement that the server works on
 * may take any time. If the server does not even answer the question, statements with a limit of time are abandoned.
 */
export function watchForSilence(connection: WatchedConnection): () => void {
  watched.add(connection);
  timer ??= setInterval(lookAtAll, lookEveryMs).unref();
  return () => {
    watched.delete(connection);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function lookAtAll(): void {
  const now = performance.now();
  const waiting = [...watched].filter((connection) => {
    const since = connection.waitingSince();
    return since !== undefined && now - since >= suspectAfterMs;
  });
  for (const [url, suspects] of Map.groupBy(waiting, (connection) => connection.url)) {
    if (looking.has(url)) continue;
    looking.add(url);
    void look(url, suspects).finally(() => looking.delete(url));
  }
}

/** What was found of a connection at the last look: the statement, and what had been read by then. */
type Finding = { readonly since: number | undefined; readonly bytesRead: number };
const silentBefore = new WeakMap<WatchedConnection, Finding>();

async function look(url: string, suspects: readonly WatchedConnection[]): Promise<void> {
  const idleSessions = await findIdleSessions(
    url,
    suspects.map(({ name }) => name),
  );
  // Nothing is known when the server refuses to be asked.
  if (idleSessions === undefined) return;
  const silent = suspects.filter((connection) => {
    const isAlive = idleSessions === 'no answer' ? !connection.isLimited : !idleSessions.has(connection.name);
    if (isAlive) return false;
    const finding = { since: connection.waitingSince(), bytesRead: connection.bytesRead() };
    const before = silentBefore.get(connection);
    silentBefore.set(connection, finding);
    // The first time, the answer may be on its way.
    return (
      finding.since !== undefined && before?.since === finding.since && before.bytesRead === finding.bytesRead
    );
  });
  if (silent.length > 0) abandonSilent(url, silent);
}

function abandonSilent(url: string, silent: readonly WatchedConnection[]): void {
  const lastSent = Math.max(...silent.map((connection) => connection.waitingSince() ?? 0));
  const restingToo = [...watched].filter(
    (connection) => connection.url === url && connection.isAtRest() && connection.heardAt() < lastSent,
  );
  for (const connection of [...silent, ...restingToo])
    connection.abandon('the connection to the database has gone silent');
  void endSessions(
    url,
    silent.map(({ name }) => name),
  );
}

/**
 * Returns which of these sessions the server does not work on, because they are gone or wait for us. Undefined if the
 * server refuses the connection, or a pooler hides the names of sessions.
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

/** Ends sessions whose connection was abandoned, so that they hold no locks if their server still runs. */
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
    const answer = await pTimeout(connectAndAsk(), { milliseconds: lookTimeoutMs });
    // Not awaited, because a server that goes silent now would not let it end.
    client.end().catch(() => {});
    return answer;
  } catch (error) {
    client.connection.stream.destroy();
    return error instanceof TimeoutError ? 'no answer' : undefined;
  }
}
