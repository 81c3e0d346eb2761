import { exportPersonalData } from '@jangada/contract';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { isCancelled, NotOffered } from '../../api/api-error.ts';
import { download } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { dayOf } from '../../format/date.ts';
import { usePassword } from '../../panel/confirm/use-password.tsx';
import { saveFile } from '../../panel/save-file.ts';
import { Button, SectionHeader, toastError } from '../../ui/index.ts';

/** Everything that is kept about the person, as a file (LGPD, art. 18). */
export function PersonalDataSection() {
  const [loading, setLoading] = useState(false);
  const [offered, setOffered] = useState(true);
  const { withPassword, dialog } = usePassword(
    'O arquivo traz tudo o que guardamos sobre você. Por isso pedimos a senha antes.',
  );
  if (!offered) return null;
  const take = async () => {
    setLoading(true);
    try {
      const file = await withPassword(() => download(exportPersonalData, {}));
      saveFile(file, `jangada-meus-dados-${dayOf(new Date())}.json`);
    } catch (error) {
      if (error instanceof NotOffered) setOffered(false);
      else if (!isCancelled(error))
        toastError(errorText(error, 'Não foi possível baixar seus dados. Tente novamente.'));
    } finally {
      setLoading(false);
    }
  };
  return (
    <section aria-labelledby="personal-data">
      <SectionHeader id="personal-data" title="Seus dados" />
      <p className="mt-1 text-muted">
        Tudo o que este gateway guarda sobre você, em um arquivo JSON, como a LGPD garante.
      </p>
      <Button
        className="mt-4"
        sending={loading}
        sendingWord="Baixando"
        icon={<Download className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        onClick={take}
      >
        Baixar meus dados
      </Button>
      {dialog}
    </section>
  );
}
