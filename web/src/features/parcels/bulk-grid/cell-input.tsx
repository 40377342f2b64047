import { type KeyboardEvent, useEffect, useRef } from 'react'
import classes from './grid.module.css'

/** The edit of a cell. `typed`: it started with a character that replaced the text, so arrow keys leave the cell. */
export type Editing = { text: string; typed: boolean }

type InputProps = {
  label: string
  editing: Editing
  setText: (text: string) => void
  commit: (down: number, right: number) => void
  cancel: () => void
}

/** The input of the cell that is being edited. */
export function CellInput({ label, editing, setText, commit, cancel }: InputProps) {
  const input = useRef<HTMLInputElement>(null)
  // Leaving by key also blurs the input: only the first of the two events commits.
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
