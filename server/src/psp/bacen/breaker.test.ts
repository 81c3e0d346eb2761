import { expect, test } from 'vitest';
import { createBreaker } from './breaker.ts';

function createWatched() {
  let time = 0;
  const breaker = createBreaker(() => time);
  return {
    ...breaker,
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
    fail: (times: number) => {
      for (let count = 0; count < times; count += 1) breaker.failed('não responde');
    },
  };
}

test('calls are made until many in a row have failed, and then one at a time after each pause', () => {
  const breaker = createWatched();
  breaker.fail(7);
  breaker.answered();
  breaker.fail(7);
  expect(breaker.admits()).toBe(true);
  breaker.fail(1);
  expect(breaker.admits()).toBe(false);
  breaker.pass(1000);
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  // The trial failed, so the next pause is longer.
  breaker.fail(1);
  breaker.pass(1000);
  expect(breaker.admits()).toBe(false);
  breaker.pass(1000);
  expect([breaker.admits(), breaker.admits()]).toEqual([true, false]);
  breaker.answered();
  expect([breaker.admits(), breaker.admits()]).toEqual([true, true]);
});

test('the pause stays bounded, and a trial whose end nobody reports is not the last', () => {
  const breaker = createWatched();
  breaker.fail(8);
  for (let trials = 0; trials < 20; trials += 1) {
    breaker.pass(30_000);
    expect(breaker.admits()).toBe(true);
    breaker.fail(1);
  }
  breaker.pass(30_000);
  expect(breaker.admits()).toBe(true);
  breaker.pass(60_000);
  expect(breaker.admits()).toBe(true);
});

test('failures of calls that are always made do not lengthen the pause', () => {
  const breaker = createWatched();
  breaker.fail(50);
  breaker.pass(1000);
  expect(breaker.admits()).toBe(true);
});

test('answers and failures are counted, and the last failure is told until an answer', () => {
  const breaker = createWatched();
  expect(breaker.health()).toEqual({ answers: 0, failuresInARow: 0, lastFailure: undefined });
  breaker.answered();
  breaker.fail(2);
  expect(breaker.health()).toEqual({ answers: 1, failuresInARow: 2, lastFailure: 'não responde' });
  breaker.answered();
  expect(breaker.health()).toEqual({ answers: 2, failuresInARow: 0, lastFailure: undefined });
});

test('a bank that creates no charges does not count as answering, whatever else it answers', () => {
  const breaker = createWatched();
  breaker.answered();
  breaker.chargeNotCreated('O banco não cria cobranças (503).');
  breaker.answered();
  // One charge may fail for a reason of its own.
  expect(breaker.health()).toEqual({ answers: 2, failuresInARow: 0, lastFailure: undefined });
  breaker.chargeNotCreated('O banco não cria cobranças (503).');
  breaker.answered();
  expect(breaker.health()).toEqual({
    ...{ answers: 2, failuresInARow: 2, lastFailure: 'O banco não cria cobranças (503).' },
  });
  breaker.pass(3_600_000);
  expect(breaker.health()).toMatchObject({ answers: 3, failuresInARow: 0 });
  for (let count = 0; count < 3; count += 1) breaker.chargeNotCreated('O banco não cria cobranças.');
  breaker.answered();
  // The count of answers never goes back.
  expect(breaker.health()).toMatchObject({ answers: 3, failuresInARow: 3 });
  breaker.chargeCreated();
  expect(breaker.health()).toMatchObject({ answers: 4, failuresInARow: 0, lastFailure: undefined });
});
