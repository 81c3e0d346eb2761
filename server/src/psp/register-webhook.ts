import type { Deps } from '../deps.ts';
import { noticePath } from './bacen/notice-routes.ts';

/** Another gateway listens on our key: two sets of books for one account, so this one does not start. */
export class ForeignWebhook extends Error {
  override name = 'ForeignWebhook';
}

/**
 * Makes sure that the bank sends notices for our key to us. An address with our own secret path is ours, though
 * its beginning may have changed since; any other address belongs to somebody else and is refused.
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
