import {
  confirmHandover,
  endHandover,
  getHandover,
  HANDOVER_HOURS,
  offerAccount,
  type ResponseOf,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { queryClient, updateCacheFrom } from '../../api/query.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { useNow } from '../../panel/use-now.ts';
import { useSession } from '../../session/session.ts';
import { Button, Notice, SectionHeader, SelectField, toast } from '../../ui/index.ts';
import type { ListedMember } from './use-members.ts';

type HandoverAnswer = ResponseOf<typeof getHandover>;
type Handover = NonNullable<HandoverAnswer['handover']>;

const handoverQuery = queryOptions({
  queryKey: ['account-handover'],
  queryFn: ({ signal }) => call(getHandover, { signal }),
});
const updateHandover = <Result,>(
  operation: Promise<Result>,
  change: (result: Result) => HandoverAnswer['handover'],
) =>
  updateCacheFrom<HandoverAnswer, Result>(handoverQuery.queryKey, operation, (_cached, result) => ({
    handover: change(result),
  }));

const MINUTE_MS = 60_000;

/** The consequences of handing an account over, as both who do it read them. */
const CONSEQUENCES =
  'Todos os donos são avisados por e-mail. Depois, os saques ficam suspensos por 24 horas, e a identidade do novo titular é conferida pelo operador.';

/** On top of the members: the proposal to hand the account over that waits, for the two whom it concerns and others. */
export function HandoverNotice() {
  const handover = useQuery(handoverQuery).data?.handover ?? null;
  const userId = useSession(({ user }) => user?.id);
  const now = useNow(handover !== null, MINUTE_MS);
  const [dialog, setDialog] = useState<'confirm' | 'end'>();
  const close = () => setDialog(undefined);
  if (handover === null) return null;
  const { offered_by, offered_to, expires_at } = handover;
  const isHeir = offered_to.id === userId;
  const isHolder = offered_by.id === userId;
  if (Date.parse(expires_at) <= now)
    return (
      <Notice tone="info" className="mb-5" title="A proposta de passar a conta venceu.">
        Ninguém confirmou em {HANDOVER_HOURS} horas, e o titular continua o mesmo.
      </Notice>
    );
  return (
    <>
      <Notice
        tone={isHeir ? 'warning' : 'info'}
        className="mb-5"
        title={titleOf(handover, { isHeir, isHolder })}
        action={
          isHeir ? (
            <div className="flex gap-2 max-md:*:grow">
              <Button size="small" onClick={() => setDialog('end')}>
                Recusar
              </Button>
              <Button size="small" variant="primary" onClick={() => setDialog('confirm')}>
                Ser o titular
              </Button>
            </div>
          ) : (
            isHolder && (
              <Button size="small" onClick={() => setDialog('end')}>
                Desistir
              </Button>
            )
          )
        }
      >
        A proposta vale até {formatDateAtTime(expires_at)}.
      </Notice>
      <ConfirmDialog
        open={dialog === 'confirm'}
        onClose={close}
        title="Ser o titular desta conta?"
        confirm="Ser o titular"
        failure="Não foi possível confirmar. Tente novamente."
        onConfirm={async () => {
          await updateHandover(call(confirmHandover, {}), () => null);
          void queryClient.invalidateQueries({ queryKey: ['members'] });
          toast('Você é o titular da conta');
        }}
      >
        A conta passa de <bdi className="wrap-anywhere">{offered_by.name}</bdi> a você, na hora e sem volta.{' '}
        {CONSEQUENCES}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'end'}
        onClose={close}
        title={isHeir ? 'Recusar a conta?' : 'Desistir de passar a conta?'}
        confirm={isHeir ? 'Recusar' : 'Desistir'}
        failure="Não foi possível desfazer a proposta. Tente novamente."
        onConfirm={async () => {
          await updateHandover(call(endHandover, {}), () => null);
          toast(isHeir ? 'Proposta recusada' : 'Proposta desfeita');
        }}
      >
        O titular continua o mesmo. Todos os donos são avisados por e-mail.
      </ConfirmDialog>
    </>
  );
}

function titleOf(
  { offered_by, offered_to }: Handover,
  { isHeir, isHolder }: { isHeir: boolean; isHolder: boolean },
): string {
  if (isHeir) return `${offered_by.name} propôs passar a conta a você.`;
  if (isHolder) return `${offered_to.name} ainda não confirmou que será o titular.`;
  return `${offered_by.name} propôs passar a conta a ${offered_to.name}.`;
}

/** Where the holder proposes that another owner hold the account in their place. Nobody else sees it. */
export function HandoverSection({ members }: { members: readonly ListedMember[] }) {
  const query = useQuery(handoverQuery);
  const userId = useSession(({ user }) => user?.id);
  const [isOpen, setIsOpen] = useState(false);
  const isHolder = members.some(({ id, holder }) => holder && id === userId);
  if (!isHolder || query.data === undefined || query.data.handover !== null) return null;
  const heirs = members.filter(({ role, holder }) => role === 'owner' && !holder);
  return (
    <section aria-labelledby="handover" className="mt-10">
      <SectionHeader id="handover" title="Passar a conta" />
      <p className="mt-1 max-w-170 text-muted">
        A conta está no seu nome. {heirs.length === 0 && 'Para passá-la, convide antes outro dono. '}
        Outro dono passa a ser o titular depois que vocês dois confirmarem.
      </p>
      {heirs.length > 0 && (
        <Button className="mt-4 max-md:w-full" onClick={() => setIsOpen(true)}>
          Passar a conta
        </Button>
      )}
      {isOpen && <OfferDialog heirs={heirs} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

function OfferDialog({ heirs, onClose }: { heirs: readonly ListedMember[]; onClose: () => void }) {
  const [heirId, setHeirId] = useState(heirs[0]?.id ?? '');
  return (
    <FormDialog
      title="Passar a conta"
      submit="Propor"
      size="normal"
      failure="Não foi possível propor. Tente novamente."
      onClose={onClose}
      onSubmit={async () => {
        await updateHandover(call(offerAccount, { body: { member_id: heirId } }), ({ handover }) => handover);
        toast('Proposta enviada');
        return true;
      }}
    >
      <SelectField
        label="Novo titular"
        data-autofocus
        options={heirs.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        value={heirId}
        onChange={(event) => setHeirId(event.currentTarget.value)}
      />
      <p className="text-muted">
        Essa pessoa confirma em até {HANDOVER_HOURS} horas, e você pode desistir antes. {CONSEQUENCES} Você
        continua dono como os outros, e pode ser removido por eles.
      </p>
    </FormDialog>
  );
}
