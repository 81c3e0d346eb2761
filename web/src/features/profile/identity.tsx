import type { UserModel } from '@jangada/contract';
import { Camera, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { roleWords } from '../../format/role.ts';
import { Avatar } from '../../panel/avatar.tsx';
import { Button, Glyph, StatusBadge, Tag } from '../../ui/index.ts';
import { AVATAR_TYPES } from './avatar-problem.ts';
import { useAvatar } from './use-avatar.ts';

/** The picture with its change, the name, and what the account is. */
export function Identity({ user }: { user: UserModel }) {
  const { sending, problem, change, remove } = useAvatar();
  const input = useRef<HTMLInputElement>(null);
  return (
    <section aria-label="Foto e situação">
      <div className="flex items-center gap-4">
        <Avatar name={user.name} image={user.avatar} size="large" />
        <div className="min-w-0">
          <h2 className="text-base font-strong break-words">{user.name}</h2>
          <p className="mt-1.5 flex flex-wrap gap-2">
            <StatusBadge status={user.approved ? 'done' : 'waiting'}>
              {user.approved ? 'Verificado' : 'Verificação pendente'}
            </StatusBadge>
            <Tag>{roleWords[user.role]}</Tag>
          </p>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <input
          ref={input}
          type="file"
          accept={AVATAR_TYPES.join(',')}
          className="sr-only"
          aria-label="Escolher foto"
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
          icon={<Camera className="size-4" strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {user.avatar === '' ? 'Enviar foto' : 'Trocar foto'}
        </Button>
        {user.avatar !== '' && remove !== null && (
          <Button
            size="small"
            variant="quiet"
            sending={sending === 'remove'}
            sendingWord="Removendo"
            disabled={sending !== null}
            icon={<Trash2 className="size-4" strokeWidth={1.75} aria-hidden="true" />}
            onClick={() => void remove()}
          >
            Remover foto
          </Button>
        )}
      </div>
      <div aria-live="polite" className="text-xs">
        {problem === undefined ? (
          <p className="mt-1.5 text-muted">JPEG ou PNG de até 2 MB.</p>
        ) : (
          <p className="mt-1.5 flex items-start gap-1.5 font-medium text-error">
            <Glyph name="failed" className="mt-0.5 size-3" />
            {problem}
          </p>
        )}
      </div>
    </section>
  );
}
