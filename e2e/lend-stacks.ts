import { createServer } from 'node:http';
import { listen } from './local-server.ts';
import { FIRST_START, LENDER, SEEDED_DATA, type Stack, startStack } from './stack.ts';

/**
 * Called by Vitest before the first test file: one first start serves all files, and tests `npm start` itself. Each
 * worker that asks for it then gets a product of its own.
 */
export async function setup(): Promise<() => Promise<void>> {
  const first = await startStack();
  await end(first);
  process.env[FIRST_START] = first.printed();
  process.env[SEEDED_DATA] = first.settings['DATA_DIR'];
  // All sign-ins of a worker's files come from this address.
  const settings = {
    ADMIN_EMAIL: 'contas@jangada.test',
    SIGN_INS_PER_ADDRESS: '10000',
    REGISTRATIONS_PER_ADDRESS: '10000',
  };
  const lent = new Map<string | undefined, Promise<Stack>>();
  const lender = createServer(async ({ url }, response) => {
    const started = lent.get(url) ?? startStack(settings);
    lent.set(url, started);
    await started.then(
      (stack) => response.end(JSON.stringify(stack)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  process.env[LENDER] = await listen(lender);
  return async () => {
    lender.close();
    const stacks = (await Promise.allSettled(lent.values())).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    );
    await Promise.all(stacks.map(end));
    for (const stack of [first, ...stacks]) stack.remove();
  };
}

async function end(stack: Stack): Promise<void> {
  const code = await stack.stop();
  if (code !== 0) throw new Error(`The product ended with code ${code}`);
}
