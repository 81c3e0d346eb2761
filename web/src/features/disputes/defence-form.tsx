import { DEFENCE_LIMITS, type DisputeDetailModel } from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { formatDateTime } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { Button, Dialog, Notice, SectionHeader, TextArea } from '../../ui/index.ts';
import type { DefenceDraft } from './defence-draft.ts';
import { EvidenceField } from './evidence-field.tsx';
import { useDefence } from './use-defence.ts';

/** The form with which a merchant sends a defence against a dispute to the bank: a text, and files as evidence. */
export function DefenceForm({ dispute }: { dispute: DisputeDetailModel }) {
  const { draft, updateDraft, submission } = useDefence(dispute.id);
  const [textError, setTextError] = useState<string>();
  const [filesError, setFilesError] = useState<string>();
  const [isConfirming, setIsConfirming] = useState(false);
  const textLength = draft.text.trim().length;
  const hasTooManyFiles = draft.evidence.length > DEFENCE_LIMITS.maxFiles;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const hasInvalidFile = draft.evidence.some(({ problem }) => problem !== undefined);
    if (textLength === 0) setTextError('Escreva a sua defesa.');
    if (hasInvalidFile) setFilesError(INVALID_FILE);
    const isTextValid = textLength > 0 && textLength <= DEFENCE_LIMITS.maxLength;
    if (isTextValid && !hasInvalidFile && !hasTooManyFiles) setIsConfirming(true);
  };
  return (
    <section aria-labelledby="defence">
      <SectionHeader id="defence" title="Sua defesa" />
      <p className="text-muted">
        Conte o que foi vendido, para quem, e como e quando foi entregue.{' '}
        {dispute.takesFiles
          ? 'Anexe o que prova: nota fiscal, comprovante de entrega, conversa com o cliente.'
          : 'O banco lê só o texto: cite o que prova, como o número da nota e o código de rastreio.'}
      </p>
      <form noValidate onSubmit={submit} className="mt-4 grid gap-5">
        <TextArea
          label="Texto da defesa"
          name="text"
          hint={`${formatCount(textLength)} de ${formatCount(DEFENCE_LIMITS.maxLength)} caracteres.`}
          error={textError ?? tooLongError(textLength)}
          value={draft.text}
          onChange={(event) => {
            setTextError(undefined);
            const text = event.currentTarget.value;
            updateDraft(() => ({ text }));
          }}
        />
        {dispute.takesFiles && (
          <EvidenceField
            evidence={draft.evidence}
            error={hasTooManyFiles ? TOO_MANY_FILES : filesError}
            onEvidence={(update) => {
              setFilesError(undefined);
              updateDraft(({ evidence }) => ({ evidence: update(evidence) }));
            }}
          />
        )}
        <div className="grid gap-2">
          <Button type="submit" variant="primary" size="large" block>
            Enviar defesa
          </Button>
          <p className="text-xs text-muted">
            A defesa é enviada uma única vez, até {formatDateTime(dispute.deadline)}.
          </p>
        </div>
      </form>
      <SendDialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        submission={submission}
        dispute={dispute}
        draft={draft}
      />
    </section>
  );
}

type SendDialogProps = {
  open: boolean;
  onClose: () => void;
  submission: ReturnType<typeof useDefence>['submission'];
  dispute: DisputeDetailModel;
  draft: DefenceDraft;
};

/** Asks for a confirmation, because a defence can be sent only once, and sends it. */
function SendDialog({ open, onClose, submission, dispute, draft }: SendDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Enviar a defesa?"
      size="small"
      role="alertdialog"
      locked={submission.isPending}
      footer={
        <>
          <Button data-autofocus disabled={submission.isPending} onClick={onClose}>
            Voltar
          </Button>
          <Button variant="primary" isSending={submission.isPending} onClick={() => submission.mutate()}>
            Enviar
          </Button>
        </>
      }
    >
      <p className="text-muted">
        Ela vai para o banco{dispute.takesFiles && ` ${filesInWords(draft.evidence.length)}`} e depois não
        pode ser mudada.
      </p>
      {submission.isError && (
        <Notice tone="error" className="mt-4">
          {errorText(submission.error, 'Erro ao enviar a defesa. Tente de novo.')}
        </Notice>
      )}
    </Dialog>
  );
}

const TOO_MANY_FILES = `Envie no máximo ${DEFENCE_LIMITS.maxFiles} arquivos.`;
const INVALID_FILE = 'Remova os arquivos que não podem ser enviados.';

/** The error for a text that is too long. The text is never cut off: the merchant decides what to remove. */
function tooLongError(length: number): string | undefined {
  const excess = length - DEFENCE_LIMITS.maxLength;
  if (excess <= 0) return undefined;
  return `A defesa tem no máximo ${formatCount(DEFENCE_LIMITS.maxLength)} caracteres, e esta tem ${formatCount(length)}: tire ${formatCount(excess)}.`;
}

function filesInWords(count: number): string {
  if (count === 0) return 'sem arquivos';
  return count === 1 ? 'com 1 arquivo' : `com ${count} arquivos`;
}
