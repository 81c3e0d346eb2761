import { type AtBank, createBanks, type Psp } from '../src/psp/index.ts';

/** Dependencies whose bank is replaced, wherever they find it. */
export function withPsp<D extends AtBank>(deps: D, psp: Psp): D {
  const bank = { connection: deps.connection, callbacks: deps.callbacks, psp };
  return { ...deps, ...bank, banks: createBanks(bank) };
}
