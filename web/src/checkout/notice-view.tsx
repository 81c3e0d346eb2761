import type { NoticePage } from '@jangada/contract';
import { Drawing } from '../ui/drawing.tsx';
import { CardPage, MessageCard } from './card-page.tsx';
import { notices } from './notices.ts';

export function NoticeView({ about }: { about: NoticePage['about'] }) {
  const { title, sentence } = notices[about];
  const broken = about === 'failed' || about === 'too-many';
  return (
    <CardPage>
      <MessageCard drawing={<Drawing name={broken ? 'failed-to-load' : 'no-result'} />} title={title}>
        {sentence}
      </MessageCard>
    </CardPage>
  );
}
