import { adminCloseItem, adminResolveRefund } from '@jangada/contract';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { formatDateTime } from '../../format/date.ts';
import { Copied } from '../../panel/copied.tsx';
import {
  detailFacts,
  isRefund,
  itemWords,
  type OpenItem,
  referenceWords,
} from '../../panel/operation/item-words.ts';
import { Button, Dialog, Facts, Notice } from '../../ui/index.ts';
import { ReasonDialog } from './reason-dialog.tsx';
import { type Ending, ResolveDialog } from './resolve-dialog.tsx';

type ItemDetailProps = { item: OpenItem; onClose: () => void };

/** An item that the gateway could not decide, with everything it knows about it. */
export function ItemDetail({ item, onClose }: ItemDetailProps) {
  const [act, setAct] = useState<'close' | 'resolve'>();
  const back = () => setAct(undefined);
  const { title, todo } = itemWords(item.kind);
  if (act === 'close') return <CloseDialog item={item} onClose={back} />;
  if (act === 'resolve') return <EndRefundDialog item={item} onClose={back} />;
  const open = item.closed_at === null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      footerStart={
        open && isRefund(item) ? (
          <Button variant="danger" onClick={() => setAct('resolve')}>
            Encerrar estorno
          </Button>
        ) : undefined
      }
      footer={
        <>
          <Button onClick={onClose}>Fechar</Button>
          {open && (
            <Button variant="primary" onClick={() => setAct('close')}>
              Encerrar item
            </Button>
          )}
        </>
      }
    >
      {open ? (
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

function CloseDialog({ item, onClose }: ItemDetailProps) {
  return (
    <ReasonDialog
      title="Encerrar item"
      label="O que foi visto"
      hint="Com data e protocolo, se houver. Quem encerrou fica registrado."
      least={10}
      most={1000}
      missing="Descreva o que foi visto."
      action="Encerrar item"
      onSend={(evidence) => call(adminCloseItem, { params: { id: item.id }, body: { evidence } })}
      done="Item encerrado."
      failure="Erro ao encerrar o item. Tente novamente."
      onClose={onClose}
    >
      <p className="text-muted">
        {itemWords(item.kind).title}, aberto em {formatDateTime(item.opened_at)}. Com os mesmos dados ele não
        volta a abrir.
      </p>
    </ReasonDialog>
  );
}

function Reference({ item }: { item: OpenItem }) {
  const words = referenceWords(item);
  return words === item.reference ? <Copied text={words} label="Copiar referência" /> : words;
}

const endings: readonly Ending<'returned' | 'refused'>[] = [
  { value: 'returned', label: 'Foi devolvido', done: 'Estorno concluído.', code: 'rtrId' },
  { value: 'refused', label: 'Não foi devolvido', done: 'Estorno encerrado: o valor voltou ao saldo.' },
];

/** Of a Pix that nobody claimed the user is 0. */
function EndRefundDialog({ item, onClose }: ItemDetailProps) {
  return (
    <ResolveDialog
      title="Encerrar estorno"
      intro="Procure-o no banco pelo id do estorno. Se não foi devolvido a quem pagou, o valor volta ao saldo: tenha certeza."
      endings={endings}
      onSend={(outcome, evidence, code) =>
        call(adminResolveRefund, {
          params: { userId: item.user_id ?? '0', id: item.reference },
          body: { outcome, evidence, ...(code !== undefined && { rtr_id: code }) },
        })
      }
      failure="Erro ao encerrar o estorno. Tente novamente."
      onClose={onClose}
    />
  );
}
