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
  const takesCnpj = useSupports('cnpjKeys');
  const options = keyTypeOptions.filter(({ value }) => takesCnpj || value !== 'cnpj');
  const paste = (event: ClipboardEvent) => {
    const pasted = event.clipboardData.getData('text');
    const pastedType = [type, detectPixKeyType(pasted)].find(
      (candidate) =>
        options.some(({ value }) => value === candidate) &&
        candidate !== undefined &&
        canonicalKey(candidate, pasted) !== null,
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
          // The text is kept if it is also a valid key of the new type: eleven digits may be a CPF or a mobile number.
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
        maxLength={77}
        error={error}
        value={text}
        onInput={(event) => onTyped({ type, text: event.currentTarget.value })}
        onPaste={paste}
      />
    </div>
  );
}

const digit = /\d/;
const areaCode = ['(', digit, digit, ')', ' '];
const mobile = [...areaCode, digit, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const landline = [...areaCode, digit, digit, digit, digit, '-', digit, digit, digit, digit];
const foreignNumber = /^\+[\d\s().-]{0,24}$/;

/** A Brazilian number with its area code; a number that begins with + is left unmasked. */
const phone: MaskitoOptions = {
  mask: ({ value }) => {
    if (value.startsWith('+')) return foreignNumber;
    return value.replace(/\D/g, '').length > 10 ? mobile : landline;
  },
};

/** Accepts any text unchanged. */
const unmasked: MaskitoOptions = { mask: /^[\s\S]*$/ };

/** The input mask for each type of key. */
const keyMasks: Record<PixKeyType, MaskitoOptions> = {
  cpf: documentMasks.CPF,
  cnpj: documentMasks.CNPJ,
  phone,
  email: unmasked,
  random: unmasked,
};
