import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { isCovered } from '../form/is-covered.ts'

/** Elements that keep the focus when they are clicked. */
const elsewhere = 'header, nav, [popover], form, a, label, input, textarea, select'
const typesText = 'input, textarea, select, [contenteditable]'

type Field = HTMLInputElement | null

/** Whether no element that takes keys has the focus: only the page, its main part, or the field's dialog. */
function isLost(field: Field): boolean {
  const focusTarget = document.activeElement
  return (
    focusTarget === null ||
    focusTarget === document.body ||
    focusTarget.id === 'main' ||
    focusTarget === findDialog(field)
  )
}

/** The dialog that contains the field; null on the page itself. */
const findDialog = (field: Field) => field?.closest('dialog') ?? null

/**
 * Keeps the focus in a scan field, because a hand scanner types wherever the focus is. The focus returns after a click
 * on the background or a button, after a selection, and when a dialog closes. A character typed while a button has the
 * focus goes to the field, so that a scanner's Enter never presses that button. If `returns` is false, only this last
 * rule applies.
 */
export function useHeldFocus(field: RefObject<HTMLInputElement | null>, active: boolean, returns: boolean): void {
  const byPointer = useRef(false)

  useEffect(() => {
    if (active && !isCovered(field.current)) field.current?.focus()
  }, [active, field])

  // This render may have removed the focused element, perhaps another scan field. Layout effects, because a scanner may
  // type on before other effects run: its next key would be lost.
  useLayoutEffect(() => {
    if (active && returns && isLost(field.current) && !isCovered(field.current)) field.current?.focus()
  })

  useLayoutEffect(() => {
    if (!active) return
    let frame = 0
    const giveBack = () => {
      if (!returns) return
      cancelAnimationFrame(frame)
      // A dialog opened by this click exists by then.
      frame = requestAnimationFrame(() => {
        if (!isCovered(field.current)) field.current?.focus()
      })
    }
    const onPointer = () => {
      byPointer.current = true
    }
    const onClick = ({ target }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest(elsewhere)) return
      if (target.closest('dialog') !== findDialog(field.current)) return
      // The user is selecting text to copy it.
      if (window.getSelection()?.isCollapsed === false) return
      giveBack()
    }
    const onChange = ({ target }: Event) => {
      if (byPointer.current && target instanceof HTMLSelectElement && !target.closest('form')) giveBack()
    }
    const onClose = () => {
      // The dialog restores the focus itself, unless the element that opened it is gone.
      frame = requestAnimationFrame(() => {
        if (returns && isLost(field.current) && !isCovered(field.current)) field.current?.focus()
      })
    }
    const onKey = (event: KeyboardEvent) => {
      byPointer.current = false
      if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return
      if (isCovered(field.current) || document.activeElement?.closest(typesText)) return
      field.current?.focus()
    }
    document.addEventListener('pointerdown', onPointer, true)
    document.addEventListener('click', onClick)
    document.addEventListener('change', onChange)
    document.addEventListener('close', onClose, true)
    document.addEventListener('keydown', onKey, true)
    return () => {
      cancelAnimationFrame(frame)
      document.removeEventListener('pointerdown', onPointer, true)
      document.removeEventListener('click', onClick)
      document.removeEventListener('change', onChange)
      document.removeEventListener('close', onClose, true)
      document.removeEventListener('keydown', onKey, true)
    }
  }, [active, field, returns])
}
