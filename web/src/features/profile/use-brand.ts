import { type BodyInput, type Brand, changeBrand, getBrand, removeLogo, uploadLogo } from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { useState } from 'react';
import { isCancelled } from '../../api/api-error.ts';
import { call, upload } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';
import { avatarProblem } from './avatar-problem.ts';

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

/** The logo: `change` and `remove` it; what went wrong stands in `problem`. */
export function useLogo() {
  const [sending, setSending] = useState<'change' | 'remove' | null>(null);
  const [problem, setProblem] = useState<string>();
  const run = async (what: 'change' | 'remove', action: () => Promise<unknown>, done: string) => {
    setProblem(undefined);
    setSending(what);
    try {
      keep(uploadLogo.response.parse(await action()));
      toast(done);
    } catch (error) {
      const failed =
        what === 'change'
          ? 'Falha ao fazer upload da imagem. Tente novamente.'
          : 'Não foi possível remover o logotipo.';
      if (!isCancelled(error)) setProblem(errorText(error, failed));
    } finally {
      setSending(null);
    }
  };
  const change = async (file: File) => {
    const wrong = avatarProblem(file);
    if (wrong !== undefined) return setProblem(wrong);
    const form = new FormData();
    form.set('logo', file);
    await run('change', () => upload(uploadLogo.path, form), 'Logotipo trocado');
  };
  const remove = () => run('remove', () => call(removeLogo, {}), 'Logotipo removido');
  return { sending, problem, change, remove };
}
