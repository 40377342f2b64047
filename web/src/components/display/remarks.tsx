import { IconMessage } from '@tabler/icons-react'
import { useT } from '../../lib/i18n.ts'
import { Notice } from '../layout/text.tsx'

/** The sender's remarks for the rider; renders nothing without remarks. */
export function Remarks({ text }: { text: string | null | undefined }) {
  const t = useT()
  if (!text) return null
  return (
    <Notice>
      <IconMessage size={18} stroke={1.75} aria-hidden />
      <span>
        {t('phrase.label', { label: t('fields.remarks') })}
        <strong>{text}</strong>
      </span>
    </Notice>
  )
}
