import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, USAGE_EXIT_CODE } from './failure.ts';

/** The stored data of one gateway: its URL, an API key, and the secret with which `listen` signs forwarded events. */
export type Profile = {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly listen_secret?: string | undefined;
};

type Profiles = Readonly<Record<string, Profile>>;

export const defaultProfile = 'default';

/** The path of the file that stores all profiles. */
export function configFile(): string {
  const { XDG_CONFIG_HOME: configHome } = process.env;
  return join(configHome || join(homedir(), '.config'), 'jangada', 'config.json');
}

export function readProfile(name: string): Profile | undefined {
  const profiles = readProfiles();
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** Stores a profile, or deletes it if `profile` is undefined. Only the file's owner can read the file. */
export function storeProfile(name: string, profile: Profile | undefined): void {
  const others = Object.entries(readProfiles()).filter(([other]) => other !== name);
  const profiles = Object.fromEntries(profile === undefined ? others : [...others, [name, profile]]);
  const file = configFile();
  const temporaryFile = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(temporaryFile, `${JSON.stringify({ profiles }, undefined, 2)}\n`, { mode: 0o600 });
  chmodSync(temporaryFile, 0o600);
  renameSync(temporaryFile, file);
}

function readProfiles(): Profiles {
  const file = configFile();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw new CommandFailure(`O arquivo ${file} não pode ser lido. Confira as permissões dele.`);
  }
  try {
    const { profiles } = JSON.parse(text);
    const stored = Object.entries<Record<string, unknown>>(profiles);
    return Object.fromEntries(stored.map(([name, profile]) => [name, parseProfile(profile)]));
  } catch {
    throw new CommandFailure(`O arquivo ${file} está estragado. Apague-o e entre de novo: jangada login`);
  }
}

function parseProfile(stored: Readonly<Record<string, unknown>>): Profile {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { url: text(stored['url']), key: text(stored['key']), listen_secret: text(stored['listen_secret']) };
}

/**
 * Returns the secret that signs forwarded events: the one that the user chose, or that of the profile. The secret of
 * the profile is generated at its first use, and stored so that it stays the same between runs.
 */
export function findOrCreateListenSecret(profile: string, chosenSecret: string | undefined): string {
  if (chosenSecret !== undefined) {
    if (!/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(chosenSecret))
      throw new CommandFailure('--secret: informe o segredo inteiro, como whsec_….', USAGE_EXIT_CODE);
    return chosenSecret;
  }
  const stored = readProfile(profile);
  if (stored?.listen_secret !== undefined) return stored.listen_secret;
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`;
  storeProfile(profile, { ...stored, listen_secret: secret });
  return secret;
}
