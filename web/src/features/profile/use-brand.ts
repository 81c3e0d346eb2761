import { type BodyInput, type Brand, changeBrand, getBrand, removeLogo, uploadLogo } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, upload } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type PictureChange, usePicture } from './use-picture.ts';

/**
 * The account's brand (name, colour, logo) on the pages that payers open. The call is not in the common specification
 * of the API, so a provider (the gateway behind the dashboard) may lack it.
 */
export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => call(getBrand, { signal }),
});

function cacheBrand(brand: Brand): void {
  queryClient.setQueryData(brandQuery.queryKey, brand);
}

/** Saves the name and the colour, and writes the saved brand into the cache. */
export async function saveBrand(body: BodyInput<typeof changeBrand>): Promise<Brand> {
  const brand = await call(changeBrand, { body });
  cacheBrand(brand);
  return brand;
}

/** Changes or removes the logo on the pages that payers open. */
export function useLogo(): PictureChange {
  return usePicture({
    fieldName: 'logo',
    change: async (form) => cacheBrand(uploadLogo.response.parse(await upload(uploadLogo.path, form))),
    remove: async () => cacheBrand(await call(removeLogo, {})),
    texts: {
      changed: 'Logotipo trocado',
      removed: 'Logotipo removido',
      notRemoved: 'Não foi possível remover o logotipo.',
    },
  });
}

/** The fields of the brand form, as typed; an empty field means the default. */
export type BrandDraft = { readonly name: string; readonly colour: string };
/** The error message of each invalid field. */
export type BrandProblems = { readonly [Field in keyof BrandDraft]?: string };

/** The initial content of the form, taken from the saved brand. */
export function draftOf({ display_name, colour }: Brand): BrandDraft {
  return { name: display_name ?? '', colour: colour ?? '' };
}

/**
 * Normalises a typed colour to `#0c597d`; accepts short forms and a missing `#`. Undefined when it is not a colour.
 */
export function colourFrom(typed: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/** The errors of a draft before it is sent. */
export function problemsOf({ colour }: BrandDraft): BrandProblems {
  const isValid = colour.trim() === '' || colourFrom(colour) !== undefined;
  return isValid ? {} : { colour: 'Informe a cor como #1a2b3c.' };
}

/** The request body for a draft. */
export function bodyOf({ name, colour }: BrandDraft) {
  return {
    display_name: name.trim() === '' ? null : name.trim(),
    colour: colour.trim() === '' ? null : (colourFrom(colour) ?? null),
  };
}
