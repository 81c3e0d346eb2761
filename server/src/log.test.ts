import { expect, test } from 'vitest';
import { createLogger } from './log.ts';

function lines(terminal: boolean) {
  const written: string[] = [];
  return { log: createLogger(terminal, { write: (line) => written.push(line) }), written };
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

test.each([true, false])('secrets never reach the log (terminal: %s)', (terminal) => {
  const { log, written } = lines(terminal);
  log.warn(secrets, 'an odd request');
  expect(written.join('')).toContain('maria');
  expect(written.join('')).not.toContain('hush');
});

test('machines get JSON lines, from information on', () => {
  const { log, written } = lines(false);
  log.info({ merchantId: 7 }, 'answered');
  expect(written.map((line) => JSON.parse(line))).toEqual([
    { level: 30, time: expect.any(Number), merchantId: 7, msg: 'answered' },
  ]);
});

test('a terminal gets one readable line for what deserves a look', () => {
  const { log, written } = lines(true);
  log.info('answered');
  log.error({ err: new Error('bank away'), loop: 'notices' }, 'a loop failed');
  expect(written).toEqual([
    expect.stringMatching(/^\d\d:\d\d:\d\d error a loop failed \(bank away\) \{"loop":"notices"\}\n$/),
  ]);
});

test('an error is told without what hangs on it', () => {
  const { log, written } = lines(false);
  const error = Object.assign(new Error('refused', { cause: new Error('late') }), {
    code: '57P01',
    client: { url: 'hush' },
  });
  log.warn({ err: error }, 'a connection broke');
  expect(JSON.parse(written.join(''))).toMatchObject({
    err: { message: 'refused', code: '57P01', cause: { message: 'late' } },
  });
  expect(written.join('')).not.toContain('hush');
});
