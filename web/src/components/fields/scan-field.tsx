import { Button } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { scannedNumbers } from '../../lib/scanned-numbers.ts'
import { useSession } from '../../lib/session.ts'
import classes from './scan-field.module.css'
import { useHeldFocus } from './use-held-focus.ts'

/** A scanner that ends with Enter and Tab sends the second one at once. */
const suffixMs = 100

type Props = {
  label: string
  /** What the button beside it says. */
  action: string
  /** One or more numbers. Whoever takes them must never make the field wait. */
  onScan: (numbers: readonly string[]) => void
  /** A short number instead of a scan: the choice with that position. False: there is none. */
  onChoice?: (position: number) => boolean
  /** False: something else has the keyboard, such as a form. */
  active?: boolean
  /** False: the page has a more important button now, such as the one that prints the receipt. */
  main?: boolean
}

/**
 * The one field for hand scanners. It never blocks: with Enter or Tab its text is taken and it is empty for the next
 * number. Numbers that have run together come apart, and what scanners put around a number is left out.
 */
export function ScanField({ label, action, onScan, onChoice, active = true, main = true }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const takenAt = useRef(Number.NEGATIVE_INFINITY)
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  useHeldFocus(field, active)

  function take() {
    const input = field.current
    const text = input?.value.trim() ?? ''
    if (!input || text === '') return
    input.value = ''
    takenAt.current = performance.now()
    if (onChoice && /^[\d０-９]{1,2}$/.test(text) && onChoice(Number(text.normalize('NFKC')))) return
    const numbers = scannedNumbers(text, prefix)
    if (numbers.length > 0) onScan(numbers)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Tab' || event.shiftKey) return
    const typed = event.currentTarget.value.trim() !== ''
    if (typed) take()
    if (typed || performance.now() - takenAt.current < suffixMs) event.preventDefault()
  }

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    take()
    if (active) field.current?.focus()
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      <div className={classes.row}>
        <input
          ref={field}
          id={id}
          className={classes.field}
          onKeyDown={onKeyDown}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          data-autofocus
        />
        <Button type="submit" variant={main ? 'filled' : 'default'} size="lg" className={classes.button}>
          {action}
        </Button>
      </div>
    </form>
  )
}
