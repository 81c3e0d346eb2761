import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/**
 * A way to run PostgreSQL, which refuses to run as root and must own its data directory. `prefix` is put before
 * PostgreSQL's command line: a program that changes the user and then becomes PostgreSQL (`exec`), so that the process
 * id stays the same.
 */
export type LaunchMethod = {
  /** For error messages, such as "user 1000". */
  readonly description: string;
  /** The user that must own the directory; omitted if that is the current user. */
  readonly owner?: FileOwner;
  /** Empty if PostgreSQL is run directly. */
  readonly prefix: readonly string[];
};

type FileOwner = { readonly uid: number; readonly gid: number };

/** A user of this system, as `/etc/passwd` lists it. */
type PasswdEntry = { readonly name: string; readonly uid: number; readonly gid: number };

/**
 * Returns the ways to try, best first, to run PostgreSQL on an existing or a new cluster (its data directory).
 * - An ordinary user runs PostgreSQL directly.
 * - Root runs it as the user that owns the cluster.
 * - If that is root or the cluster is new, root runs it in a user namespace, in which root appears as an ordinary user.
 * - Where namespaces are not allowed (most containers), root switches to an ordinary user of the system.
 */
export function candidateLaunchMethods(cluster: string): LaunchMethod[] {
  const uid = process.getuid?.();
  // Windows has no user ids.
  if (uid === undefined) return [asCurrentUser];
  return uid === 0 ? methodsForRoot(cluster) : methodsForOrdinaryUser(uid);
}

const asCurrentUser: LaunchMethod = { description: 'the user who started this', prefix: [] };

function methodsForOrdinaryUser(uid: number): LaunchMethod[] {
  const users = readPasswdEntries();
  // initdb needs a user name, which a container started with a numeric uid may lack. A namespace gives it one.
  const hasName = users.some((user) => user.uid === uid);
  return hasName ? [asCurrentUser] : [...inUserNamespace(users), asCurrentUser];
}

function methodsForRoot(cluster: string): LaunchMethod[] {
  const owner = ownerOf(cluster);
  if (owner !== undefined && owner.uid !== 0) return asUser(owner, `user ${owner.uid}`);
  const users = readPasswdEntries();
  const user = pickOrdinaryUser(users);
  return [...inUserNamespace(users), ...(user === undefined ? [] : asUser(user, user.name))];
}

/**
 * In a user namespace, the current user and its files appear under the id of an ordinary user. Outside, nothing
 * changes, so the directory keeps its owner. Only Linux has namespaces.
 */
function inUserNamespace(users: readonly PasswdEntry[]): LaunchMethod[] {
  const user = pickOrdinaryUser(users);
  if (user === undefined || process.platform !== 'linux') return [];
  const maps = [`--map-user=${user.uid}`, `--map-group=${user.gid}`];
  return [{ description: 'a user namespace', prefix: ['unshare', '--user', ...maps, '--'] }];
}

/**
 * Switches from root to another user. That user may be unable to enter a directory above the programs or the cluster,
 * such as `/root`. So the next methods leave it one of root's privileges (a Linux capability): `dac_read_search`, to
 * read any file and enter any directory, or `dac_override`, to write too. Containers may have only the second.
 */
function asUser({ uid, gid }: FileOwner, name: string): LaunchMethod[] {
  const owner = { uid, gid };
  const switchUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  // initdb looks for its companion programs with access(2), which ignores the capability unless this bit is set.
  const securebits = '--securebits=+no_setuid_fixup';
  const withCapability = (capability: string): LaunchMethod => ({
    description: `${name} with ${capability}`,
    owner,
    // Only an ambient capability outlasts `exec`, and only an inheritable one can be ambient.
    prefix: [...switchUser, securebits, `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`, '--'],
  });
  return [
    { description: name, owner, prefix: [...switchUser, '--'] },
    withCapability('dac_read_search'),
    withCapability('dac_override'),
  ];
}

function pickOrdinaryUser(users: readonly PasswdEntry[]): PasswdEntry | undefined {
  const findByName = (name: string) => users.find((user) => user.name === name);
  return findByName('postgres') ?? findByName('nobody') ?? users.find((user) => user.uid !== 0);
}

/** Returns the users in `/etc/passwd`, whose lines are `name:password:uid:gid:…`. */
function readPasswdEntries(): PasswdEntry[] {
  let text = '';
  try {
    text = readFileSync('/etc/passwd', 'utf8');
  } catch {
    // Without the file no users are known; PostgreSQL may still run as the current user.
  }
  return text.split('\n').flatMap((line) => {
    const [name = '', , uid = '', gid = ''] = line.split(':');
    return /^\d+$/.test(uid) && /^\d+$/.test(gid) ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

function ownerOf(path: string): FileOwner | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

/** Gives a file, or a directory with its contents, to the user that must own it, unless that user already does. */
export function changeOwner(path: string, { owner }: LaunchMethod): void {
  if (owner === undefined || ownerOf(path)?.uid === owner.uid) return;
  const { status, stderr } = spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, path], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${path} cannot be given to user ${owner.uid}: ${stderr}`);
}
