import { Search } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { TextField } from '../ui/index.ts';

/** How long the user must stop typing before the search starts. */
const TYPING_PAUSE_MS = 350;

type SearchFieldProps = {
  /** The current search, kept in the URL. */
  search: string;
  onSearch: (search: string) => void;
  /** The accessible name, which says what is searched. */
  label: string;
  placeholder?: string;
  maxLength: number;
  /** The class for the field's width in windows from 768 px. */
  width?: string;
};

/** A search field. The search starts when typing pauses, or immediately on Enter. */
export function SearchField(props: SearchFieldProps) {
  const { search, onSearch, label, placeholder = 'Buscar', maxLength, width = 'md:w-56' } = props;
  const [typed, setTyped] = useState(search);
  const [previousSearch, setPreviousSearch] = useState(search);
  // The field follows the search in the URL when that is changed by other means (Back, "Limpar filtros"). The state is
  // set during render, so that the earlier text is never shown.
  if (previousSearch !== search) {
    setPreviousSearch(search);
    setTyped(search);
  }
  useEffect(() => {
    if (typed.trim() === search) return;
    const timer = setTimeout(() => onSearch(typed.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, search, onSearch]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <search className={`min-w-0 ${width}`}>
      <form onSubmit={submit}>
        <TextField
          type="search"
          label={label}
          labelHidden
          look="line"
          placeholder={placeholder}
          maxLength={maxLength}
          spellCheck={false}
          autoCapitalize="none"
          fieldClassName="md:h-9"
          before={<Search className="size-4 shrink-0 text-muted" strokeWidth={1.75} aria-hidden="true" />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}
