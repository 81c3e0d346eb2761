import { formatDocument } from '@jangada/pix';
import { Button, Dialog, Facts, Notice } from '../../ui/index.ts';
import { payerOf, type SubscriptionDraft, summaryOf } from './subscription-draft.ts';
import { authorizationChoices } from './subscription-words.ts';

type ConfirmSubscriptionProps = {
  draft: SubscriptionDraft;
  failure: string | undefined;
  isSending: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Shows in words what will be charged, before the bank is asked for it. */
export function ConfirmSubscription({
  draft,
  failure,
  isSending,
  onConfirm,
  onClose,
}: ConfirmSubscriptionProps) {
  const payer = payerOf(draft);
  const [main, ...others] = summaryOf(draft);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Conferir assinatura"
      size="normal"
      locked={isSending}
      footer={
        <>
          <Button onClick={onClose} disabled={isSending}>
            Voltar
          </Button>
          <Button data-autofocus variant="primary" isSending={isSending} onClick={onConfirm}>
            Criar assinatura
          </Button>
        </>
      }
    >
      {failure !== undefined && (
        <Notice tone="error" className="mb-4">
          {failure}
        </Notice>
      )}
      <p className="text-base font-strong">{main}</p>
      <ul className="mt-3 grid list-disc gap-1.5 pl-4 text-muted">
        {others.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <Facts
        className="mt-4"
        facts={[
          { label: 'Quem paga', value: payer.name },
          { label: 'CPF ou CNPJ', value: formatDocument(payer.document) },
          { label: 'O que é', value: draft.description.trim() },
          { label: 'Autoriza', value: authorizationChoices[draft.authorization].label },
        ]}
      />
    </Dialog>
  );
}
