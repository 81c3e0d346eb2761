import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/**
 * The account that PostgreSQL runs as: PostgreSQL refuses to run as root, and must own its directory. `prefix` is a
 * command that switches to the account and then executes PostgreSQL in its own place, so the process id stays the same.
 */
export type PostgresAccount = {
  readonly description: string;
  /** The user that must own the directory; omitted if that is the current user. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  readonly prefix: readonly string[];
};

type PasswdEntry = { name: string; uid: number; gid: number };

/**
 * Returns the accounts to try, best first, for an existing or a new cluster (PostgreSQL's data directory). An ordinary
 * user runs PostgreSQL directly. Root enters a user namespace that maps root's files to an ordinary user; where
 * namespaces are not allowed (most containers), root switches to an ordinary system user, if necessary with a
 * capability to traverse root-only directories.
 * @param cluster the data directory; if a user other than root already owns it, PostgreSQL runs as that user
 */
export function candidateAccounts(cluster: string): PostgresAccount[] {
  const uid = process.getuid?.();
  const users = passwdEntries();
  const currentUser: PostgresAccount = { description: 'the user who started this', prefix: [] };
  if (uid === undefined || (uid !== 0 && users.length === 0)) return [currentUser];
  // initdb needs a user name, which a container started with a numeric uid may lack.
  if (uid !== 0)
    return users.some((user) => user.uid === uid) ? [currentUser] : [...inUserNamespace(users), currentUser];
  const owner = ownerOf(cluster);
  if (owner !== undefined && owner.uid !== 0) return asUser(owner, `user ${owner.uid}`);
  const user = pickOrdinaryUser(users);
  return [...inUserNamespace(users), ...(user === undefined ? [] : asUser(user, user.name))];
}

function inUserNamespace(users: PasswdEntry[]): PostgresAccount[] {
  const user = pickOrdinaryUser(users);
  if (user === undefined || process.platform !== 'linux') return [];
  const maps = [`--map-user=${user.uid}`, `--map-group=${user.gid}`];
  return [{ description: 'a user namespace', prefix: ['unshare', '--user', ...maps, '--'] }];
}

function asUser({ uid, gid }: { uid: number; gid: number }, name: string): PostgresAccount[] {
  const switchUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // initdb looks for its companion programs with access(2), which ignores the capability unless this bit is set.
  const securebits = '--securebits=+no_setuid_fixup';
  const withCapability = (capability: string): PostgresAccount => ({
    description: `${name} with ${capability}`,
    owner: { uid, gid },
    prefix: [...switchUser, securebits, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--'],
  });
  return [
    { description: name, owner: { uid, gid }, prefix: [...switchUser, '--'] },
    withCapability('dac_read_search'),
    withCapability('dac_override'),
  ];
}

function pickOrdinaryUser(users: PasswdEntry[]): PasswdEntry | undefined {
  const findByName = (name: string) => users.find((user) => user.name === name);
  return findByName('postgres') ?? findByName('nobody') ?? users.find((user) => user.uid !== 0);
}

function passwdEntries(): PasswdEntry[] {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {}
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function ownerOf(path: string): { uid: number; gid: number } | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

/** Transfers ownership of a directory and its contents to the account. */
export function changeOwner(directory: string, { owner }: PostgresAccount): void {
  if (owner === undefined || ownerOf(directory)?.uid === owner.uid) return;
  const { status, stderr } = spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, directory], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${directory} cannot be given to user ${owner.uid}: ${stderr}`);
}
