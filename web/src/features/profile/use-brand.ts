import { type BodyInput, type Brand, changeBrand, getBrand, removeLogo, uploadLogo } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call, upload } from '../../api/client.ts';
import { queryClient } from '../../api/query.ts';
import { type PictureChange, usePicture } from './use-picture.ts';

/** How payers see the account. Beyond the specification. */
export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => call(getBrand, { signal }),
});

function keep(brand: Brand): void {
  queryClient.setQueryData(brandQuery.queryKey, brand);
}

export async function saveBrand(body: BodyInput<typeof changeBrand>): Promise<Brand> {
  const brand = await call(changeBrand, { body });
  keep(brand);
  return brand;
}

/** The logo on the pages that payers open. */
export function useLogo(): PictureChange {
  return usePicture({
    name: 'logo',
    change: async (form) => keep(uploadLogo.response.parse(await upload(uploadLogo.path, form))),
    remove: async () => keep(await call(removeLogo, {})),
    words: {
      changed: 'Logotipo trocado',
      removed: 'Logotipo removido',
      notRemoved: 'Não foi possível remover o logotipo.',
    },
  });
}
