import { Button } from '@mantine/core'
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useId, useRef } from 'react'
import { scannedNumbers } from '../../lib/input/scanned-numbers.ts'
import { useSession } from '../../lib/session.ts'
import { Row } from '../layout/boxes.tsx'
import { Quiet } from '../layout/text.tsx'
import classes from './scan-field.module.css'
import { useHeldFocus } from './use-held-focus.ts'

/** A scanner that ends with Enter and Tab sends both within this time. */
const suffixMs = 100

type Props = {
  label: string
  /** A hint below the label. */
  help?: string
  /** The text of the button beside the field. */
  action: string
  /** Called with one or more numbers. It must return at once, so that the next scan is not lost. */
  onScan: (numbers: readonly string[]) => void
  /** Called with a short number, which selects the option at that position. Returns false if there is none. */
  onChoice?: (position: number) => boolean
  /** False while another element needs the keyboard, such as a form. */
  active?: boolean
  /** False while another button is the main action, such as printing the receipt. */
  main?: boolean
  /** False where people press many buttons on a phone: its keyboard would open each time. Keys still come here. */
  holdsFocus?: boolean
}

/**
 * The field for hand scanners. It never blocks: Enter or Tab takes the text and clears the field for the next scan.
 * Concatenated numbers are split, a scanner's prefixes and suffixes are removed, and a pasted list is taken at once.
 */
export function ScanField({
  label,
  help,
  action,
  onScan,
  onChoice,
  active = true,
  main = true,
  holdsFocus = true,
}: Props) {
  const id = useId()
  const helpId = useId()
  const field = useRef<HTMLInputElement>(null)
  const takenAt = useRef(Number.NEGATIVE_INFINITY)
  const prefix = useSession((state) => state.setting.settings?.trackingPrefix ?? '')
  useHeldFocus(field, active, holdsFocus)

  function take() {
    const input = field.current
    const text = input?.value.trim() ?? ''
    if (!input || text === '') return
    input.value = ''
    takenAt.current = performance.now()
    if (onChoice && /^[\d０-９]{1,2}$/.test(text) && onChoice(Number(text.normalize('NFKC')))) return
    scan(text)
  }

  /** A text of separators only, such as `, ,`, has no numbers. */
  function scan(text: string) {
    const numbers = scannedNumbers(text, prefix)
    if (numbers.length > 0) onScan(numbers)
  }

  /** A list from a spreadsheet has one number per line, which the field would join. */
  function onPaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text').trim()
    if (!/[\n\t,;]/.test(text)) return
    event.preventDefault()
    scan(text)
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Tab' || event.shiftKey) return
    const hasText = event.currentTarget.value.trim() !== ''
    if (hasText) take()
    if (hasText || performance.now() - takenAt.current < suffixMs) event.preventDefault()
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
      {help !== undefined && (
        <Quiet id={helpId} style={{ display: 'block', marginBlockEnd: 8 }}>
          {help}
        </Quiet>
      )}
      <Row gap={12} style={{ flexWrap: 'nowrap' }}>
        <input
          ref={field}
          id={id}
          className={classes.field}
          {...(help !== undefined && { 'aria-describedby': helpId })}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          data-autofocus
        />
        <Button type="submit" variant={main ? 'filled' : 'default'} size="lg" h={56}>
          {action}
        </Button>
      </Row>
    </form>
  )
}
