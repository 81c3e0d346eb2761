/** The outcome of a test run. `failures` has the name of each failed test, with the first line of its reason. */
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
    const failed = statuses.filter((status) => status === 'failed').length;
    tally.passed += statuses.filter((status) => status === 'passed').length;
    tally.failed += failed === 0 && field(file, 'status') === 'failed' ? 1 : failed;
    tally.failures.push(...failuresOf(file, Array.isArray(tests) ? tests : []));
  }
  const ranNothing = tally.passed + tally.failed === 0;
  if (tally.failed === 0 && (exitCode !== 0 || ranNothing)) tally.failed = 1;
  return tally;
}

function failuresOf(file: unknown, tests: readonly unknown[]): string[] {
  const failed = tests.filter((test) => field(test, 'status') === 'failed');
  if (failed.length === 0 && field(file, 'status') === 'failed')
    return [`${field(file, 'name')}: ${firstLine(field(file, 'message'))}`];
  return failed.map((test) => {
    const messages = field(test, 'failureMessages');
    const reason = firstLine(Array.isArray(messages) ? messages[0] : undefined);
    return `${field(file, 'name')}: ${field(test, 'fullName')}: ${reason}`;
  });
}

function firstLine(text: unknown): string {
  return typeof text === 'string' ? (text.split('\n')[0] ?? '') : '';
}

/** The value of an object's field; undefined if the value is no object or lacks the field. */
function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
