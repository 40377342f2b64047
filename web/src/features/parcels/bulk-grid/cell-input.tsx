import { type KeyboardEvent, useEffect, useRef } from 'react'
import classes from './grid.module.css'

/**
 * What is being written in a cell; `typed`: it began with a letter in the place of what stood there, and arrows leave
 * it.
 */
export type Editing = { text: string; typed: boolean }

type InputProps = {
  label: string
  editing: Editing
  setText: (text: string) => void
  commit: (down: number, right: number) => void
  cancel: () => void
}

/** The cell that is being written. */
export function CellInput({ label, editing, setText, commit, cancel }: InputProps) {
  const input = useRef<HTMLInputElement>(null)
  // Leaving by a key takes the focus away as well: only the first way out counts.
  const hasLeft = useRef(false)
  useEffect(() => {
    input.current?.focus({ preventScroll: true })
    const end = input.current?.value.length ?? 0
    input.current?.setSelectionRange(end, end)
  }, [])
  function press(event: KeyboardEvent) {
    // An input method is still composing a character.
    if (event.nativeEvent.isComposing) return
    event.stopPropagation()
    const moves = new Map<string, () => void>([
      ['Enter', () => commit(event.shiftKey ? -1 : 1, 0)],
      ['Tab', () => commit(0, event.shiftKey ? -1 : 1)],
      ['Escape', cancel],
    ])
    if (editing.typed) moves.set('ArrowDown', () => commit(1, 0)).set('ArrowUp', () => commit(-1, 0))
    const handle = moves.get(event.key)
    if (!handle) return
    event.preventDefault()
    hasLeft.current = true
    handle()
  }
  return (
    <input
      ref={input}
      className={classes.input}
      aria-label={label}
      value={editing.text}
      maxLength={2000}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={() => hasLeft.current || commit(0, 0)}
    />
  )
}
