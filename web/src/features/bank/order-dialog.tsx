import type { BankConnection } from '@jangada/contract';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { connectionTitle, stateLabels } from '../../panel/bank/connection-words.ts';
import { FormDialog } from '../../panel/confirm/form-dialog.tsx';
import { ProofFields, useOwnerProof } from '../../panel/confirm/owner-proof.tsx';
import { IconButton, toast } from '../../ui/index.ts';
import { connectionActions } from './bank-queries.ts';

const FAILURE = 'Erro ao mudar a ordem. Tente novamente.';

type OrderDialogProps = {
  /** The accounts that can receive, in their present order. */
  connections: readonly BankConnection[];
  hasPin: boolean;
  onClose: () => void;
};

/** Changes the order in which the accounts are tried for a charge. */
export function OrderDialog({ connections, hasPin, onClose }: OrderDialogProps) {
  const [order, setOrder] = useState(connections);
  const [moved, setMoved] = useState('');
  const { fields, send } = useOwnerProof(FAILURE, hasPin);
  const move = (from: number, to: number) => {
    const connection = order[from];
    if (connection === undefined || to < 0 || to >= order.length) return;
    setOrder(order.toSpliced(from, 1).toSpliced(to, 0, connection));
    setMoved(`${connectionTitle(connection)}: ${to + 1}ª de ${order.length}`);
  };
  return (
    <FormDialog
      title="Ordem das contas"
      submit="Salvar ordem"
      failure={FAILURE}
      onClose={onClose}
      onSubmit={async () => {
        const isDone = await send((proof) =>
          connectionActions.order(
            order.map(({ id }) => id),
            proof,
          ),
        );
        if (isDone) toast('Ordem salva');
        return isDone;
      }}
    >
      <p className="text-muted">
        A cobrança é criada na primeira conta ativa. Se o banco dela não responde, na seguinte.
      </p>
      <ol className="divide-y divide-base-300 border-y border-base-300">
        {order.map((connection, index) => (
          <li key={connection.id} className="flex items-center gap-3 py-1.5">
            <span className="w-4 shrink-0 text-muted tabular-nums">{index + 1}</span>
            <span className="min-w-0 grow">
              <span className="block font-medium wrap-anywhere">{connectionTitle(connection)}</span>
              <span className="block text-xs wrap-anywhere text-muted">
                {connection.state !== 'active' && `${stateLabels[connection.state]} · `}
                {connection.pix_key}
              </span>
            </span>
            <span className="flex shrink-0">
              <IconButton
                label={`Subir ${connectionTitle(connection)}`}
                icon={<ArrowUp className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
                aria-disabled={index === 0 || undefined}
                className={index === 0 ? 'text-control!' : undefined}
                onClick={() => move(index, index - 1)}
              />
              <IconButton
                label={`Descer ${connectionTitle(connection)}`}
                icon={<ArrowDown className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
                aria-disabled={index === order.length - 1 || undefined}
                className={index === order.length - 1 ? 'text-control!' : undefined}
                onClick={() => move(index, index + 1)}
              />
            </span>
          </li>
        ))}
      </ol>
      <p className="sr-only" aria-live="polite">
        {moved}
      </p>
      <ProofFields {...fields} />
    </FormDialog>
  );
}
