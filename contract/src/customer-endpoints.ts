// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { changedCustomer, customer, customersQuery, customerTotals, newCustomer } from './customer.ts';
import { endpoint } from './endpoint.ts';

const tag = 'Clientes';
const idParams = z.object({ id: z.uuid() });

export const listCustomers = endpoint({
  name: 'listCustomers',
  method: 'GET',
  path: '/customers',
  access: 'merchant',
  permission: 'see-customers',
  scope: 'read',
  tag,
  summary: 'Os clientes, do mais novo para o mais antigo; também por nome, documento ou e-mail.',
  query: customersQuery,
  response: z.object({ data: z.array(customer), next: z.nullable(z.string()) }),
  refusals: [],
  isExtension: true,
});

export const createCustomer = endpoint({
  name: 'createCustomer',
  method: 'POST',
  path: '/customers',
  access: 'merchant',
  permission: 'manage-customers',
  scope: 'charges',
  tag,
  summary: 'Cadastra um cliente: a quem você cobra.',
  body: newCustomer,
  status: 201,
  response: customer,
  refusals: ['CUSTOMER_EXISTS'],
  isExtension: true,
  idempotent: true,
  example: { name: 'Maria Souza', document: '529.982.247-25', email: 'maria@example.com' },
});

export const getCustomer = endpoint({
  name: 'getCustomer',
  method: 'GET',
  path: '/customers/{id}',
  access: 'merchant',
  permission: 'see-customers',
  scope: 'read',
  tag,
  summary: 'Um cliente, com o que deve e o que pagou. As cobranças dele: GET /pix com customer_id.',
  params: idParams,
  /** `totals`: null for a member who does not see all charges. */
  response: z.object({ ...customer.shape, totals: z.nullable(customerTotals) }),
  refusals: ['CUSTOMER_NOT_FOUND'],
  isExtension: true,
});

export const updateCustomer = endpoint({
  name: 'updateCustomer',
  method: 'PUT',
  path: '/customers/{id}',
  access: 'merchant',
  permission: 'manage-customers',
  scope: 'charges',
  tag,
  summary: 'Muda um cliente por inteiro, ou o arquiva. As cobranças que já saíram continuam como estavam.',
  params: idParams,
  body: changedCustomer,
  response: customer,
  refusals: ['CUSTOMER_NOT_FOUND', 'CUSTOMER_EXISTS', 'STALE_VERSION'],
  isExtension: true,
});

export const renewCustomerPage = endpoint({
  name: 'renewCustomerPage',
  method: 'POST',
  path: '/customers/{id}/renew-page',
  access: 'merchant',
  permission: 'manage-customers',
  scope: 'charges',
  tag,
  summary: 'Troca o endereço da página do cliente. O endereço de antes deixa de valer na hora.',
  params: idParams,
  response: customer,
  refusals: ['CUSTOMER_NOT_FOUND'],
  isExtension: true,
});

export const customerEndpoints = [
  listCustomers,
  createCustomer,
  getCustomer,
  updateCustomer,
  renewCustomerPage,
] as const;
