import { removeAvatar, uploadAvatar } from '@jangada/contract';
import { useState } from 'react';
import { NotOffered } from '../../api/api-error.ts';
import { call, upload } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import { toast } from '../../ui/index.ts';
import { avatarProblem } from './avatar-problem.ts';

const FAILED = 'Falha ao fazer upload da imagem. Tente novamente.';

/** The picture of the account: `change` and `remove` it; what went wrong stands in `problem`. */
export function useAvatar() {
  const [sending, setSending] = useState<'change' | 'remove' | null>(null);
  const [problem, setProblem] = useState<string>();
  const [removable, setRemovable] = useState(true);
  const run = async (what: 'change' | 'remove', action: () => Promise<unknown>, done: string) => {
    setProblem(undefined);
    setSending(what);
    try {
      await action();
      await queryClient.invalidateQueries(profileQuery);
      toast(done);
    } catch (error) {
      if (error instanceof NotOffered) setRemovable(false);
      else setProblem(errorText(error, what === 'change' ? FAILED : 'Não foi possível remover a foto.'));
    } finally {
      setSending(null);
    }
  };
  const change = async (file: File) => {
    const wrong = avatarProblem(file);
    if (wrong !== undefined) return setProblem(wrong);
    const form = new FormData();
    form.set('avatar', file);
    await run('change', () => upload(uploadAvatar.path, form), 'Foto trocada');
  };
  const remove = () => run('remove', () => call(removeAvatar, {}), 'Foto removida');
  return { sending, problem, change, remove: removable ? remove : null };
}
