// The servers of one database: a primary and its standbys. Only the primary can be written to, and which server that is
// changes with a failover.
import pTimeout from 'p-timeout';
import pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './outage.ts';

const askTimeoutMs = 2000;
/** How long the other servers may still answer after one that can be written to. */
const otherAnswersMs = 500;

/** The address `postgres://user:password@one:5432,two:5432/database`, as `psql` has it, in its three parts. */
const addressParts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/s;

/** Returns the address of each server that an address names. */
export function serversOf(address: string): readonly string[] {
  const [, start = '', hosts = '', end = ''] = addressParts.exec(address) ?? [];
  const servers = hosts.split(',').map((host) => `${start}${host}${end}`);
  return servers.length > 1 ? servers : [address];
}

/** What an address asks of its server, by the parameter that `psql` has for it. */
export function sessionAttributesOf(address: string): string | undefined {
  const [first = ''] = serversOf(address);
  return new URL(first).searchParams.get('target_session_attrs') ?? undefined;
}

/** Whether the primary has to be found among the servers of this address. */
export const needsPrimary = (address: string): boolean =>
  serversOf(address).length > 1 || sessionAttributesOf(address) !== undefined;

/** The primary of each address: found, or being looked for. */
const primaries = new Map<string, Promise<string>>();

/**
 * Returns the address of the server that can be written to. All are asked, because a former primary that nobody stopped
 * still takes writes: of two, the one on the later timeline has been promoted since.
 */
export function findPrimary(address: string): Promise<string> {
  const known = primaries.get(address);
  if (known !== undefined) return known;
  const found = lookForPrimary(serversOf(address));
  primaries.set(address, found);
  return found;
}

async function lookForPrimary(servers: readonly string[]): Promise<string> {
  const answers = await askAll(servers);
  const [latest] = answers
    .flatMap((answer) => ('timeline' in answer ? [answer] : []))
    .toSorted((one, other) => (one.timeline < other.timeline ? 1 : -1));
  if (latest !== undefined) return latest.server;
  const reasons = answers.flatMap((answer) => ('refusal' in answer ? [answer.refusal] : []));
  throw new DatabaseUnavailable(`no server of the database can be written to (${reasons.join('; ')})`);
}

/** Returns the answers of all servers, or those that arrived in time after one that can be written to. */
function askAll(servers: readonly string[]): Promise<readonly ServerAnswer[]> {
  const answers: ServerAnswer[] = [];
  return new Promise((resolve) => {
    for (const server of servers)
      void askServer(server).then((answer) => {
        answers.push(answer);
        if (answers.length === servers.length) resolve(answers);
        else if ('timeline' in answer) setTimeout(resolve, otherAnswersMs, answers);
      });
  });
}

/** Lets the next connection ask all servers of this address again. */
export function forgetPrimary(address: string): void {
  primaries.delete(address);
}

/** A server that can be written to, with its timeline, which counts promotions; or why it cannot. */
type ServerAnswer = { readonly server: string; readonly timeline: string } | { readonly refusal: string };

async function askServer(server: string): Promise<ServerAnswer> {
  const client = new pg.Client({ connectionString: server, application_name: 'jangada look-up' });
  client.on('error', () => {});
  const ask = async () => {
    await client.connect();
    const { rows } = await client.query<{ timeline: string }>(
      `select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline
       where current_setting('transaction_read_only') = 'off'`,
    );
    return rows[0]?.timeline;
  };
  const refuse = (reason: string) => ({ refusal: `${client.host}:${client.port}: ${reason}` });
  try {
    const timeline = await pTimeout(ask(), { milliseconds: askTimeoutMs, message: 'no answer' });
    // Not awaited, because a server that goes silent now would not let it end.
    client.end().catch(() => {});
    return timeline === undefined ? refuse('read-only') : { server, timeline };
  } catch (error) {
    client.connection.stream.destroy();
    return refuse(asUnavailable(error).message);
  }
}
