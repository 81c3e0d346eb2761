import { type KycSide, kycSides } from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { Button, Notice } from '../../ui/index.ts';
import { PictureField } from './picture-field.tsx';
import { usePictures } from './use-pictures.ts';
import { useSendDocuments } from './use-send-documents.ts';

const MISSING = 'Por favor, envie todas as imagens necessárias.';
const FAILURE = 'Erro ao enviar documentos.';

const hints: Record<KycSide, string> = {
  document_front: 'RG, CNH ou outro documento com foto, inteiro na imagem.',
  document_back: 'O outro lado do mesmo documento.',
  selfie: 'Seu rosto e a frente do documento, os dois nítidos.',
};

/** The three pictures of somebody's identity, sent together. */
export function DocumentsForm() {
  const { pictures, problemOf, put, refuse, remove } = usePictures();
  const [tried, setTried] = useState(false);
  const sending = useSendDocuments();
  const encryptsDocuments = useSupports('encryptedDocuments');
  const ready = kycSides.every((side) => pictures[side] !== undefined);
  const isMissing = (side: KycSide) => pictures[side] === undefined && problemOf(side) === undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (ready) sending.mutate(pictures);
  };
  const failure = failureOf(tried && kycSides.some(isMissing), sending.error);
  return (
    <form noValidate onSubmit={submit}>
      <div className="grid gap-5 md:grid-cols-3">
        {kycSides.map((side) => (
          <PictureField
            key={side}
            side={side}
            hint={hints[side]}
            picture={pictures[side]}
            error={problemOf(side) ?? (tried && isMissing(side) ? 'Falta esta imagem.' : undefined)}
            disabled={sending.isPending}
            onFile={(file) => put(side, file)}
            onProblem={(problem) => refuse(side, problem)}
            onRemove={() => remove(side)}
          />
        ))}
      </div>
      {failure !== undefined && (
        <Notice tone="error" className="mt-5">
          {failure}
        </Notice>
      )}
      <Button
        type="submit"
        variant="primary"
        size="large"
        className="mt-6 max-md:w-full"
        sending={sending.isPending}
      >
        Enviar Documentos
      </Button>
      <p className="mt-3 max-w-[62ch] text-xs text-muted">
        Fotos em JPEG, PNG ou WebP, de até 10 MB cada.
        {encryptsDocuments &&
          ' Elas são guardadas cifradas, e só quem administra as verificações as vê; cada abertura de uma imagem inteira fica registrada.'}
      </p>
    </form>
  );
}

function failureOf(missing: boolean, error: unknown): string | undefined {
  if (missing) return MISSING;
  if (error === null || error === undefined) return undefined;
  // A proxy on the way may refuse what the gateway would have taken.
  if (error instanceof ApiError && error.status === 413 && error.serverMessage === null)
    return 'Cada imagem deve ter no máximo 10MB.';
  return errorText(error, FAILURE);
}
