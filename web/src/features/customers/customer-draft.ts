import type { Customer } from '@jangada/contract';
import { isCnpj, isCpf } from '@jangada/pix';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import type { CustomerBody } from './customers-queries.ts';

/** The fields of the customer form, as typed. */
export type CustomerDraft = {
  readonly name: string;
  readonly document: string;
  readonly email: string;
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  readonly note: string;
  readonly externalId: string;
};

/** The error message of each invalid field. */
export type CustomerProblems = { readonly [Name in keyof CustomerDraft]?: string };

/** The initial content of the form: the fields of the customer being changed, or empty fields for a new one. */
export function draftOf(customer: Customer | null): CustomerDraft {
  return {
    name: customer?.name ?? '',
    document: customer?.document ?? '',
    email: customer?.email ?? '',
    phone: customer?.phone ?? '',
    street: customer?.address?.street ?? '',
    city: customer?.address?.city ?? '',
    state: customer?.address?.state ?? '',
    zipCode: customer?.address?.zip_code ?? '',
    note: customer?.note ?? '',
    externalId: customer?.external_id ?? '',
  };
}

/** Checks a draft before it is sent, and returns its errors. */
export function problemsOf(draft: CustomerDraft): CustomerProblems {
  const document = draft.document.trim().toUpperCase();
  return {
    ...(draft.name.trim().length < 2 && { name: 'Informe o nome.' }),
    ...(!isCpf(document) && !isCnpj(document) && { document: 'Informe um CPF ou CNPJ válido.' }),
    ...addressProblems(draft),
  };
}

const addressFields = ['street', 'city', 'state', 'zipCode'] as const;

/** An address is complete, or there is none. */
function addressProblems(draft: CustomerDraft): CustomerProblems {
  const missing = addressFields.filter((field) => draft[field].trim() === '');
  if (missing.length === addressFields.length) return {};
  return Object.fromEntries(missing.map((field) => [field, 'Complete o endereço, ou deixe-o vazio.']));
}

/** The request body for a draft. */
export function bodyOf(draft: CustomerDraft): CustomerBody {
  const orNull = (text: string) => (text.trim() === '' ? null : text.trim());
  const { street, city, state, zipCode } = draft;
  return {
    name: draft.name.trim(),
    document: draft.document.trim().toUpperCase(),
    email: orNull(draft.email),
    phone: orNull(draft.phone),
    address: street.trim() === '' ? null : { street, city, state, zip_code: zipCode },
    note: orNull(draft.note),
    external_id: orNull(draft.externalId),
  };
}

/** The list of refused fields in the details of an API error. */
const refusedFieldsSchema = z.array(z.object({ field: z.string(), message: z.string() }));
/** The form's field for each field name of the API. */
const fieldByApiName = new Map<string, keyof CustomerDraft>([
  ['name', 'name'],
  ['document', 'document'],
  ['email', 'email'],
  ['phone', 'phone'],
  ['address.street', 'street'],
  ['address.city', 'city'],
  ['address.state', 'state'],
  ['address.zip_code', 'zipCode'],
  ['note', 'note'],
  ['external_id', 'externalId'],
]);

/** The field errors in a refusal of the API; empty when the refusal is not about a field. */
export function refusedFields(error: unknown): CustomerProblems {
  if (!(error instanceof ApiError)) return {};
  const refused = refusedFieldsSchema.safeParse(error.details['fields']);
  return Object.fromEntries(
    (refused.data ?? []).flatMap(({ field, message }) => {
      const formField = fieldByApiName.get(field);
      return formField === undefined ? [] : [[formField, message]];
    }),
  );
}
