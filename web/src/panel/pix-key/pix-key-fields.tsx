import { detectPixKeyType, type PixKeyType } from '@jangada/pix';
import type { MaskitoOptions } from '@maskito/core';
import type { ClipboardEvent, Ref } from 'react';
import { useSupports } from '../../api/provider.ts';
import { documentMasks } from '../../format/document-mask.ts';
import { MaskedField, SelectField } from '../../ui/index.ts';
import { canonicalKey, displayPixKey, keyTypeOptions } from './pix-key.ts';

/** A Pix key as typed, not yet validated. */
export type TypedKey = { readonly type: PixKeyType; readonly text: string };

/** The fields before anything is typed. */
export const emptyPixKey: TypedKey = { type: 'cpf', text: '' };

const inputProps: Record<
  PixKeyType,
  { inputMode: 'numeric' | 'text' | 'tel' | 'email'; placeholder: string }
> = {
  cpf: { inputMode: 'numeric', placeholder: '000.000.000-00' },
  cnpj: { inputMode: 'text', placeholder: '00.000.000/0000-00' },
  email: { inputMode: 'email', placeholder: 'nome@exemplo.com.br' },
  phone: { inputMode: 'tel', placeholder: '(00) 00000-0000' },
  random: { inputMode: 'text', placeholder: '00000000-0000-0000-0000-000000000000' },
};

type PixKeyFieldsProps = {
  /** The current content of both fields. */
  typed: TypedKey;
  onTyped: (typed: TypedKey) => void;
  error: string | undefined;
  /** A ref to the key's input. */
  ref?: Ref<HTMLInputElement>;
};

/**
 * Two fields for a Pix key: the type, and the key with the mask of its type. Pasting a key of another type switches the
 * type.
 */
export function PixKeyFields({ typed, onTyped, error, ref = null }: PixKeyFieldsProps) {
  const { type, text } = typed;
  const supportsCnpjKeys = useSupports('cnpjKeys');
  // Another provider's gateway may not accept keys that are a CNPJ.
  const options = keyTypeOptions.filter(({ value }) => supportsCnpjKeys || value !== 'cnpj');
  /** True when a text is a valid key of a type that can be selected. */
  const isSelectableKey = (keyType: PixKeyType, keyText: string) =>
    options.some(({ value }) => value === keyType) && canonicalKey(keyType, keyText) !== null;
  /** Replaces both fields if the pasted text is a valid key. Any other text is pasted as usual. */
  const fillFromPaste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    // The selected type comes first, because eleven digits may be a CPF or a mobile number.
    const pastedType = [type, detectPixKeyType(pasted)].find(
      (candidate) => candidate !== undefined && isSelectableKey(candidate, pasted),
    );
    if (pastedType === undefined) return;
    event.preventDefault();
    onTyped({ type: pastedType, text: displayPixKey(pastedType, pasted) });
  };
  return (
    <div className="grid gap-x-3 gap-y-5 md:grid-cols-[12rem_minmax(0,1fr)]">
      <SelectField
        label="Tipo de chave"
        name="pix_key_type"
        options={options}
        value={type}
        onChange={(event) => {
          const selected = keyTypeOptions.find(({ value }) => value === event.currentTarget.value);
          const newType = selected?.value ?? type;
          // A text that is also a valid key of the new type is kept, as eleven digits may be.
          const isValid = canonicalKey(newType, text) !== null;
          onTyped({ type: newType, text: isValid ? displayPixKey(newType, text) : '' });
        }}
      />
      <MaskedField
        // Each type has an input of its own, so that the mask of one type never changes the text of another.
        key={type}
        ref={ref}
        label="Chave PIX"
        name="pix_key"
        mask={keyMasks[type]}
        {...inputProps[type]}
        autoCapitalize="none"
        // The longest key in the directory of Pix keys (DICT), an e-mail address, has 77 characters.
        maxLength={77}
        error={error}
        value={text}
        onInput={(event) => onTyped({ type, text: event.currentTarget.value })}
        onPaste={fillFromPaste}
      />
    </div>
  );
}

const digit = /\d/;
const areaCodeMask = ['(', digit, digit, ')', ' '];
const mobileMask = [...areaCodeMask, digit, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const landlineMask = [...areaCodeMask, digit, digit, digit, digit, '-', digit, digit, digit, digit];
/** A foreign number begins with +. Its grouping differs by country, so none is imposed. */
const foreignPhoneMask = /^\+[\d\s().-]{0,24}$/;

/** Chooses the mask by what is typed: up to ten digits are a landline number, eleven a mobile number. */
const phoneMask: MaskitoOptions = {
  mask: ({ value }) => {
    if (value.startsWith('+')) return foreignPhoneMask;
    return value.replace(/\D/g, '').length > 10 ? mobileMask : landlineMask;
  },
};

/** Accepts any text unchanged. */
const unmasked: MaskitoOptions = { mask: /^[\s\S]*$/ };

/** The input mask for each type of key. */
const keyMasks: Record<PixKeyType, MaskitoOptions> = {
  cpf: documentMasks.CPF,
  cnpj: documentMasks.CNPJ,
  phone: phoneMask,
  email: unmasked,
  random: unmasked,
};
