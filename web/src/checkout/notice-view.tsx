import type { UnavailablePage } from '@jangada/contract';
import { Drawing } from '../ui/drawing.tsx';
import { CardPage, MessageCard } from './card-page.tsx';

/** A page with only a message, because what the payer asked for does not exist or cannot be served now. */
export function NoticeView({ about }: { about: UnavailablePage['about'] }) {
  const { title, sentence } = noticeTexts[about];
  const isOurFailure = about === 'failed' || about === 'too-many';
  return (
    <CardPage>
      <MessageCard drawing={<Drawing name={isOurFailure ? 'failed-to-load' : 'no-result'} />} title={title}>
        {sentence}
      </MessageCard>
    </CardPage>
  );
}

type NoticeText = { readonly title: string; readonly sentence: string };

const checkAddressSentence = 'Confira se o endereço está completo ou peça um novo a quem vai receber.';

/** The texts by what the page is about: something that was not found, or a failure. */
export const noticeTexts: Readonly<Record<UnavailablePage['about'], NoticeText>> = {
  'payment-unknown': { title: 'Cobrança não encontrada', sentence: checkAddressSentence },
  'receipt-unknown': {
    title: 'Comprovante não encontrado',
    sentence: 'Confira se o endereço está completo. O comprovante existe depois que o Pix é confirmado.',
  },
  'link-unknown': { title: 'Link não encontrado', sentence: checkAddressSentence },
  'customer-unknown': {
    title: 'Página não encontrada',
    sentence: 'Confira se o endereço está completo, ou peça o novo a quem cobra você.',
  },
  'code-unknown': { title: 'QR Code não encontrado', sentence: checkAddressSentence },
  'subscription-unknown': {
    title: 'Pedido de autorização não encontrado',
    sentence: 'Confira se o endereço está completo ou peça um novo a quem vai cobrar.',
  },
  unreadable: {
    title: 'Não deu para ler o que foi enviado',
    sentence: 'Nada foi cobrado. Abra o endereço de novo e preencha outra vez.',
  },
  'too-many': {
    title: 'Muitos acessos ao mesmo tempo',
    sentence: 'Aguarde um minuto e abra esta página de novo. Se você já pagou, o valor será reconhecido.',
  },
  failed: {
    title: 'Algo deu errado do nosso lado',
    sentence:
      'Tente de novo em alguns minutos. Se você já pagou, o valor será reconhecido: não pague outra vez.',
  },
};
