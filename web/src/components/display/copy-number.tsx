import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './copy-number.module.css'

type Props = {
  /** What is copied. */
  value: string
  /** What is read, e.g. grouped; by default the value. */
  shown?: string
  size?: 'md' | 'lg'
}

/** A number that people read out: monospaced, with a button that copies it. */
export function CopyNumber({ value, shown = value, size = 'md' }: Props) {
  const t = useT()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    await navigator.clipboard.writeText(value)
    setCopied(true)
  }

  return (
    <span className={classes.root} data-size={size}>
      <span className={classes.number}>{shown}</span>
      <button
        type="button"
        className={classes.copy}
        aria-label={t('actions.copy', { what: value })}
        title={t('actions.copy', { what: value })}
        onClick={(event) => {
          // Inside a row or card that is a link of its own.
          event.preventDefault()
          event.stopPropagation()
          void copy()
        }}
      >
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </button>
      <span className="wb-hidden" role="status">
        {copied ? t('actions.copied') : ''}
      </span>
    </span>
  )
}
