import { IconMessage } from '@tabler/icons-react'
import { useT } from '../lib/i18n.ts'
import classes from './remarks.module.css'

/** What the sender wrote for the rider at an address; nothing where they wrote nothing. */
export function Remarks({ text }: { text: string | null | undefined }) {
  const t = useT()
  if (!text) return null
  return (
    <p className={classes.remarks}>
      <IconMessage size={18} stroke={1.75} aria-hidden />
      <span>{t('fields.remarks')}</span>
      <strong>{text}</strong>
    </p>
  )
}
