import { expect, test } from 'vitest';
import { countTests } from './count-tests.ts';

/** Writes a report of Vitest, with the results of the tests of each file. */
function report(...files: { status: string; tests: string[] }[]): string {
  const testResults = files.map(({ status, tests }) => ({
    name: 'some.test.ts',
    status,
    message: 'did not load\nat once',
    assertionResults: tests.map((result) => ({
      status: result,
      fullName: 'a guarantee',
      failureMessages: result === 'failed' ? ['expected 1\nat here'] : [],
    })),
  }));
  return JSON.stringify({ testResults });
}

test('passed and failed tests of all files are counted, and failures are named', () => {
  const twoFiles = report(
    { status: 'passed', tests: ['passed', 'passed'] },
    { status: 'failed', tests: ['failed', 'passed'] },
  );
  expect(countTests(twoFiles, 1)).toEqual({
    passed: 3,
    failed: 1,
    failures: ['some.test.ts: a guarantee: expected 1'],
  });
});

test('a file that does not load is a failure', () => {
  const broken = report({ status: 'passed', tests: ['passed'] }, { status: 'failed', tests: [] });
  expect(countTests(broken, 1)).toEqual({
    passed: 1,
    failed: 1,
    failures: ['some.test.ts: did not load'],
  });
});

test('a run that failed outside of its tests is a failure', () => {
  expect(countTests(report({ status: 'passed', tests: ['passed'] }), 1)).toMatchObject({
    passed: 1,
    failed: 1,
  });
});

test('a run without tests is a failure', () => {
  expect(countTests(report(), 0)).toMatchObject({ passed: 0, failed: 1 });
  expect(countTests(report({ status: 'passed', tests: ['skipped'] }), 0)).toMatchObject({
    passed: 0,
    failed: 1,
  });
});

test('a text that is not a report is refused', () => {
  expect(() => countTests('', 0)).toThrow();
  expect(() => countTests('{}', 0)).toThrow();
});
