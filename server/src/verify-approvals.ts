// npm run approvals:verify -- FILE [--earlier FILE] [--trust-first-policy]: recomputes every approval of an export,
// without database and network, and compares it with an earlier one. With SECRET_KEY it verifies the gateway's own marks too. Exits with 0 if all is proven, 1 if something is
// unproven or forged, 2 if something could not be verified, or the operator took the policy off.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  compareWithEarlier,
  readApprovalsExport,
  type VerifiedItem,
  type VerifyOptions,
  verifyApprovalsExport,
} from './approvals/index.ts';
import { readConfig } from './config.ts';
import { UsageError } from './run-command.ts';
import { createSecrets } from './secrets.ts';

const usage = 'Use: npm run approvals:verify -- FILE [--earlier FILE] [--trust-first-policy]';
const trustOption = 'trust-first-policy';

async function main(words: readonly string[]): Promise<number> {
  const { file, earlierFile, trustsFirstPolicy } = readArguments(words);
  const content = readExport(file);
  const earlier = earlierFile === undefined ? content : readExport(earlierFile);
  const { secretKey } = readConfig({ SECRET_KEY: process.env['SECRET_KEY'] });
  const secrets = secretKey && createSecrets(secretKey);
  const options = { secrets, trustsFirstPolicy };
  const items = [...(await verifyApprovalsExport(content, options)), ...compareWithEarlier(content, earlier)];
  for (const { verdict, item, detail } of items) console.log(`${verdict} · ${item} · ${detail}`);
  console.log(summarize(items, options));
  if (isAnyOf(items, ...wrongVerdicts)) return 1;
  return isAnyOf(items, 'NOT VERIFIABLE', 'RESET') ? 2 : 0;
}

function readArguments(words: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { earlier: { type: 'string' }, [trustOption]: { type: 'boolean' } },
      allowPositionals: true,
    });
    const [file, ...others] = positionals;
    if (file !== undefined && others.length === 0)
      return { file, earlierFile: values.earlier, trustsFirstPolicy: values[trustOption] === true };
  } catch {
    // Reported below: the command line is invalid.
  }
  throw new UsageError(usage);
}

function readExport(file: string) {
  const content = readApprovalsExport(readFileSync(file, 'utf8'));
  if (content === undefined) throw new UsageError(`${file} is not an export of approvals`);
  return content;
}

const wrongVerdicts = ['UNPROVEN', 'FORGED', 'CHANGED'] as const;

const isAnyOf = (items: readonly VerifiedItem[], ...verdicts: readonly VerifiedItem['verdict'][]) =>
  items.some(({ verdict }) => verdicts.includes(verdict));

function summarize(items: readonly VerifiedItem[], { secrets, trustsFirstPolicy }: VerifyOptions): string {
  const count = items.filter(({ item }) => item.startsWith('request')).length;
  const wrong = items.filter((item) => isAnyOf([item], ...wrongVerdicts)).length;
  if (wrong > 0)
    return `The approvals are not as they should be: ${wrong} ${wrong === 1 ? 'finding' : 'findings'}.`;
  if (isAnyOf(items, 'NOT VERIFIABLE'))
    return `Some approvals rest on marks of the gateway, not verifiable without the master key: set SECRET_KEY, or say --${trustOption} if you know the first policy.`;
  if (isAnyOf(items, 'RESET'))
    return 'The operator took the policy off without approvals, at the entries that say RESET: ask why. What else was carried out is proven.';
  const belief = secrets === undefined && trustsFirstPolicy ? ', if the first policy is the true one' : '';
  return `The approvals are proven${belief}: ${count} requests.`;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
