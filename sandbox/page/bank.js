const SERVER_GONE = 'O banco não respondeu. Tente de novo.';

/** Sends JSON to the bank and returns its response, or throws an Error whose message can be shown on the page. */
async function send(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(SERVER_GONE);
  });
  const result = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(result.error?.message ?? SERVER_GONE);
  return result;
}

/** Reads the amount in a money field, such as `1.234,56`, in cents. */
function readCents(field) {
  return Number(field.value.replace(/\D/g, ''));
}

/** Formats a money field while the payer types: the digits typed so far are cents. */
function fillFromCents(field) {
  const cents = Math.min(readCents(field), 9_999_999_999);
  field.value = cents === 0 ? '' : (cents / 100).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
}

/** Makes the payment form pay, and then open the receipt. */
function startPayment(form) {
  const error = form.querySelector('[data-pay-error]');
  const button = form.querySelector('button[type=submit]');
  const amount = form.querySelector('[data-amount]');
  const amountError = form.querySelector('[data-amount-error]');
  const showAmountError = (text) => {
    amountError.textContent = text;
    amount.setAttribute('aria-invalid', String(text !== ''));
  };
  amount?.addEventListener('input', () => {
    fillFromCents(amount);
    error.textContent = '';
    showAmountError('');
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    if (amount && readCents(amount) === 0) {
      showAmountError('Digite quanto quer pagar.');
      amount.focus();
      return;
    }
    button.disabled = true;
    try {
      const enteredAmount = amount ? { amount: readCents(amount) / 100 } : {};
      if (form.elements.approve?.checked) {
        const { idRec } = await send('POST', '/sandbox/recs', {
          brCode: form.dataset.code,
          ...readMaximum(form),
        });
        location.assign(`/autorizacoes/${idRec}`);
        return;
      }
      const paid = await send('POST', '/sandbox/payments', { brCode: form.dataset.code, ...enteredAmount });
      location.assign(`/comprovante/${paid.endToEndId}`);
    } catch (failure) {
      error.textContent = failure.message;
      button.disabled = false;
    }
  });
}

/** Reads the payer's maximum for each debit; nothing if the field is empty or not there. */
function readMaximum(form) {
  const field = form.elements.maximum;
  const cents = field ? readCents(field) : 0;
  return cents === 0 ? {} : { maximum: cents / 100 };
}

/** Formats the field of the maximum while the payer types. */
function startMaximum(field) {
  field.addEventListener('input', () => fillFromCents(field));
}

/** Makes the form of a code with a mandate approve it, and then show it. */
function startApproval(form) {
  const error = form.querySelector('[data-approve-error]');
  const button = form.querySelector('button[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    button.disabled = true;
    try {
      const { idRec } = await send('POST', '/sandbox/recs', {
        brCode: form.dataset.code,
        ...readMaximum(form),
      });
      location.assign(`/autorizacoes/${idRec}`);
    } catch (failure) {
      error.textContent = failure.message;
      button.disabled = false;
    }
  });
}

/** Makes a mandate's page answer its request, save its settings, and cancel it or one of its debits. */
function startMandate(section) {
  const error = section.querySelector('[data-mandate-error]');
  const path = `/sandbox/recs/${section.dataset.mandate}`;
  const change = async (method, url, body) => {
    error.textContent = '';
    try {
      await send(method, url, body);
      location.reload();
    } catch (failure) {
      error.textContent = failure.message;
    }
  };
  const answer = section.querySelector('[data-answer]');
  answer?.addEventListener('submit', (event) => {
    event.preventDefault();
    change('POST', `${path}/answer`, { accepted: true, ...readMaximum(answer) });
  });
  section
    .querySelector('[data-reject]')
    ?.addEventListener('click', () => change('POST', `${path}/answer`, { accepted: false }));
  const settings = section.querySelector('[data-settings]');
  settings?.addEventListener('submit', (event) => {
    event.preventDefault();
    const { maximum, funds, account } = settings.elements;
    change('PUT', `${path}/debits`, {
      ...(maximum && { maximum: readMaximum(settings).maximum ?? null }),
      funds: JSON.parse(funds.value),
      account: account.value,
    });
  });
  for (const button of section.querySelectorAll('[data-cancel]')) {
    button.addEventListener('click', () =>
      change('POST', `${path}/cancellation`, { by: button.dataset.cancel }),
    );
  }
  for (const button of section.querySelectorAll('[data-cancel-charge]')) {
    button.addEventListener('click', () =>
      change('POST', `/sandbox/cobrs/${button.dataset.cancelCharge}/cancellation`, {}),
    );
  }
}

/** Makes the form that contests a payment open a dispute. */
function startContest(form) {
  const error = form.querySelector('[data-contest-error]');
  const button = form.querySelector('button[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    button.disabled = true;
    const endToEndId = form.dataset.contest;
    const { reason, comment } = form.elements;
    try {
      await send('POST', '/sandbox/disputes', { endToEndId, reason: reason.value, comment: comment.value });
      location.assign(`/comprovante/${endToEndId}`);
    } catch (failure) {
      error.textContent = failure.message;
      button.disabled = false;
    }
  });
}

