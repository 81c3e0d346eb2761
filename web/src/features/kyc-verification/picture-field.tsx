import type { KycSide } from '@jangada/contract';
import { ImagePlus, X } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { classNames, Glyph, IconButton } from '../../ui/index.ts';
import { ACCEPTED_KYC_TYPES, NOT_A_PICTURE, type Picture, sizeProblem } from './picture.ts';

type PictureFieldProps = {
  side: KycSide;
  hint: string;
  picture: Picture | undefined;
  error: string | undefined;
  disabled: boolean;
  onFile: (file: File) => void;
  /** Called with the message for the user when the browser cannot open the picture, or the picture is too small. */
  onRefuse: (reason: string) => void;
  onRemove: () => void;
};

/**
 * The field for one picture. The user chooses, photographs or drops a file. The picture is then shown, and can be
 * removed.
 */
export function PictureField(props: PictureFieldProps) {
  const { side, hint, picture, error, disabled, onFile, onRefuse, onRemove } = props;
  const noteId = `${useId()}-note`;
  const name = kycSideNames[side];
  const hasPicture = picture !== undefined;
  const { input, removeButton } = useFocusAcrossSwap(hasPicture);
  const { isDraggedOver, dropHandlers } = useFileDrop((file) => {
    if (!disabled) onFile(file);
  });
  return (
    <fieldset>
      <legend className="mb-1.5 font-label">{name}</legend>
      {hasPicture ? (
        <ShownPicture
          picture={picture}
          name={name}
          onRefuse={onRefuse}
          removeButton={removeButton}
          disabled={disabled}
          onRemove={onRemove}
        />
      ) : (
        <EmptyField
          onFile={onFile}
          dropHandlers={dropHandlers}
          error={error}
          isDraggedOver={isDraggedOver}
          input={input}
          disabled={disabled}
          name={name}
          noteId={noteId}
        />
      )}
      <div id={noteId} aria-live="polite" className="mt-1.5 text-xs">
        {error === undefined ? (
          <p className="text-muted">{hint}</p>
        ) : (
          <p className="flex items-start gap-1.5 font-medium text-error">
            <Glyph name="failed" className="mt-0.5 size-3" />
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}

type EmptyFieldProps = {
  onFile: (file: File) => void;
  dropHandlers: ReturnType<typeof useFileDrop>['dropHandlers'];
  error: string | undefined;
  isDraggedOver: boolean;
  input: RefObject<HTMLInputElement | null>;
  disabled: boolean;
  name: string;
  /** The id of the element with the hint or the error. */
  noteId: string;
};

function EmptyField({
  onFile,
  dropHandlers,
  error,
  isDraggedOver,
  input,
  disabled,
  name,
  noteId,
}: EmptyFieldProps) {
  const chooseFile = (event: ChangeEvent<HTMLInputElement>) => {
    const fileInput = event.currentTarget;
    const file = fileInput.files?.[0];
    // Without this, the browser would ignore the choice of a file that was chosen before and then removed.
    fileInput.value = '';
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      {...dropHandlers}
      className={classNames(
        frameClass,
        emptyFieldClass,
        error !== undefined ? 'border-error' : 'border-control',
        isDraggedOver && 'bg-primary-tint',
      )}
    >
      <ImagePlus className="size-5.5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <span className="font-medium text-primary">Escolher imagem</span>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED_KYC_TYPES}
        className="sr-only"
        disabled={disabled}
        aria-label={`Escolher imagem: ${name}`}
        aria-describedby={noteId}
        aria-invalid={error === undefined ? undefined : true}
        onChange={chooseFile}
      />
    </label>
  );
}

type ShownPictureProps = {
  picture: Picture;
  name: string;
  onRefuse: PictureFieldProps['onRefuse'];
  removeButton: RefObject<HTMLButtonElement | null>;
  disabled: boolean;
  onRemove: () => void;
};

function ShownPicture({ picture, name, onRefuse, removeButton, disabled, onRemove }: ShownPictureProps) {
  return (
    <div className={classNames(frameClass, 'relative overflow-hidden border-base-300 bg-base-200')}>
      <img
        src={picture.url}
        alt={name}
        className="size-full object-contain"
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          const problem = sizeProblem({ width, height });
          if (problem !== undefined) onRefuse(problem);
        }}
        onError={() => onRefuse(NOT_A_PICTURE)}
      />
      <IconButton
        ref={removeButton}
        variant="line"
        size="small"
        className="absolute top-2 right-2"
        label={`Remover ${name.toLocaleLowerCase('pt-BR')}`}
        disabled={disabled}
        icon={<X className="size-4.5" strokeWidth={1.75} aria-hidden="true" />}
        onClick={onRemove}
      />
    </div>
  );
}

/**
 * Keeps the keyboard focus in the field when a picture is chosen or removed. The file input and the button that removes
 * the picture then replace each other, and the one that had the focus disappears.
 */
function useFocusAcrossSwap(hasPicture: boolean) {
  const input = useRef<HTMLInputElement>(null);
  const removeButton = useRef<HTMLButtonElement>(null);
  const hadPicture = useRef(hasPicture);
  useEffect(() => {
    if (hadPicture.current === hasPicture) return;
    hadPicture.current = hasPicture;
    // The body has the focus if the focused control was removed. A focus elsewhere is left alone.
    if (document.activeElement === document.body) (hasPicture ? removeButton : input).current?.focus();
  }, [hasPicture]);
  return { input, removeButton };
}

const frameClass = 'h-44 w-full rounded-field border';
const emptyFieldClass = classNames(
  'flex cursor-pointer flex-col items-center justify-center gap-2 border-dashed transition-colors duration-120',
  'hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
);

/** The handlers that accept a file dropped on the field, and `isDraggedOver`, which is true while a file is over it. */
function useFileDrop(onFile: (file: File) => void) {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const dropHandlers = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsDraggedOver(true);
    },
    onDragLeave: () => setIsDraggedOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsDraggedOver(false);
      const file = event.dataTransfer.files[0];
      if (file !== undefined) onFile(file);
    },
  };
  return { isDraggedOver, dropHandlers };
}
