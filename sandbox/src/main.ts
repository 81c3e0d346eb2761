import { readSettings } from './settings.ts';
import { startSandbox } from './start-sandbox.ts';

try {
  const sandbox = await startSandbox(readSettings(process.env));
  process.stdout.write(`Banco Sandbox: ${sandbox.publicUrl} (API Pix: ${sandbox.apiUrl})\n`);
  const stop = () => {
    sandbox.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  fail(error);
}

function fail(error: unknown): never {
  process.stderr.write(`Banco Sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
