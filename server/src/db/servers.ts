// The servers of one database: a primary and its standbys. Only the primary accepts writes. A failover makes a standby
// the new primary.
import pTimeout from 'p-timeout';
import pg from 'pg';
import { asUnavailable, DatabaseUnavailable } from './outage.ts';

const askTimeoutMs = 2000;
/**
 * How long to wait for the other servers once one that accepts writes has answered: another may have become the primary
 * later.
 */
const waitForOthersMs = 500;

/**
 * Matches an address that may name several servers, in the format of `psql`
 * (`postgres://user:password@one:5432,two:5432/database`). The groups are the part before the hosts, the hosts, and the
 * rest.
 */
const addressParts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*)(.*)$/s;

/** Returns the address of each server that an address names. */
export function serversOf(address: string): readonly string[] {
  const [, start = '', hosts = '', end = ''] = addressParts.exec(address) ?? [];
  const servers = hosts.split(',').map((host) => `${start}${host}${end}`);
  return servers.length > 1 ? servers : [address];
}

/** Returns the kind of server that an address asks for (`target_session_attrs`, as in an address for `psql`). */
export function sessionAttributesOf(address: string): string | undefined {
  const [first = ''] = serversOf(address);
  return new URL(first).searchParams.get('target_session_attrs') ?? undefined;
}

/** Whether the server must be found with `findPrimary`: the address names several servers, or asks for the primary. */
export const needsPrimary = (address: string): boolean =>
  serversOf(address).length > 1 || sessionAttributesOf(address) !== undefined;

/** The primary of each address. While it is being looked for, all new connections wait for the same search. */
const primaries = new Map<string, Promise<string>>();

/**
 * Returns the address of the primary. All servers are asked, because a former primary that nobody stopped still accepts
 * writes. If two servers accept writes, the one on the later timeline was promoted later.
 */
export function findPrimary(address: string): Promise<string> {
  const knownPrimary = primaries.get(address);
  if (knownPrimary !== undefined) return knownPrimary;
  const search = searchPrimary(serversOf(address));
  primaries.set(address, search);
  return search;
}

async function searchPrimary(servers: readonly string[]): Promise<string> {
  const answers = await askAllServers(servers);
  const [latest] = answers
    .flatMap((answer) => ('timeline' in answer ? [answer] : []))
    .toSorted((left, right) => (left.timeline < right.timeline ? 1 : -1));
  if (latest !== undefined) return latest.server;
  const reasons = answers.flatMap((answer) => ('refusal' in answer ? [answer.refusal] : []));
  throw new DatabaseUnavailable(`no server of the database can be written to (${reasons.join('; ')})`);
}

/** Returns the servers' answers. Once a server that accepts writes has answered, waits only a little for the others. */
function askAllServers(servers: readonly string[]): Promise<readonly ServerAnswer[]> {
  const answers: ServerAnswer[] = [];
  return new Promise((resolve) => {
    for (const server of servers)
      void askServer(server).then((answer) => {
        answers.push(answer);
        if (answers.length === servers.length) resolve(answers);
        else if ('timeline' in answer) setTimeout(resolve, waitForOthersMs, answers);
      });
  });
}

/** Forgets the primary of this address, so that the next connection asks all its servers again. */
export function forgetPrimary(address: string): void {
  primaries.delete(address);
}

/** A server that accepts writes, with its timeline (PostgreSQL's count of promotions); or why a server does not. */
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
    // Not awaited: the server may go silent now, and then `end` never resolves.
    client.end().catch(() => {});
    return timeline === undefined ? refuse('read-only') : { server, timeline };
  } catch (error) {
    client.connection.stream.destroy();
    return refuse(asUnavailable(error).message);
  }
}
