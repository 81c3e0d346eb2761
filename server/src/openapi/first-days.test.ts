import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { login } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { childEnv } from '../../test/child-env.ts';
import { findFreePort } from '../../test/free-port.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenBalance, givenPin, parseSuccess } from '../../test/given.ts';
import { seedDemo } from '../demo/index.ts';

// Runs the samples of docs/first-day-*.md against a gateway, as a reader pastes them into a shell.

let gateway: TestGateway;
let folder: string;
let receiverPort: number;
const shells: ChildProcess[] = [];

beforeAll(async () => {
  [gateway, receiverPort] = await Promise.all([startTestGateway(), findFreePort()]);
  folder = mkdtempSync(join(tmpdir(), 'jangada-first-day-'));
  symlinkSync(new URL('../../../node_modules', import.meta.url).pathname, join(folder, 'node_modules'));
  await seedDemo(gateway.deps, 1);
  const merchant = await demoMerchant();
  await givenPin(gateway, merchant);
  await givenBalance(gateway, merchant, 500);
});
afterAll(async () => {
  for (const { pid } of shells) if (pid !== undefined) process.kill(-pid);
  await gateway.stop();
  rmSync(folder, { recursive: true });
});

async function demoMerchant(): Promise<GivenMerchant> {
  const password = 'lojista-demo';
  const answer = await gateway.api('POST', '/login', { username: 'lojista', password });
  const { token } = parseSuccess(login.response, answer);
  const revealed = await gateway.api('POST', '/authed/apikey/reveal', { password }, { token });
  const { key } = revealed.body as { key: string };
  return { token, password, apiKey: key } as GivenMerchant;
}

/** Opens a shell, like that of a reader, into which one sample after the other is pasted. */
function openShell() {
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...childEnv, PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) },
  });
  shells.push(shell);
  const output = { out: '', err: '' };
  shell.stdout.on('data', (text) => (output.out += text));
  shell.stderr.on('data', (text) => (output.err += text));
  // Makes a failing command visible, even in a substitution.
  shell.stdin.write('trap \'echo "failed: $BASH_COMMAND" >&2\' ERR\n');
  return {
    output,
    /** Pastes a sample; resolves when it is done. */
    async paste(sample: string): Promise<void> {
      const endMark = crypto.randomUUID();
      shell.stdin.write(`${sample}\necho ${endMark}\n`);
      await expect.poll(() => output.out).toContain(endMark);
    },
  };
}

/** Returns the samples of a document in order, with the addresses of this test. */
function samplesOf(name: string, language: string): string[] {
  const page = readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
  const fences = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return Array.from(fences, ([, sample = '']) =>
    sample
      .replaceAll('http://localhost:3000', gateway.url)
      .replaceAll('http://localhost:3001', gateway.bank.url)
      .replaceAll('localhost:4000', `localhost:${receiverPort}`)
      .replaceAll('listen(4000)', `listen(${receiverPort})`),
  );
}

describe('the first day of an integrator', () => {
  test('works for a reader who takes minutes between two samples', async () => {
    const [receiver = ''] = samplesOf('first-day-integrator', 'js');
    writeFileSync(join(folder, 'receiver.mjs'), receiver);
    const { output, paste } = openShell();
    for (const sample of samplesOf('first-day-integrator', 'sh')) {
      await paste(sample.replace('npm install standardwebhooks\n', ''));
      expect(output.err, sample).toBe('');
      if (sample.includes('/sandbox/payments'))
        await expect.poll(() => output.out).toMatch(/evt_\S+ payment\.paid /);
      await gateway.advance(6 * 60);
    }
    // An event may follow the JSON of a response on the same line.
    for (const event of ['payment.paid', 'payment.refunded', 'withdrawal.paid'])
      await expect.poll(() => output.out).toMatch(new RegExp(`evt_\\S+ ${event} `));
  });

  test('shows errors: the response and the failing command, and no made-up result', async () => {
    const [functions = '', key = ''] = samplesOf('first-day-integrator', 'sh');
    const { output, paste } = openShell();
    await paste(functions);
    await paste(key.replace('"lojista-demo"}', '"uma outra"}'));
    expect(output.err).toContain('INVALID_CREDENTIALS');
    expect(output.err).toMatch(/^failed: TOKEN=/m);
    await paste('echo "the key is <$KEY>"');
    expect(output.out).toContain('the key is <>');
  });
});

test('the first sale of an engineer’s first day appears in its timeline', async () => {
  const { output, paste } = openShell();
  for (const sample of samplesOf('first-day-engineer', 'sh').filter((sample) => /\$API|API=/.test(sample)))
    await paste(sample);
  expect(output.err).toBe('');
  expect(output.out).toContain('"kind":"created"');
});
