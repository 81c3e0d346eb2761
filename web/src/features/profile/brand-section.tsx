import type { Brand, UserModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ImageUp } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError, UnsupportedCallError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import {
  Button,
  classNames,
  LoadingRegion,
  Notice,
  SectionHeader,
  Skeleton,
  TextField,
  toast,
} from '../../ui/index.ts';
import { BrandPreview } from './brand-preview.tsx';
import { PictureButtons } from './picture-buttons.tsx';
import {
  type BrandProblems,
  bodyOf,
  brandQuery,
  colourFrom,
  draftOf,
  problemsOf,
  saveBrand,
  useLogo,
} from './use-brand.ts';

/**
 * The merchant's brand (name, colour, logo) on the pages that payers open. Renders nothing when the provider, the
 * gateway behind the dashboard, has no such setting.
 */
export function BrandSection({ user }: { user: UserModel }) {
  const brand = useQuery(brandQuery);
  if (brand.error instanceof UnsupportedCallError) return null;
  return (
    <section aria-labelledby="brand">
      <SectionHeader id="brand" title="Página de pagamento" />
      <p className="mt-1 text-muted">
        Seu nome, seu logotipo e sua cor nas páginas que os pagadores abrem: cobranças, links, QR Codes do
        balcão e comprovantes.
      </p>
      {brand.data === undefined ? (
        <BrandNotLoaded query={brand} />
      ) : (
        <BrandForm brand={brand.data} user={user} />
      )}
    </section>
  );
}

type BrandQuery = { isError: boolean; isFetching: boolean; error: unknown; refetch: () => unknown };

function BrandNotLoaded({ query }: { query: BrandQuery }): ReactNode {
  return query.isError ? (
    <div role="alert" className="mt-4 flex flex-wrap items-center gap-3">
      <p className="text-error">{errorText(query.error, 'Erro ao buscar a página de pagamento.')}</p>
      <Button size="small" isSending={query.isFetching} onClick={() => query.refetch()}>
        Tentar Novamente
      </Button>
    </div>
  ) : (
    <LoadingRegion>
      <Skeleton className="mt-4 h-56 w-full rounded-box" />
      <Skeleton className="mt-5 h-10 w-full" />
      <Skeleton className="mt-5 h-10 w-full" />
    </LoadingRegion>
  );
}

const SAVE_FAILED = 'Erro ao salvar a página de pagamento. Tente novamente.';

function BrandForm({ brand, user }: { brand: Brand; user: UserModel }) {
  const form = useBrandForm(brand);
  return (
    <div className="mt-4 grid gap-5">
      <BrandPreview
        user={user}
        name={form.draft.name}
        colour={colourFrom(form.draft.colour) ?? null}
        logo={brand.logo}
      />
      <LogoField logo={brand.logo} />
      <form noValidate onSubmit={form.save} className="grid grid-cols-1 gap-5">
        {form.failure !== undefined && <Notice tone="error">{form.failure}</Notice>}
        <TextField
          label="Nome de exibição"
          hint="Em branco, vale o nome da conta. O documento aparece sempre."
          placeholder={user.name}
          autoComplete="organization"
          maxLength={60}
          value={form.draft.name}
          error={form.problems.name}
          onChange={(event) => form.change({ name: event.currentTarget.value })}
        />
        <ColourField
          colour={form.draft.colour}
          error={form.problems.colour}
          onColour={(colour) => form.change({ colour })}
        />
        <Button
          type="submit"
          variant="primary"
          className="justify-self-start max-md:w-full"
          disabled={!form.isEdited}
          isSending={form.isSending}
          sendingLabel="Salvando"
        >
          Salvar
        </Button>
      </form>
    </div>
  );
}

