#!/usr/bin/env node
import { JangadaError } from '../index.ts';
import { CommandFailure, explainError } from './failure.ts';
import { run } from './run.ts';
import { paint, printToStderr } from './terminal.ts';

function fail(error: unknown): void {
  process.exitCode = error instanceof CommandFailure ? error.exitCode : 1;
  if (error instanceof CommandFailure) printToStderr(paint('red', error.message, process.stderr));
  else if (error instanceof JangadaError) printToStderr(paint('red', explainError(error), process.stderr));
  else printToStderr(error instanceof Error ? (error.stack ?? error.message) : String(error));
}

// A command does not fail if the reader of its output closes the pipe early, as in `jangada events | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  fail(error);
}
