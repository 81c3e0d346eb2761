import type { Deps } from '../deps.ts';
import { noticePath } from './bacen/notice-routes.ts';

/**
 * Another gateway receives the notices for our key. Two sets of books for one account must not exist, so this one
 * refuses to start.
 */
export class ForeignWebhook extends Error {
  override name = 'ForeignWebhook';
}

/**
 * Makes sure that the bank sends the notices for our key to us. An address with our secret path is ours even if its
 * host has changed since; any other belongs to another gateway, and ForeignWebhook is thrown.
 */
export async function ensureWebhook(deps: Deps): Promise<void> {
  const path = noticePath(deps);
  const ours = deps.config.noticesUrl + path;
  const registered = await deps.psp.findWebhook();
  if (registered === ours) return;
  if (registered !== undefined && !registered.endsWith(path)) {
    throw new ForeignWebhook(
      `PIX_KEY: o banco já envia os avisos desta chave para ${new URL(registered).origin}. Uma chave Pix serve a um só gateway.`,
    );
  }
  await deps.psp.registerWebhook(ours);
}
