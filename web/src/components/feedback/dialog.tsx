import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../lib/i18n.ts'
import { blockBack } from '../../lib/input/top-dialog.ts'
import { IconButton } from '../buttons/plain-button.tsx'
import { Buttons } from '../layout/boxes.tsx'
import classes from './dialog.module.css'

type Props = {
  title: string
  children: ReactNode
  /** Called on Escape, Back, the close button, or a click outside, which does not close a form. */
  onClose: () => void
  /** Stays open on Escape, on Back and on a click outside. */
  sticky?: boolean
  /** Whether it has a close button; by default, unless it is sticky. */
  cross?: boolean
  /** A warning that a screen reader reads out at once, with its text. */
  alert?: boolean
  /** `sheet` slides up from the bottom edge of a phone; `wide` is for forms with several columns. */
  shape?: 'card' | 'wide' | 'sheet'
}

/** Elements that may need the user's action, in the order in which they get the focus. */
const tasks = [
  '[data-autofocus]',
  'input:not([type="hidden"], [type="file"], :disabled), select:not(:disabled), textarea',
  '[data-dialog-body] :is(a[href], button:not(:disabled))',
]

/** Focuses the first of these. Otherwise the browser would focus the first button, which is the close button. */
function focusFirstTask(dialog: HTMLDialogElement): void {
  for (const selector of tasks) {
    const elements = [...dialog.querySelectorAll<HTMLElement>(selector)].filter((element) => element.checkVisibility())
    const checkedRadios = elements.filter((element) => element.matches(':checked[type="radio"]'))
    const isAnswered = (element: HTMLElement) =>
      element.matches('[type="radio"]') &&
      checkedRadios.some((radio) => radio.getAttribute('name') === element.getAttribute('name'))
    // A choice that is already made needs no action, unless there is nothing else.
    const task = elements.find((element) => !isAnswered(element)) ?? checkedRadios[0]
    if (task) {
      task.focus()
      return
    }
  }
}

/**
 * A modal `<dialog>`: the browser traps the focus, closes it on Escape and restores the focus. Back does the same as
 * Escape. Render it while it is open. A field with `data-autofocus` gets the focus first, or else the first field, or
 * the first button below the title. It is outside the page's content, so that it does not inherit the styles of a
 * table's row or a coloured part.
 * Mantine's drop-downs open in a portal, which lies behind the dialog: give them
 * `comboboxProps={{ withinPortal: false }}`.
 */
export function Dialog({
  title,
  children,
  onClose,
  sticky = false,
  cross = !sticky,
  alert = false,
  shape = 'card',
}: Props) {
  const t = useT()
  const titleId = useId()
  const bodyId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  // Close before the element is removed: a detached dialog cannot restore the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    if (element) focusFirstTask(element)
    return () => element?.close()
  }, [])
  const { history } = useRouter()
  useEffect(() => history.block({ blockerFn: blockBack, enableBeforeUnload: false }), [history])
  return createPortal(
    // The browser closes it on Escape.
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click outside is the pointer's equivalent of Escape
    <dialog
      ref={dialog}
      {...(alert && { role: 'alertdialog', 'aria-describedby': bodyId })}
      aria-labelledby={titleId}
      className={classes.dialog}
      data-shape={shape}
      onCancel={(event) => {
        // Not the event of a file picker or a dialog inside it.
        if (event.target !== event.currentTarget) return
        // The parent removes it from the page.
        event.preventDefault()
        if (!sticky) onClose()
      }}
      onClose={({ target, currentTarget }) => {
        // Chromium closes it at the second Escape in a row, which would hide a form that is still being edited.
        if (target === currentTarget && currentTarget.isConnected && !currentTarget.open) currentTarget.showModal()
      }}
      onClick={(event) => {
        // A click beside a form must not lose what was typed.
        const isOutside = event.target === dialog.current
        if (!sticky && isOutside && !event.currentTarget.querySelector('form')) onClose()
      }}
    >
      <div className={classes.content}>
        <div className={classes.head}>
          <h2 id={titleId}>{keepNumbers(title)}</h2>
          {cross && (
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
        <div id={bodyId} data-dialog-body>
          {children}
        </div>
      </div>
    </dialog>,
    document.body,
  )
}

/** A number, or a group of its digits, stays on the line of what is before it. */
const keepNumbers = (text: string): string => text.replace(/ (?=\d)/g, '\u00a0')

/** The buttons at the end of a dialog, visible while it scrolls; the main action last. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return (
    <Buttons align="end" className={classes.foot}>
      {children}
    </Buttons>
  )
}
