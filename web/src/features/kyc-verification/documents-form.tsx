import { type KycSide, kycSides } from '@jangada/contract';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { useSupports } from '../../api/provider.ts';
import { Button, Notice } from '../../ui/index.ts';
import { PictureField } from './picture-field.tsx';
import { usePictures } from './use-pictures.ts';
import { useSendDocuments } from './use-send-documents.ts';

const PICTURES_MISSING = 'Por favor, envie todas as imagens necessárias.';
const FAILURE = 'Erro ao enviar documentos.';

/** What each picture must show. */
const hints: Record<KycSide, string> = {
  document_front: 'RG, CNH ou outro documento com foto, inteiro na imagem.',
  document_back: 'O outro lado do mesmo documento.',
  selfie: 'Seu rosto e a frente do documento, os dois nítidos.',
};

/**
 * The form with which a person sends three pictures for identity verification (KYC). The API calls each picture a side:
 * the front of the document, its back, or the selfie. After success, the page shows the status in place of the form.
 */
export function DocumentsForm() {
  const { pictures, refusalText, chooseFile, refusePicture, removePicture } = usePictures();
  const [hasTriedToSubmit, setHasTriedToSubmit] = useState(false);
  const submission = useSendDocuments();
  // The dashboard can also run against other gateways. How those store documents is unknown, so only our own promises
  // encryption.
  const encryptsDocuments = useSupports('encryptedDocuments');
  const isComplete = kycSides.every((side) => pictures[side] !== undefined);
  // A refused picture has its own message, so it is not also reported as missing, but it still blocks sending.
  const isMissing = (side: KycSide) => pictures[side] === undefined && refusalText(side) === undefined;
  const missingText = (side: KycSide) =>
    hasTriedToSubmit && isMissing(side) ? 'Falta esta imagem.' : undefined;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setHasTriedToSubmit(true);
    if (isComplete) submission.mutate(pictures);
  };
  const failure = failureOf(hasTriedToSubmit && kycSides.some(isMissing), submission.error);
  return (
    <form noValidate onSubmit={submit}>
      <div className="grid gap-5 md:grid-cols-3">
        {kycSides.map((side) => (
          <PictureField
            key={side}
            side={side}
            hint={hints[side]}
            picture={pictures[side]}
            error={refusalText(side) ?? missingText(side)}
            disabled={submission.isPending}
            onFile={(file) => chooseFile(side, file)}
            onRefuse={(reason) => refusePicture(side, reason)}
            onRemove={() => removePicture(side)}
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
        isSending={submission.isPending}
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

function failureOf(isPictureMissing: boolean, error: unknown): string | undefined {
  if (isPictureMissing) return PICTURES_MISSING;
  if (error === null || error === undefined) return undefined;
  // A 413 without a gateway message comes from a proxy in front of the gateway, which may allow less for the whole
  // request.
  if (error instanceof ApiError && error.status === 413 && error.serverMessage === null)
    return 'Cada imagem deve ter no máximo 10MB.';
  return errorText(error, FAILURE);
}
