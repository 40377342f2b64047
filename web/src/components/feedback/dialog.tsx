import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import { Buttons } from '../layout/boxes.tsx'
import classes from './dialog.module.css'

type Props = {
  title: string
  children: ReactNode
  /** Called on Escape, the cross, or a click outside (unless `sticky`). */
  onClose: () => void
  /** Closes only by its own buttons, not by Escape or a click outside. */
  sticky?: boolean
  /** `sheet` slides up from the bottom edge of a phone; `wide` is for forms with several columns. */
  shape?: 'card' | 'wide' | 'sheet'
}

/**
 * A modal `<dialog>`: the browser traps the focus, closes it on Escape and restores the focus. Render it while it is
 * open. A field with `data-autofocus` gets the focus first. Mantine's drop-downs open in a portal, which lies behind
 * the dialog: give them `comboboxProps={{ withinPortal: false }}`.
 */
export function Dialog({ title, children, onClose, sticky = false, shape = 'card' }: Props) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Close before the element is removed: a detached dialog cannot restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Otherwise the browser focuses the first button, which is the cross.
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => element?.close()
  }, [])
  return (
    // The browser closes it on Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is the pointer's Escape
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes.dialog}
      data-shape={shape}
      onCancel={(event) => {
        // The parent removes it.
        event.preventDefault()
        if (!sticky) onClose()
      }}
      onClick={(event) => {
        if (!sticky && event.target === dialog.current) onClose()
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={titleId}>{title}</h2>
          {!sticky && (
            <IconButton className={classes.cross} aria-label={t('actions.close')} onClick={onClose}>
              <svg
                viewBox="0 0 24 24"
                width={20}
                height={20}
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                aria-hidden="true"
              >
                <path d="M6 6l12 12M18 6L6 18" strokeLinecap="round" />
              </svg>
            </IconButton>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** The buttons at the end of a dialog; the main action last. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <Buttons align="end" style={{ marginBlockStart: 24 }}>
      {children}
    </Buttons>
  )
}
