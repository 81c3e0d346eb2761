import { expect, test } from 'vitest';
import { createLogger, type LogFormat } from './log.ts';

function createTestLogger(format: LogFormat) {
  const output: string[] = [];
  return { log: createLogger(format, { write: (line) => output.push(line) }), output };
}

const secrets = {
  headers: {
    authorization: 'Bearer hush',
    cookie: 'hush',
    'x-api-key': 'hush',
    'set-cookie': 'hush',
    'x-step-up': 'hush',
  },
  body: {
    username: 'maria',
    password: 'hush',
    pin: 'hush',
    withdrawal_pin: 'hush',
    current_password: 'hush',
    code: 'hush',
    challenge: 'hush',
    credential: { id: 'hush' },
    recovery_codes: ['hush'],
  },
  token: 'hush',
  config: { psp: { clientSecret: 'hush' } },
};

test.each(['text', 'json'] as const)('secrets never reach the log (as %s)', (format) => {
  const { log, output } = createTestLogger(format);
  log.warn(secrets, 'an odd request');
  expect(output.join('')).toContain('maria');
  expect(output.join('')).not.toContain('hush');
});

test('machines get JSON lines, from level info on', () => {
  const { log, output } = createTestLogger('json');
  log.info({ merchantId: 7 }, 'answered');
  expect(output.map((line) => JSON.parse(line))).toEqual([
    { level: 30, time: expect.any(Number), merchantId: 7, msg: 'answered' },
  ]);
});

test('people get one readable line for each warning or error', () => {
  const { log, output } = createTestLogger('text');
  log.info('answered');
  log.error({ err: new Error('bank away'), loop: 'notices', tries: 3 }, 'a background loop failed');
  log.warn({ days: ['2026-11-22', '2026-11-23'], at: { port: 3000 } }, 'days differ');
  expect(output).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d error a background loop failed \(bank away\), loop: notices, tries: 3\n$/,
    ),
    expect.stringMatching(/ warn {2}days differ, days: 2026-11-22 2026-11-23, at: port: 3000\n$/),
  ]);
});

test('an error is logged without attached data', () => {
  const { log, output } = createTestLogger('json');
  const error = Object.assign(new Error('refused', { cause: new Error('late') }), {
    code: '57P01',
    client: { url: 'hush' },
  });
  log.warn({ err: error }, 'a database connection was lost');
  expect(JSON.parse(output.join(''))).toMatchObject({
    err: { message: 'refused', code: '57P01', cause: { message: 'late' } },
  });
  expect(output.join('')).not.toContain('hush');
});
