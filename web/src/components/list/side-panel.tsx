import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import { Row } from '../layout/boxes.tsx'
import classes from './data-list.module.css'

type Props = {
  /** The accessible name, and the heading. */
  title: string
  /** Whether it takes the focus: it was opened by the keyboard. */
  focused: boolean
  onClose: () => void
  children: ReactNode
}

/** The details of one row next to the list. Escape closes it. */
export function SidePanel({ title, focused, onClose, children }: Props) {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (focused) heading.current?.focus({ preventScroll: true })
  }, [focused])
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    // A dialog, a menu or the search closes first.
    if (document.querySelector('dialog[open], [aria-modal="true"], :popover-open, [aria-expanded="true"]:focus')) return
    onClose()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onEscape(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
  return (
    <aside className={classes.panel} aria-label={title} data-side-panel>
      <Row justify="between" align="start" style={{ flexWrap: 'nowrap' }}>
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton aria-label={t('actions.close')} title={t('actions.close')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </Row>
      {children}
    </aside>
  )
}
