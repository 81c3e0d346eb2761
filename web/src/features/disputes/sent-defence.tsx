import { type DisputeDetailModel, getDisputeFile } from '@jangada/contract';
import { call } from '../../api/client.ts';
import { formatDateAtTime } from '../../format/date.ts';
import { DefenceFileRow } from '../../panel/dispute/dispute-parts.tsx';
import { SectionHeader } from '../../ui/index.ts';

/** The defence against a dispute as the merchant sent it, with its files. */
export function SentDefence({ dispute }: { dispute: DisputeDetailModel }) {
  return (
    <section aria-labelledby="defence">
      <SectionHeader id="defence" title="Sua defesa" />
      <p className="text-muted">Enviada em {formatDateAtTime(dispute.defendedAt)}.</p>
      {dispute.defence !== null && (
        <p className="mt-3 rounded-box border border-base-300 bg-base-200 p-4 wrap-anywhere whitespace-pre-wrap">
          {dispute.defence}
        </p>
      )}
      {dispute.files.length > 0 && (
        <ul
          className="mt-3 divide-y divide-base-300 border-y border-base-300"
          aria-label="Arquivos da defesa"
        >
          {dispute.files.map((file) => (
            <DefenceFileRow
              key={file.id}
              file={file}
              load={() => call(getDisputeFile, { params: { id: dispute.id, fileId: file.id } })}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