/** The body of the call for each button that decides a dispute. */
const RESOLUTIONS = {
  accepted: { accepted: true },
  rejected: { accepted: false },
  cancelled: { cancelled: true },
};

/** Makes the buttons of a dispute decide the dispute, which at a real bank is done by the bank. */
function startResolving(section) {
  const error = section.querySelector('[data-resolve-error]');
  for (const button of section.querySelectorAll('[data-resolve]')) {
    button.addEventListener('click', async () => {
      error.textContent = '';
      try {
        const path = `/sandbox/disputes/${section.dataset.dispute}/resolution`;
        await send('POST', path, RESOLUTIONS[button.dataset.resolve]);
        location.reload();
      } catch (failure) {
        error.textContent = failure.message;
      }
    });
  }
}

/** Returns the text of the QR code in a picture, which is first reduced to at most 1600 pixels a side. */
async function readPicture(file) {
  const { default: decodeQR } = await import('/assets/qr/decode.js');
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, 1600 / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
}

/** Makes the form of a code accept a picture of a QR code: the text of the QR code is filled in and sent. */
function startReading(form) {
  const error = form.querySelector('[data-code-error]');
  form.querySelector('[data-picture]').addEventListener('change', async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    error.textContent = '';
    try {
      form.elements.codigo.value = await readPicture(file);
      form.requestSubmit();
    } catch {
      error.textContent = 'Não achamos um QR Code nesta foto.';
      event.target.value = '';
    }
  });
}

/** Makes the behaviour page save each changed setting of its account, and move the bank's clock. */
function startBehaviour(section) {
  const saved = section.querySelector('[data-saved]');
  const save = async (change, reload) => {
    try {
      await send('PUT', `/sandbox/behaviour?account=${section.dataset.account}`, change);
      saved.textContent = 'Salvo.';
      if (reload) location.reload();
    } catch (failure) {
      saved.textContent = failure.message;
    }
  };
  for (const field of section.querySelectorAll(':is(select, input):not(form *)')) {
    field.addEventListener('change', () =>
      save({ [field.name]: field.type === 'number' ? Number(field.value) : field.value }),
    );
  }
  section
    .querySelector('[data-reset]')
    .addEventListener('click', () => save(JSON.parse(section.dataset.normal), true));
  for (const button of section.querySelectorAll('[data-advance]')) {
    button.addEventListener('click', async () => {
      try {
        await send('POST', '/sandbox/clock', { advanceSeconds: Number(button.dataset.advance) });
        location.reload();
      } catch (failure) {
        saved.textContent = failure.message;
      }
    });
  }
}

/** Makes the form of a new account open it, and then show it. */
function startOpening(form) {
  const error = form.querySelector('[data-open-error]');
  const button = form.querySelector('button[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    error.textContent = '';
    button.disabled = true;
    const [name, cnpj, city, key, days] = ['name', 'document', 'city', 'key', 'certificateDays'].map(
      (field) => (form.elements[field]?.value ?? '').trim(),
    );
    const account = {
      name,
      document: cnpj.replace(/[^\da-z]/gi, '').toUpperCase(),
      city,
      ...(key !== '' && { key }),
      ...(days !== '' && { certificateDays: Number(days) }),
    };
    try {
      const { id } = await send('POST', '/sandbox/accounts', account);
      location.assign(`/contas?account=${id}#conta-${id}`);
    } catch (failure) {
      error.textContent = failure.message;
      button.disabled = false;
    }
  });
}

/** Makes the buttons of an account copy the values beside them. */
function startCopying(section) {
  const copied = section.querySelector('[data-copied]');
  for (const button of section.querySelectorAll('[data-copy]')) {
    const value = button.parentElement.querySelector('[data-value]');
    button.hidden = false;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(value.textContent);
        copied.textContent = `${button.dataset.copy}: copiado.`;
      } catch {
        // Browsers offer the clipboard only at https addresses and on this machine.
        getSelection().selectAllChildren(value);
        copied.textContent = `${button.dataset.copy}: selecionado, copie com o teclado.`;
      }
    });
  }
}

for (const form of document.querySelectorAll('[data-pay]')) startPayment(form);
for (const form of document.querySelectorAll('[data-approve]')) startApproval(form);
for (const section of document.querySelectorAll('[data-mandate]')) startMandate(section);
for (const field of document.querySelectorAll('#maximum')) startMaximum(field);
for (const form of document.querySelectorAll('[data-code-form]')) startReading(form);
for (const form of document.querySelectorAll('[data-contest]')) startContest(form);
for (const section of document.querySelectorAll('[data-dispute]')) startResolving(section);
for (const section of document.querySelectorAll('[data-behaviour]')) startBehaviour(section);
for (const form of document.querySelectorAll('[data-open-account]')) startOpening(form);
for (const section of document.querySelectorAll('[data-access]')) startCopying(section);
