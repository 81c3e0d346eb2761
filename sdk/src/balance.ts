import type { CallOperation } from './call.ts';
import type { Balance } from './contract.ts';
import type { CallOptions } from './options.ts';

/** O saldo da conta. **Valores em reais.** */
export class AccountBalance {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** O saldo agora: disponível, em reserva, bloqueado por disputas e a caminho. */
  get(options?: CallOptions): Promise<Balance> {
    return this.#call('getBalance', {}, options);
  }
}
