const confirmationMs = 2_000;

/**
 * Turns the link to the code into a button that copies it. If the browser forbids copying, selects the code instead.
 */
export function offerCopying(): void {
  const link = document.querySelector<HTMLElement>('a[data-copy]');
  const voice = document.querySelector('[data-copy-voice]');
  const code = document.querySelector<HTMLElement>('[data-code] pre');
  if (!link || !voice || !code) return;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = link.className;
  button.append(...link.childNodes);
  const focused = document.activeElement === link;
  link.replaceWith(button);
  if (focused) button.focus();

  const words = button.querySelector('[data-copy-words]');
  const face = words?.textContent ?? '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (told: string, spoken: string) => {
    if (words) words.textContent = told;
    voice.textContent = spoken;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (words) words.textContent = face;
      voice.textContent = '';
    }, confirmationMs);
  };
  button.addEventListener('click', async () => {
    if (await copied(code)) tell('Código copiado', 'Código copiado. Cole no aplicativo do seu banco.');
    else tell('Copie o código selecionado', 'O código está selecionado. Copie com o seu aparelho.');
  });
}

async function copied(code: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(code.textContent ?? '');
    return true;
  } catch {
    // Without HTTPS, pages have no clipboard API.
    getSelection()?.selectAllChildren(code);
    return document.execCommand('copy');
  }
}
