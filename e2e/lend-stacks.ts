import { createServer } from 'node:http';
import { listen } from './local-server.ts';
import { FIRST_START, type FirstStart, LENDER, type Stack, startStack } from './stack.ts';

/**
 * Vitest calls this function before the first test file of any project. It starts the product once, as `npm start`
 * does, and returns while that start still seeds its demo. Once ready, that product is stopped, so that its data can be
 * copied. A server lends the URLs of running products over HTTP: at its first call, each worker gets a newly started
 * product of its own. Returns the cleanup.
 */
export async function setup(): Promise<() => Promise<void>> {
  const firstStack = startStack();
  const firstStart = firstStack.then(endFirstStart);
  // A failure is reported to every caller that asks for the first start, so it must not also count as unhandled.
  firstStart.catch(() => {});
  // All sign-ins of a worker's test files come from one address, which would reach the usual limits.
  const settings = {
    ADMIN_EMAIL: 'contas@jangada.test',
    SIGN_INS_PER_ADDRESS: '10000',
    REGISTRATIONS_PER_ADDRESS: '10000',
  };
  const stacksByWorker = new Map<string | undefined, Promise<Stack>>();
  // Each worker requests a URL of its own.
  const startOrReuse = (workerUrl: string | undefined) => {
    const stack = stacksByWorker.get(workerUrl) ?? startStack(settings);
    stacksByWorker.set(workerUrl, stack);
    return stack;
  };
  const lender = createServer(async ({ url }, response) => {
    const requested: Promise<FirstStart | Stack> = url === FIRST_START ? firstStart : startOrReuse(url);
    await requested.then(
      (lent) => response.end(JSON.stringify(lent)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env[LENDER] = await listen(lender);
  return async () => {
    lender.close();
    const settled = await Promise.allSettled([firstStack, ...stacksByWorker.values()]);
    const stacks = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    await Promise.all(stacks.map(stopCleanly));
    for (const stack of stacks) stack.remove();
  };
}

async function endFirstStart(stack: Stack): Promise<FirstStart> {
  await stopCleanly(stack);
  return { output: stack.output(), dataDir: stack.settings['DATA_DIR'] ?? '' };
}

/**
 * Stops a product.
 * @throws if it did not end in order
 */
async function stopCleanly(stack: Stack): Promise<void> {
  const code = await stack.stop();
  if (code !== 0) throw new Error(`The product ended with code ${code}`);
}
