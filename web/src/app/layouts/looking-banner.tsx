import { enterAccount } from '@jangada/contract';
import { useMutation } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { call } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { useLookedInto } from '../../panel/members/accounts-query.ts';
import { openAccountAnew } from '../../session/account-change.ts';
import { useSession } from '../../session/session.ts';
import { Button, Notice, toastError } from '../../ui/index.ts';

/** Says into which account staff look for support, until when, and leads back to their own. */
export function LookingBanner() {
  const lookedInto = useLookedInto();
  const ownId = useSession(({ user }) => user?.id);
  const enter = useMutation({
    mutationFn: (account_id: string) => call(enterAccount, { body: { account_id } }),
    onSuccess: () => openAccountAnew(null),
    onError: (error) => toastError(errorText(error, 'Não foi possível voltar. Tente de novo.')),
  });
  if (lookedInto === null) return null;
  return (
    <Notice
      tone="warning"
      icon={<Eye className="size-5" strokeWidth={1.75} aria-hidden="true" />}
      className="mb-5"
      title={
        <>
          Você está olhando a conta <bdi className="wrap-anywhere">{lookedInto.name}</bdi> como suporte.
        </>
      }
      action={
        <Button
          size="small"
          isSending={enter.isPending}
          onClick={() => ownId !== undefined && enter.mutate(ownId)}
        >
          Voltar à minha conta
        </Button>
      }
    >
      Só leitura, até {formatDateAtTime(lookedInto.expires_at)}.
    </Notice>
  );
}
