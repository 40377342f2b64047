import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './dialog.module.css'

type Props = {
  title: string
  children: ReactNode
  /** By Escape, the cross or (unless `sticky`) a click outside. */
  onClose: () => void
  /** Can only be left by its own buttons. */
  sticky?: boolean
  /** `sheet`: from the bottom edge, for a phone; `wide` for forms of several columns. */
  shape?: 'card' | 'wide' | 'sheet'
}

/**
 * A dialog over the page, the browser's own: it holds the focus, closes on Escape and gives the focus back. Render it
 * while it is open. A field with `data-autofocus` has the focus first. Drop-downs of the kit open in a portal, which
 * lies below it: give them `comboboxProps={{ withinPortal: false }}`.
 */
export function Dialog({ title, children, onClose, sticky = false, shape = 'card' }: Props) {
  const t = useT()
  const titleId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the element goes: a dialog that is out of the page can give no focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser begins at the first thing that can be pressed, which is the cross.
    element?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    return () => element?.close()
  }, [])
  return (
    // The keyboard closes it by Escape, which the browser sees to.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is the pointer's Escape
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      className={classes.dialog}
      data-shape={shape}
      onCancel={(event) => {
        // The parent decides when it is gone.
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
            <button type="button" className={classes.cross} aria-label={t('actions.close')} onClick={onClose}>
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
            </button>
          )}
        </div>
        {children}
      </div>
    </dialog>
  )
}

/** The buttons at the end of a dialog, the main one last. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={classes.foot}>{children}</div>
}
