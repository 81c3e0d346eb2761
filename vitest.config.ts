import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browserLaunchOptions } from './tools/browser.ts';
import { importsOf, isTest, readSources } from './tools/sources.ts';
import { CLOCK_OFFSET, clockOffsetMs } from './tools/test-moment.ts';

// Tests demand results, never times: these limits only end what hangs, on machines slower than ours too.
const minutes = process.env['LONG'] ? 180 : 6;
const patient = {
  testTimeout: minutes * 60_000,
  hookTimeout: minutes * 60_000,
  expect: { poll: { timeout: 60_000 } },
};
/** Whole files that only a long run (`npm run test:long`) has: what they show rests on parts that short ones test too. */
const onlyLong = process.env['LONG']
  ? []
  : [
      'bench/src/small-forms.e2e.ts',
      'e2e/another-provider.e2e.ts',
      'server/src/openapi/generated-client.test.ts',
      'server/test/citus.race.test.ts',
      'server/test/failover.race.test.ts',
      'server/test/kill-creation.race.test.ts',
      'server/test/pooler.race.test.ts',
      'server/test/rolling-upgrade.race.test.ts',
    ];
/**
 * Files that a cluster (`TEST_CITUS_WORKERS`) does not run, because they look at what differs there (docs/cluster.md):
 * plans, rights of the gateway's role, backups, servers of their own, and what has no database of the gateway.
 */
const onlyOnOneServer = process.env['TEST_CITUS_WORKERS']
  ? [
      'bench/**/*.test.ts',
      'sandbox/**/*.test.ts',
      'server/**/bounded-*.test.ts',
      'server/src/ledger/ledger.test.ts',
      'server/src/backup/*.test.ts',
      'server/test/database.test.ts',
      'server/test/lost-tail.race.test.ts',
      'server/test/pooler.race.test.ts',
      'server/test/failover.race.test.ts',
      'server/test/rolling-upgrade.race.test.ts',
      'server/test/upgrade.test.ts',
    ]
  : [];
const unlessLong = { exclude: ['**/node_modules/**', '**/dist/**', ...onlyLong, ...onlyOnOneServer] };
const database = { globalSetup: ['server/test/cluster.ts'] };

/** The packages that pages import. Vite that meets one late reloads the page, in the midst of a test. */
function packagesOfPages(): string[] {
  const files = ['web/src', 'contract/src'].flatMap((folder) => readSources(folder, '.ts', '.tsx'));
  const imports = files.filter(({ path }) => !isTest(path)).flatMap(importsOf);
  const packages = imports.filter(
    ({ specifier }) => !/^(\.|node:|virtual:|@jangada\/|vitest)/.test(specifier),
  );
  return [...new Set(packages.map(({ specifier }) => specifier))];
}

/** What takes longest begins first, so that no worker waits for it in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/(money-machine|kill-|several-|main\.test|disputes\.test|another-|wait-for-|when-things-|small-screens|small-forms|open-an-)[^/]*$/.test(
        moduleId,
      );
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Much of a test is waiting, for the bank, the database or the browser: one more than there are cores.
    maxWorkers: 3,
    pool: 'forks',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['pix/**/*.test.ts', 'contract/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.*'],
          ...patient,
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'sandbox/**/*.test.ts', 'sdk/**/*.test.ts', 'bench/**/*.test.ts'],
          // Nothing in a module of the server is anybody's state: files share them, and each is read once by a worker.
          isolate: false,
          ...unlessLong,
          ...database,
          ...patient,
        },
      },
      {
        extends: './web/vite.config.ts',
        optimizeDeps: { include: packagesOfPages() },
        test: {
          name: 'web',
          include: ['web/src/**/*.browser.test.{ts,tsx}'],
          setupFiles: [
            'web/src/testing/take-focus.ts',
            ...(clockOffsetMs() > 0 ? ['web/src/testing/move-clock.ts'] : []),
          ],
          env: { [CLOCK_OFFSET]: `${clockOffsetMs()}` },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: browserLaunchOptions(),
              contextOptions: { reducedMotion: 'reduce' },
            }),
            instances: [{ browser: 'chromium' }],
          },
          ...patient,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts', 'bench/**/*.e2e.ts'],
          sequence: { groupOrder: 1 },
          // The files of a worker share a product and a browser.
          isolate: false,
          globalSetup: ['e2e/lend-stacks.ts'],
          ...unlessLong,
          ...patient,
        },
      },
    ],
  },
});
