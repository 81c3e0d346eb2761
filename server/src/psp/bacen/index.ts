import type { Config } from '../../config.ts';
import type { PixCharges } from '../psp.ts';
import { createBacenCharges } from './charges.ts';
import { createBacenClient } from './client.ts';

export { mountNotices, noticePath } from './notice-routes.ts';

/** The adapter that the settings name. Banco Sandbox and real banks are reached by this same code. */
export function connectBacen(config: Config): PixCharges {
  const receiver = { name: 'Jangada', city: config.merchantCity };
  return createBacenCharges(createBacenClient(config.psp), config.pixKey, receiver);
}
