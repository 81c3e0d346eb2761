import { Eye, EyeOff } from 'lucide-react';
import { IconButton } from '../../ui/index.ts';

type SecretWellProps = {
  /** The displayed text: the masked secret, or the secret itself. */
  text: string;
  /** The noun that the buttons use: "chave", "segredo". */
  name: string;
  isShown: boolean;
  onToggle: () => void;
  /** The copy button. */
  copy: React.ReactNode;
};

/**
 * A box (a well) with a secret, and buttons to show and copy the secret. When shown, the secret wraps over as many
 * lines as it needs.
 */
export function SecretWell({ text, name, isShown, onToggle, copy }: SecretWellProps) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className="flex min-h-10 items-center gap-1 rounded-field border border-base-300 bg-base-200 py-1 pr-1.5 pl-3">
      <code className="min-w-0 grow font-mono text-xs break-all">{text}</code>
      <IconButton
        size="small"
        className="text-muted"
        label={isShown ? `Esconder ${name}` : `Mostrar ${name}`}
        icon={<Icon className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={onToggle}
      />
      {copy}
    </div>
  );
}

/** Masks a secret except for its type prefix and last four characters. */
export function maskSecret(secret: string): string {
  const prefix = /^[a-z]+_/.exec(secret)?.[0] ?? '';
  return `${prefix}${'•'.repeat(8)}${secret.slice(-4)}`;
}
