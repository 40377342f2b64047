import { useFormat } from '../../lib/format.ts'
import { getTone, Notice, Quiet } from '../layout/text.tsx'

/** The result of the latest scan: the number and what happened. */
export type ScanNews = { well: boolean; number: string; text: string }

/**
 * The result of a scan in colour and words, below the scan field. A dialog would receive the next scan's keys instead
 * of the field. `ready` is shown before the first scan.
 */
export function ScanNotice({ news, ready }: { news: ScanNews | null; ready: string }) {
  const format = useFormat()
  return (
    <Notice as="div" size="lg" tone={getTone(news?.well)} role="status">
      {news ? (
        <>
          <strong>{format.trackingNumber(news.number)}</strong>
          <span>{news.text}</span>
        </>
      ) : (
        <Quiet>{ready}</Quiet>
      )}
    </Notice>
  )
}
