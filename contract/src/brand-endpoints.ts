// `isExtension`: the call is beyond the specification (docs/specification.md), so other gateways may lack it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { AVATAR_MAX_BYTES } from './kyc.ts';

/** How a merchant appears on the pages for payers. Whatever is not set is null. `logo` is a URL on this gateway. */
export const brand = z.object({
  display_name: z.nullable(z.string()),
  colour: z.nullable(z.string()),
  logo: z.nullable(z.string()),
});
export type Brand = z.infer<typeof brand>;

export const getBrand = endpoint({
  name: 'getBrand',
  method: 'GET',
  path: '/authed/brand',
  access: 'session',
  permission: 'see-account',
  tag: 'Conta',
  summary: 'Nome, cor e logotipo da conta nas páginas que os pagadores veem.',
  response: brand,
  refusals: [],
  isExtension: true,
});

export const changeBrand = endpoint({
  name: 'changeBrand',
  method: 'PUT',
  path: '/authed/brand',
  access: 'session',
  permission: 'manage-account',
  tag: 'Conta',
  summary: 'Troca o nome e a cor das páginas de pagamento. Com null valem o nome da conta e a cor da casa.',
  body: z.object({
    display_name: z.nullable(
      z.string({ error: 'Informe o nome de exibição.' }).check(
        z.trim(),
        z.minLength(1, 'O nome de exibição tem de 1 a 60 caracteres.'),
        z.maxLength(60, 'O nome de exibição tem de 1 a 60 caracteres.'),
        z.refine((text) => !/\p{C}/u.test(text), 'O nome de exibição tem caracteres que não se veem.'),
      ),
    ),
    colour: z.nullable(
      z
        .string({ error: 'Informe a cor como #1a2b3c.' })
        .check(z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'Informe a cor como #1a2b3c.')),
    ),
  }),
  response: brand,
  refusals: [],
  isExtension: true,
});

export const uploadLogo = endpoint({
  name: 'uploadLogo',
  method: 'POST',
  path: '/authed/brand/logo',
  access: 'session',
  permission: 'manage-account',
  tag: 'Conta',
  summary: 'Troca o logotipo das páginas de pagamento: JPEG ou PNG de até 2 MB, no campo logo.',
  upload: {
    fields: ['logo'],
    maxFileBytes: AVATAR_MAX_BYTES,
    missing: 'IMAGE_NOT_ACCEPTED',
    tooLarge: 'AVATAR_TOO_LARGE',
  },
  response: brand,
  refusals: ['IMAGE_NOT_ACCEPTED', 'AVATAR_TOO_LARGE', 'OVERLOADED'],
  isExtension: true,
});

export const removeLogo = endpoint({
  name: 'removeLogo',
  method: 'DELETE',
  path: '/authed/brand/logo',
  access: 'session',
  permission: 'manage-account',
  tag: 'Conta',
  summary: 'Tira o logotipo das páginas de pagamento.',
  response: brand,
  refusals: [],
  isExtension: true,
});

export const logoPicture = endpoint({
  name: 'logoPicture',
  method: 'GET',
  path: '/brand-logos/{id}',
  access: 'public',
  tag: 'Conta',
  summary: 'Um logotipo. O endereço é outro a cada troca, por isso a imagem pode ser guardada.',
  params: z.object({ id: z.uuid() }),
  response: z.string(),
  file: ['image/webp'],
  refusals: ['PICTURE_NOT_FOUND'],
  isExtension: true,
});

export const brandEndpoints = [getBrand, changeBrand, uploadLogo, removeLogo, logoPicture] as const;
