import { type CallOperation, everyPage } from './call.ts';
import type {
  ChangedCustomer,
  Customer,
  CustomerDetail,
  CustomersPage,
  CustomersQuery,
  NewCustomer,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Os clientes da conta: as pessoas e empresas que ela cobra. Os valores são em reais. */
export class Customers {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cadastra um cliente. */
  create(body: NewCustomer, options?: KeyedCallOptions): Promise<Customer> {
    return this.#call('createCustomer', { body }, options);
  }

  /** Lê um cliente, com o que ele deve e o que pagou. */
  get(id: string, options?: CallOptions): Promise<CustomerDetail> {
    return this.#call('getCustomer', { id }, options);
  }

  /** Lê uma página de clientes, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`. */
  list(query: CustomersQuery = {}, options?: CallOptions): Promise<CustomersPage> {
    return this.#call('listCustomers', { query }, options);
  }

  /** Lê todos os clientes que a busca acha, página a página. */
  async *listAll(query: CustomersQuery = {}, options?: CallOptions): AsyncGenerator<Customer, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /**
   * Substitui o cliente por inteiro: um campo que você não passa é removido. Passe em `version` a versão que você leu: se
   * outra pessoa mudou o cliente depois disso, a mudança é recusada.
   */
  update(id: string, body: ChangedCustomer, options?: CallOptions): Promise<Customer> {
    return this.#call('updateCustomer', { id, body }, options);
  }

  /** Troca o endereço da página do cliente. O de antes deixa de valer na hora. */
  renewPage(id: string, options?: CallOptions): Promise<Customer> {
    return this.#call('renewCustomerPage', { id }, options);
  }
}
