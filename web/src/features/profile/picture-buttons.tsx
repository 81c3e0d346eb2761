import { Trash2 } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { Button, FieldNote } from '../../ui/index.ts';
import { ACCEPTED_PICTURE_TYPES, type PictureChange } from './use-picture.ts';

type PictureButtonsProps = {
  picture: PictureChange;
  /** The noun for the picture: "foto", "logotipo". */
  noun: string;
  icon: ReactNode;
  /** True when there is a picture already. */
  isSet: boolean;
  isRemovable: boolean;
  hint: string;
};

/** A button that uploads a picture as soon as it is chosen, and one that removes the present picture. */
export function PictureButtons({ picture, noun, icon, isSet, isRemovable, hint }: PictureButtonsProps) {
  const { sending, problem, change, remove } = picture;
  const input = useRef<HTMLInputElement>(null);
  const noteId = useId();
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={ACCEPTED_PICTURE_TYPES.join(',')}
          className="sr-only"
          aria-label={`Escolher ${noun}`}
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) change(file);
            // Without this, choosing the same file again after a failure would not count as a change.
            event.currentTarget.value = '';
          }}
        />
        <Button
          size="small"
          aria-describedby={noteId}
          isSending={sending === 'change'}
          disabled={sending !== null}
          icon={icon}
          onClick={() => input.current?.click()}
        >
          {isSet ? `Trocar ${noun}` : `Enviar ${noun}`}
        </Button>
        {isSet && isRemovable && (
          <Button
            size="small"
            variant="quiet"
            isSending={sending === 'remove'}
            sendingLabel="Removendo"
            disabled={sending !== null}
            icon={<Trash2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={remove}
          >
            Remover {noun}
          </Button>
        )}
      </div>
      <FieldNote id={noteId} hint={hint} error={problem} />
    </>
  );
}
