import { memberRoleTexts } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { UserRoundPlus } from 'lucide-react';
import { useState } from 'react';
import { settingsQuery } from '../../api/queries.ts';
import { formatDate, formatDateAtTime } from '../../format/date.ts';
import { ListBody } from '../../panel/list-body.tsx';
import { limitText } from '../../panel/members/limit-text.ts';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, type Column, PageHeader, SectionHeader, Table, Tag } from '../../ui/index.ts';
import { HandoverNotice, HandoverSection } from './handover-section.tsx';
import { InviteDialog, MemberDialog, RemoveDialog, WithdrawDialog } from './member-dialogs.tsx';
import { RolesTable } from './roles-table.tsx';
import { SupportSection } from './support-section.tsx';
import { type ListedMember, type OpenInvitation, useMembers } from './use-members.ts';

type OpenDialog =
  | { readonly kind: 'invite' }
  | { readonly kind: 'change' | 'remove'; readonly member: ListedMember }
  | { readonly kind: 'withdraw'; readonly invitation: OpenInvitation };

/** The people who act for the account, for its owners. */
export function MembersPage() {
  const members = useMembers();
  const { query } = members;
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const isApproved = useSession(isAccountApproved);
  const sendsMail = useQuery(settingsQuery).data?.mail ?? true;
  return (
    <>
      <PageHeader
        title="Membros"
        sentence={sentenceOf({ isApproved, sendsMail })}
        actions={
          isApproved &&
          sendsMail && (
            <Button
              variant="primary"
              icon={<UserRoundPlus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => setDialog({ kind: 'invite' })}
            >
              Convidar
            </Button>
          )
        }
      />
      <HandoverNotice />
      <ListBody query={query} title="Erro ao buscar os membros" reassurance="Nenhum acesso mudou por isso.">
        <Table
          label="Membros"
          columns={columns}
          rows={query.data?.members}
          rowKey={({ id }) => id}
          skeletonRows={3}
          canOpen={({ holder }) => !holder}
          onOpen={(member) => setDialog({ kind: 'change', member })}
          openLabel="Alterar"
          narrowRowContent={(member) => ({
            start: (
              <span className="wrap-anywhere">
                {member.name} {member.holder && <Tag>Titular</Tag>}
              </span>
            ),
            startDetail: <span className="break-all">{member.email}</span>,
            end: <span className="text-sm font-medium">{memberRoleTexts[member.role].label}</span>,
            endDetail: <Limits {...member} />,
          })}
        />
        {query.data && query.data.invitations.length > 0 && (
          <Invitations
            invitations={query.data.invitations}
            onWithdraw={(invitation) => setDialog({ kind: 'withdraw', invitation })}
          />
        )}
      </ListBody>
      <SupportSection />
      <HandoverSection members={query.data?.members ?? []} />
      <RolesTable />
      {dialog?.kind === 'invite' && <InviteDialog members={members} onClose={close} />}
      {dialog?.kind === 'change' && (
        <MemberDialog
          members={members}
          member={dialog.member}
          onRemove={() => setDialog({ ...dialog, kind: 'remove' })}
          onClose={close}
        />
      )}
      {dialog?.kind === 'remove' && <RemoveDialog members={members} member={dialog.member} onClose={close} />}
      {dialog?.kind === 'withdraw' && (
        <WithdrawDialog members={members} invitation={dialog.invitation} onClose={close} />
      )}
    </>
  );
}

function sentenceOf({ isApproved, sendsMail }: { isApproved: boolean; sendsMail: boolean }): string {
  if (!sendsMail) return 'Quem age por esta conta. Este gateway não envia e-mails, e por isso não convida.';
  if (!isApproved) return 'Quem age por esta conta. Você convida outros assim que ela for aprovada.';
  return 'Quem age por esta conta, e o que cada um pode. Ninguém precisa da sua senha.';
}

const columns: readonly Column<ListedMember>[] = [
  {
    key: 'person',
    head: 'Pessoa',
    cell: ({ name, email, holder }) => (
      <span className="block max-w-96 py-1.5 whitespace-normal">
        <span className="font-medium wrap-anywhere">{name}</span> {holder && <Tag>Titular</Tag>}
        <span className="block text-xs break-all text-muted">{email}</span>
      </span>
    ),
    skeleton: 'w-48',
  },
  { key: 'role', head: 'Papel', cell: ({ role }) => memberRoleTexts[role].label, skeleton: 'w-20' },
  {
    key: 'limits',
    head: 'Limites',
    cell: (member) => <Limits {...member} />,
    tone: 'muted',
    skeleton: 'w-32',
  },
  {
    key: 'since',
    head: 'Desde',
    cell: ({ added_at }) => formatDate(added_at),
    align: 'end',
    tone: 'muted',
    skeleton: 'w-24',
  },
];

type Limited = { readonly refund_limit: number | null; readonly withdrawal_limit: number | null };

/** `Saques até R$ 2.500,00 por dia`, a line for each limit. */
function Limits({ refund_limit, withdrawal_limit }: Limited) {
  return (
    <>
      {refund_limit !== null && <span className="block">Estornos {limitText(refund_limit)}</span>}
      {withdrawal_limit !== null && <span className="block">Saques {limitText(withdrawal_limit)}</span>}
    </>
  );
}

type InvitationsProps = {
  invitations: readonly OpenInvitation[];
  onWithdraw: (invitation: OpenInvitation) => void;
};

function Invitations({ invitations, onWithdraw }: InvitationsProps) {
  return (
    <section aria-labelledby="invitations" className="mt-10">
      <SectionHeader id="invitations" title="Convites abertos" />
      <ul className="divide-y divide-base-300 border-b border-base-300">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3"
          >
            <div className="min-w-0">
              <p className="font-medium break-all">{invitation.email}</p>
              <p className="text-muted">
                {memberRoleTexts[invitation.role].label}, por {invitation.invited_by}. Vale até{' '}
                {formatDateAtTime(invitation.expires_at)}.
              </p>
              <p className="text-muted empty:hidden">
                <Limits {...invitation} />
              </p>
            </div>
            <Button
              size="small"
              className="max-md:w-full"
              aria-label={`Desfazer o convite para ${invitation.email}`}
              onClick={() => onWithdraw(invitation)}
            >
              Desfazer
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
