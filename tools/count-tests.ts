export type Outcome = { passed: number; failed: number };

/**
 * Counts the tests in Vitest's JSON report. A file that failed before its first test counts as one failure, and so
 * does a run that failed for another reason (an error outside of any test) or that ran nothing.
 * @throws when the text is not such a report
 */
export function countTests(report: string, exitCode: number): Outcome {
  const files = field(JSON.parse(report), 'testResults');
  if (!Array.isArray(files)) throw new Error('The report has no testResults');
  const outcome: Outcome = { passed: 0, failed: 0 };
  for (const file of files) {
    const tests = field(file, 'assertionResults');
    const statuses = Array.isArray(tests) ? tests.map((test: unknown) => field(test, 'status')) : [];
    const failed = statuses.filter((status) => status === 'failed').length;
    outcome.passed += statuses.filter((status) => status === 'passed').length;
    outcome.failed += failed === 0 && field(file, 'status') === 'failed' ? 1 : failed;
  }
  const nothingRan = outcome.passed + outcome.failed === 0;
  if (outcome.failed === 0 && (exitCode !== 0 || nothingRan)) outcome.failed = 1;
  return outcome;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}
