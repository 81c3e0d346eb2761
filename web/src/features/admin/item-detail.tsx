import { adminCloseItem, adminResolveRefund } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDateTime } from '../../format/date.ts';
import { approvedReason } from '../../panel/approvals/approved-order.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import {
  detailFacts,
  formatItemReference,
  isRefundItem,
  itemTextOf,
  type OpenItem,
} from '../../panel/operation/item-words.ts';
import { Button, Dialog, Facts, Notice } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { type OutcomeOption, ResolveDialog } from './resolve-dialog.tsx';

type ItemDetailProps = { item: OpenItem; onClose: () => void };

/**
 * The details of an open item, that is, a discrepancy between the books and the bank that the gateway could not settle
 * by itself. An administrator closes the item with evidence.
 */
export function ItemDetail({ item, onClose }: ItemDetailProps) {
  /** The action whose dialog is open: to close the item, or to record the outcome of the refund that it is about. */
  const [action, setAction] = useState<'close' | 'resolve-refund'>();
  const closeAction = () => setAction(undefined);
  const { title, todo } = itemTextOf(item.kind);
  if (action === 'close') return <CloseItemDialog item={item} onClose={closeAction} />;
  if (action === 'resolve-refund') return <ResolveRefundDialog item={item} onClose={closeAction} />;
  const isOpen = item.closed_at === null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footerStart={
        isOpen && isRefundItem(item) ? (
          <Button variant="danger" onClick={() => setAction('resolve-refund')}>
            Encerrar estorno
          </Button>
        ) : undefined
      }
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {isOpen && (
            <Button variant="primary" onClick={() => setAction('close')}>
              Encerrar item
            </Button>
          )}
        </>
      }
    >
      {isOpen ? (
        <p className="mb-4 text-muted">{todo}</p>
      ) : (
        <Notice tone="info" className="mb-4" title={`Encerrado em ${formatDateTime(item.closed_at)}.`}>
          {item.evidence}
        </Notice>
      )}
      <Facts
        facts={[
          { label: 'Referência', value: <Reference item={item} /> },
          { label: 'Aberto em', value: formatDateTime(item.opened_at) },
          ...(item.user_id === null ? [] : [{ label: 'ID do lojista', value: item.user_id }]),
          ...detailFacts(item.detail).map((fact) => ({
            ...fact,
            value: <span className="break-all">{fact.value}</span>,
          })),
        ]}
      />
    </Dialog>
  );
}

function CloseItemDialog({ item, onClose }: ItemDetailProps) {
  return (
    <ReasonDialog
      title="Encerrar item"
      label="O que foi visto"
      hint="Com data e protocolo, se houver. Quem encerrou fica registrado."
      minLength={10}
      maxLength={1000}
      tooShortError="Descreva o que foi visto."
      submitLabel="Encerrar item"
      initialText={approvedReason('open-item', { id: item.id })}
      onSend={(evidence) => call(adminCloseItem, { params: { id: item.id }, body: { evidence } })}
      successMessage="Item encerrado."
      failure="Erro ao encerrar o item. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {itemTextOf(item.kind).title}, aberto em {formatDateTime(item.opened_at)}. Com os mesmos dados ele não
        volta a abrir.
      </p>
    </ReasonDialog>
  );
}

/** The reference of the item. An identifier gets a copy button; a reference that is shown in words does not. */
function Reference({ item }: { item: OpenItem }) {
  const referenceText = formatItemReference(item);
  return referenceText === item.reference ? (
    <CopyableText text={referenceText} label="Copiar referência" />
  ) : (
    referenceText
  );
}

/** The outcomes that an administrator can record for a refund. */
const refundOutcomes: readonly OutcomeOption<'returned' | 'refused'>[] = [
  {
    value: 'returned',
    label: 'Foi devolvido',
    successMessage: 'Estorno concluído.',
    bankReferenceLabel: 'rtrId',
  },
  {
    value: 'refused',
    label: 'Não foi devolvido',
    successMessage: 'Estorno encerrado: o valor voltou ao saldo.',
  },
];

/**
 * Ends a refund whose outcome the bank has not reported. The refund of a Pix that belongs to no merchant has the user
 * id 0.
 */
function ResolveRefundDialog({ item, onClose }: ItemDetailProps) {
  return (
    <ResolveDialog
      title="Encerrar estorno"
      intro="Procure-o no banco pelo id do estorno. Se não foi devolvido a quem pagou, o valor volta ao saldo: tenha certeza."
      outcomeOptions={refundOutcomes}
      onSend={(outcome, evidence, rtrId) =>
        call(adminResolveRefund, {
          params: { userId: item.user_id ?? '0', id: item.reference },
          body: { outcome, evidence, ...(rtrId !== undefined && { rtr_id: rtrId }) },
        })
      }
      failure="Erro ao encerrar o estorno. Tente novamente."
      onClose={onClose}
    />
  );
}
