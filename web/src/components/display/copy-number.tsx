import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { copyText } from '../buttons/copy-text.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import { Mono } from '../layout/text.tsx'
import classes from './copy-number.module.css'

type Props = {
  /** The text that is copied. */
  value: string
  /** The text on the screen, e.g. in groups; defaults to the value. */
  text?: string
  size?: 'md' | 'lg'
}

/** A monospaced number with a copy button. */
export function CopyNumber({ value, text = value, size = 'md' }: Props) {
  const t = useT()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy(button: Element) {
    if (await copyText(value)) setCopied(true)
    // The number is selected for the user to copy.
    else if (button.previousSibling) getSelection()?.selectAllChildren(button.previousSibling)
  }

  return (
    <span className={classes.root} data-size={size}>
      <Mono>{text}</Mono>
      <IconButton
        style={{ color: 'var(--wb-dimmed)' }}
        aria-label={t('actions.copy', { what: value })}
        title={t('actions.copy', { what: value })}
        onClick={(event) => {
          // It may be inside a row or card that is a link.
          event.preventDefault()
          event.stopPropagation()
          void copy(event.currentTarget)
        }}
      >
        {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </IconButton>
      <span className="wb-hidden" role="status">
        {copied ? t('actions.copied') : ''}
      </span>
    </span>
  )
}
