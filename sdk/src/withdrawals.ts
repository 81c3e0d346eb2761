import type { Call } from './call.ts';
import type { NewWithdrawal, Withdrawal } from './contract.ts';
import type { KeyedCallOptions } from './options.ts';

/** Saques. **Valores em centavos**, inteiros: `10000` são R$ 100,00. */
export class Withdrawals {
  readonly #call: Call;

  /** @internal */
  constructor(call: Call) {
    this.#call = call;
  }

  /** Saca para um destino salvo no painel. O desfecho vem por `withdrawal.paid` ou `withdrawal.error`. */
  create(body: NewWithdrawal, options?: KeyedCallOptions): Promise<Withdrawal> {
    return this.#call('apiWithdraw', { body }, options);
  }
}