function useBrandForm(brand: Brand) {
  const [draft, setDraft] = useState(() => draftOf(brand));
  const [problems, setProblems] = useState<BrandProblems>({});
  const [failure, setFailure] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const isEdited = JSON.stringify(draft) !== JSON.stringify(draftOf(brand));
  const change = (changedFields: Partial<typeof draft>) => {
    setDraft((previous) => ({ ...previous, ...changedFields }));
    // Editing a field clears its error until the next save.
    setProblems((shown) =>
      Object.fromEntries(Object.entries(shown).filter(([field]) => !(field in changedFields))),
    );
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const newProblems = problemsOf(draft);
    setProblems(newProblems);
    if (Object.keys(newProblems).length > 0) return;
    setIsSending(true);
    try {
      const saved = draftOf(await saveBrand(bodyOf(draft)));
      // If the user kept typing while the draft was being saved, the newer input stays.
      setDraft((current) => (current === draft ? saved : current));
      toast('Página de pagamento salva');
    } catch (error) {
      const text = errorText(error, SAVE_FAILED);
      // The colour was checked before, so an invalid body can only be about the name.
      if (error instanceof ApiError && error.code === 'INVALID_BODY') setProblems({ name: text });
      else setFailure(text);
    } finally {
      setIsSending(false);
    }
  };

  return { draft, problems, failure, isSending, isEdited, change, save };
}

/** The suggested colours; the empty one stands for the default colours. */
const suggestedColours = [
  { colour: '', name: 'Cor da casa' },
  { colour: '#0c597d', name: 'Azul' },
  { colour: '#165b38', name: 'Verde' },
  { colour: '#a92324', name: 'Vermelho' },
  { colour: '#b45309', name: 'Laranja' },
  { colour: '#6d28d9', name: 'Roxo' },
  { colour: '#facc15', name: 'Amarelo' },
] as const;

type ColourFieldProps = { colour: string; error: string | undefined; onColour: (colour: string) => void };

/** The field for the brand colour: typed, picked in the browser's picker, or one of the suggestions. */
function ColourField({ colour, error, onColour }: ColourFieldProps) {
  const validColour = colourFrom(colour);
  const selected = colour.trim() === '' ? '' : validColour;
  return (
    <div>
      <TextField
        label="Cor"
        hint="Do botão e do quadro com as iniciais. O texto sobre ela fica branco ou preto, o que se ler melhor."
        placeholder="#1a2b3c"
        spellCheck={false}
        autoCapitalize="none"
        autoComplete="off"
        maxLength={7}
        fieldClassName="tabular-nums"
        value={colour}
        error={error}
        onChange={(event) => onColour(event.currentTarget.value)}
        after={
          <input
            type="color"
            aria-label="Escolher a cor"
            className="-mr-1.5 h-7 w-10 shrink-0 cursor-pointer rounded-field"
            // The picker cannot be empty; without a valid colour it shows the first suggestion.
            value={validColour ?? '#0c597d'}
            onChange={(event) => onColour(event.currentTarget.value)}
          />
        }
      />
      <fieldset className="mt-2 flex flex-wrap gap-1">
        <legend className="sr-only">Sugestões de cor</legend>
        {suggestedColours.map((suggestion) => (
          <button
            key={suggestion.name}
            type="button"
            aria-label={suggestion.name}
            title={suggestion.name}
            aria-pressed={suggestion.colour === selected}
            className="group grid size-11 place-items-center rounded-field md:size-9"
            onClick={() => onColour(suggestion.colour)}
          >
            <span
              className={classNames(
                'size-7 rounded-field border border-base-300 outline-offset-2 outline-base-content group-aria-pressed:outline-2',
                suggestion.colour === '' && 'bg-base-content',
              )}
              style={suggestion.colour === '' ? undefined : { backgroundColor: suggestion.colour }}
            />
          </button>
        ))}
      </fieldset>
    </div>
  );
}

/** Changes the logo. A chosen file is uploaded at once. */
function LogoField({ logo }: { logo: string | null }) {
  return (
    <div>
      <p className="mb-1.5 font-label">Logotipo</p>
      <PictureButtons
        picture={useLogo()}
        noun="logotipo"
        icon={<ImageUp className="size-4" strokeWidth={1.75} aria-hidden="true" />}
        isSet={logo !== null}
        isRemovable
        hint="JPEG ou PNG de até 2 MB. O fundo transparente fica branco."
      />
    </div>
  );
}
