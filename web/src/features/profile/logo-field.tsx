import { ImageUp, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { Button, Glyph } from '../../ui/index.ts';
import { AVATAR_TYPES } from './avatar-problem.ts';
import { useLogo } from './use-brand.ts';

/** The logo's change: it is sent as it is chosen, like the picture of the account. */
export function LogoField({ logo }: { logo: string | null }) {
  const { sending, problem, change, remove } = useLogo();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div>
      <p className="mb-1.5 font-label">Logotipo</p>
      <div className="flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={AVATAR_TYPES.join(',')}
          className="sr-only"
          aria-label="Escolher logotipo"
          tabIndex={-1}
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file !== undefined) void change(file);
            // The same file may be chosen again after it failed.
            event.currentTarget.value = '';
          }}
        />
        <Button
          size="small"
          sending={sending === 'change'}
          disabled={sending !== null}
          icon={<ImageUp className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {logo === null ? 'Enviar logotipo' : 'Trocar logotipo'}
        </Button>
        {logo !== null && (
          <Button
            size="small"
            variant="quiet"
            sending={sending === 'remove'}
            sendingWord="Removendo"
            disabled={sending !== null}
            icon={<Trash2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => void remove()}
          >
            Remover logotipo
          </Button>
        )}
      </div>
      <div aria-live="polite" className="text-xs">
        {problem === undefined ? (
          <p className="mt-1.5 text-muted">JPEG ou PNG de até 2 MB. O fundo transparente fica branco.</p>
        ) : (
          <p className="mt-1.5 flex items-start gap-1.5 font-medium text-error">
            <Glyph name="failed" className="mt-0.5 size-3" />
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}
