import type { KycSide } from '@jangada/contract';
import { ImagePlus, X } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { kycSideNames } from '../../format/kyc-side.ts';
import { classNames, Glyph, IconButton } from '../../ui/index.ts';
import { ACCEPTED, NOT_A_PICTURE, type Picture, sizeProblem } from './picture.ts';

type PictureFieldProps = {
  side: KycSide;
  hint: string;
  picture: Picture | undefined;
  error: string | undefined;
  disabled: boolean;
  onFile: (file: File) => void;
  onProblem: (problem: string) => void;
  onRemove: () => void;
};

/** One picture, which can be chosen, photographed or dropped, is then shown, and can be removed. */
export function PictureField(props: PictureFieldProps) {
  const { side, hint, picture, error, disabled, onFile, onProblem, onRemove } = props;
  const id = useId();
  const name = kycSideNames[side];
  const shown = picture !== undefined;
  const { input, removal } = useKeptFocus(shown);
  const { over, dropping } = useDropping((file) => {
    if (!disabled) onFile(file);
  });
  return (
    <fieldset>
      <legend className="mb-1.5 font-label">{name}</legend>
      {!shown ? (
        <EmptyPlace
          onFile={onFile}
          dropping={dropping}
          error={error}
          over={over}
          input={input}
          disabled={disabled}
          name={name}
          id={id}
        />
      ) : (
        <ShownPicture
          picture={picture}
          name={name}
          onProblem={onProblem}
          removal={removal}
          disabled={disabled}
          onRemove={onRemove}
        />
      )}
      <div id={`${id}-note`} aria-live="polite" className="mt-1.5 text-xs">
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

type EmptyPlaceProps = {
  onFile: (file: File) => void;
  dropping: ReturnType<typeof useDropping>['dropping'];
  error: string | undefined;
  over: boolean;
  input: RefObject<HTMLInputElement | null>;
  disabled: boolean;
  name: string;
  id: string;
};

function EmptyPlace({ onFile, dropping, error, over, input, disabled, name, id }: EmptyPlaceProps) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.currentTarget;
    const file = chosen.files?.[0];
    // Allows the same file to be chosen again after it was removed.
    chosen.value = '';
    if (file !== undefined) onFile(file);
  };
  return (
    <label
      {...dropping}
      className={classNames(
        frame,
        place,
        error !== undefined ? 'border-error' : 'border-control',
        over && 'bg-primary-tint',
      )}
    >
      <ImagePlus className="size-5.5 text-muted" strokeWidth={1.75} aria-hidden="true" />
      <span className="font-medium text-primary">Escolher imagem</span>
      <input
        ref={input}
        type="file"
        accept={ACCEPTED}
        className="sr-only"
        disabled={disabled}
        aria-label={`Escolher imagem: ${name}`}
        aria-describedby={`${id}-note`}
        aria-invalid={error === undefined ? undefined : true}
        onChange={choose}
      />
    </label>
  );
}

type ShownPictureProps = {
  picture: NonNullable<PictureFieldProps['picture']>;
  name: string;
  onProblem: PictureFieldProps['onProblem'];
  removal: RefObject<HTMLButtonElement | null>;
  disabled: boolean;
  onRemove: () => void;
};

function ShownPicture({ picture, name, onProblem, removal, disabled, onRemove }: ShownPictureProps) {
  return (
    <div className={classNames(frame, 'relative overflow-hidden border-base-300 bg-base-200')}>
      <img
        src={picture.address}
        alt={name}
        className="size-full object-contain"
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => {
          const problem = sizeProblem({ width, height });
          if (problem !== undefined) onProblem(problem);
        }}
        onError={() => onProblem(NOT_A_PICTURE)}
      />
      <IconButton
        ref={removal}
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

/** Keeps keyboard focus when the file input and the removal button replace each other. */
function useKeptFocus(shown: boolean) {
  const input = useRef<HTMLInputElement>(null);
  const removal = useRef<HTMLButtonElement>(null);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (document.activeElement === document.body) (shown ? removal : input).current?.focus();
  }, [shown]);
  return { input, removal };
}

const frame = 'h-44 w-full rounded-field border';
const place = classNames(
  'flex cursor-pointer flex-col items-center justify-center gap-2 border-dashed transition-colors duration-120',
  'hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary',
);

/** Accepts a dropped file as if it had been chosen. */
function useDropping(onFile: (file: File) => void) {
  const [over, setOver] = useState(false);
  const dropping = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setOver(false);
      const file = event.dataTransfer.files[0];
      if (file !== undefined) onFile(file);
    },
  };
  return { over, dropping };
}
