import { ImageUp } from 'lucide-react';
import { PictureButtons } from './picture-buttons.tsx';
import { useLogo } from './use-brand.ts';

/** The logo's change: it is sent as it is chosen, like the picture of the account. */
export function LogoField({ logo }: { logo: string | null }) {
  return (
    <div>
      <p className="mb-1.5 font-label">Logotipo</p>
      <PictureButtons
        of={useLogo()}
        noun="logotipo"
        icon={<ImageUp className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        isSet={logo !== null}
        removable
        hint="JPEG ou PNG de até 2 MB. O fundo transparente fica branco."
      />
    </div>
  );
}
