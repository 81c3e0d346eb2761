/**
 * The outcome of a test run. `failures` names each failed test, or file that did not load, with the first line of the
 * reason.
 */
export type TestTally = { passed: number; failed: number; failures: readonly string[] };

/**
 * Counts the tests in Vitest's JSON report. A file that failed before its first test counts as one failure,
 * and so does a run that failed outside of any test or ran none.
 * @throws if the text is not such a report
 */
export function countTests(report: string, exitCode: number): TestTally {
  const files = field(JSON.parse(report), 'testResults');
  if (!Array.isArray(files)) throw new Error('The report has no testResults');
  const tally = { passed: 0, failed: 0, failures: [] as string[] };
  for (const file of files) {
    const tests = field(file, 'assertionResults');
    const statuses = Array.isArray(tests) ? tests.map((test: unknown) => field(test, 'status')) : [];
    const failedCount = statuses.filter((status) => status === 'failed').length;
    tally.passed += statuses.filter((status) => status === 'passed').length;
    const failedOutsideTests = failedCount === 0 && field(file, 'status') === 'failed';
    tally.failed += failedOutsideTests ? 1 : failedCount;
    tally.failures.push(...failuresOf(file, Array.isArray(tests) ? tests : []));
  }
  const ranNothing = tally.passed + tally.failed === 0;
  if (tally.failed === 0 && (exitCode !== 0 || ranNothing)) tally.failed = 1;
  return tally;
}

function failuresOf(file: unknown, tests: readonly unknown[]): string[] {
  const failedTests = tests.filter((test) => field(test, 'status') === 'failed');
  if (failedTests.length === 0 && field(file, 'status') === 'failed')
    return [`${field(file, 'name')}: ${firstLine(field(file, 'message'))}`];
  return failedTests.map((test) => {
    const messages = field(test, 'failureMessages');
    const reason = firstLine(Array.isArray(messages) ? messages[0] : undefined);
    return `${field(file, 'name')}: ${field(test, 'fullName')}: ${reason}`;
  });
}

function firstLine(text: unknown): string {
  return typeof text === 'string' ? (text.split('\n')[0] ?? '') : '';
}

/** Returns the value of an object's field; undefined if `value` is not an object or lacks the field. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
