// npm run build: builds the browser's files; with `-- --report` the dashboard in any case, with a treemap of what it holds. npm start and npm test build only what is stale.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The workspaces that have a build, each with the folders of its sources. */
const sourcesOf: Record<string, readonly string[]> = {
  web: ['web', 'contract', 'pix'],
  sandbox: ['sandbox', 'pix'],
};

/**
 * Builds every workspace that changed since its last build.
 * @throws with the output of the build if a build fails
 */
export function buildStaleWorkspaces(): void {
  for (const [workspace, sources] of Object.entries(sourcesOf)) {
    const script = buildScript(workspace);
    const stampFile = join(root, workspace, 'dist', '.built');
    if (script === undefined) continue;
    const stamp = fingerprint(sources);
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) continue;
    console.log(workspace === 'web' ? 'Building the dashboard ...' : `Building ${workspace} ...`);
    build(workspace, script);
    writeFileSync(stampFile, stamp);
  }
}

/** Builds the dashboard, stale or not, and draws its treemap. */
function buildWithReport(): void {
  process.env['BUILD_REPORT'] = join(root, 'web', 'treemap.html');
  build('web', buildScript('web') ?? '');
  console.log(`The treemap of the dashboard is ${process.env['BUILD_REPORT']}.`);
}

/** Returns the script `build` in the workspace's package.json; undefined if there is none. */
function buildScript(workspace: string): string | undefined {
  const packageJson: unknown = JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'));
  if (typeof packageJson !== 'object' || packageJson === null || !('scripts' in packageJson))
    return undefined;
  const { scripts } = packageJson;
  if (typeof scripts !== 'object' || scripts === null || !('build' in scripts)) return undefined;
  return typeof scripts.build === 'string' ? scripts.build : undefined;
}

/** Runs a workspace's build script as npm would, on the current Node. */
function build(workspace: string, script: string): void {
  const path = [join(root, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(script, {
    cwd: join(root, workspace),
    // The NODE_ENV of a test run or a developer would put React's development version into the build.
    env: { ...process.env, PATH: path, NODE_ENV: 'production' },
    shell: true,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new Error(`Building ${workspace} failed: ${error?.message ?? ''}\n${stdout}\n${stderr}`);
}

/** Returns a hash that changes with any source, package or setting that goes into the build. */
function fingerprint(folders: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  for (const name of ['VITE_API_URL', 'VITE_WS_URL']) hash.update(`${name}=${process.env[name] ?? ''}\0`);
  const files = ['package-lock.json', 'tsconfig.base.json', ...folders.flatMap(sourceFiles)];
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

function sourceFiles(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  return entries.flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'test'].includes(entry.name) ? [] : sourceFiles(path);
    return entry.isFile() && !/\.test\.tsx?$|^\./.test(entry.name) ? [path] : [];
  });
}

if (import.meta.main) {
  try {
    if (process.argv.includes('--report')) buildWithReport();
    else buildStaleWorkspaces();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
