import type { LegalKind } from '@waybill/contract/legal/legal'
import { Note } from '../../../components/layout/text.tsx'
import { useT } from '../../../lib/i18n.ts'

/** Links to the texts that the user accepts here. They open in a new tab, so that the form's input is kept. */
export function LegalLinks({ lead, kinds }: { lead: string; kinds: readonly LegalKind[] }) {
  const t = useT()
  return (
    <Note>
      {lead}
      {kinds.map((kind, index) => (
        <span key={kind}>
          {index === 0 ? ' ' : ' · '}
          <a href={`/public/${kind}`} target="_blank" rel="noopener">
            {t(`legal.${kind}`)}
          </a>
        </span>
      ))}
    </Note>
  )
}
