import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from './suggest.module.css'

export type Suggestion = { id: string; content: ReactNode }

type Props = {
  label: string
  placeholder?: string | undefined
  text: string
  onText: (text: string) => void
  suggestions: readonly Suggestion[]
  onPick: (id: string) => void
  /** Whether Enter picks the first suggestion. */
  firstIsMeant?: boolean
  /**
   * Whether the suggestions belong to the current text. Enter waits until they do, so that it never picks a suggestion
   * for an earlier text.
   */
  settled?: boolean
  /** The search has finished without a result. */
  nothing?: boolean
  autoFocus?: boolean | undefined
  /** For a box without a visible label: its name, the key that focuses it, and a hint of that key. */
  compact?: { keyShortcut: string; hint: ReactNode; inputRef: Ref<HTMLInputElement> } | undefined
}

/** A search box with suggestions below it: arrows move, Enter picks, Escape closes (the ARIA combobox pattern). */
export function Suggest({
  label,
  placeholder,
  text,
  onText,
  suggestions,
  onPick,
  firstIsMeant = false,
  settled = true,
  nothing = false,
  autoFocus = false,
  compact,
}: Props) {
  const t = useT()
  const listId = useId()
  const root = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const [highlightedId, setHighlightedId] = useState<string | null>(null)
  const picksOnResult = useRef(false)
  const activeId = highlightedId ?? (firstIsMeant && settled ? (suggestions[0]?.id ?? null) : null)
  const active = suggestions.findIndex(({ id }) => id === activeId)
  const isListOpen = open && (suggestions.length > 0 || nothing)

  useEffect(() => {
    if (isListOpen && active >= 0)
      root.current?.querySelector(`[data-at="${active}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [isListOpen, active])

  const pickAwaited = useEffectEvent((id: string) => pick(id))
  useEffect(() => {
    if (!settled || !picksOnResult.current) return
    picksOnResult.current = false
    if (activeId !== null) pickAwaited(activeId)
  }, [settled, activeId])

  function pick(id: string) {
    picksOnResult.current = false
    setOpen(false)
    setHighlightedId(null)
    onPick(id)
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      const next =
        active < 0 ? (step > 0 ? 0 : suggestions.length - 1) : (active + step + suggestions.length) % suggestions.length
      setHighlightedId(suggestions[next]?.id ?? null)
    } else if (event.key === 'Enter') {
      // Enter must not submit the surrounding form: the search has no result yet.
      event.preventDefault()
      if (isListOpen && activeId !== null) pick(activeId)
      else picksOnResult.current = !settled && text.trim() !== ''
    } else if (event.key === 'Escape' && isListOpen) {
      // Escape closes the list, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
  }

  return (
    <div ref={root} className={classes.root}>
      <TextInput
        {...(compact
          ? {
              'aria-label': label,
              'aria-keyshortcuts': compact.keyShortcut,
              ref: compact.inputRef,
              rightSection: compact.hint,
              rightSectionPointerEvents: 'none' as const,
            }
          : { label })}
        placeholder={placeholder}
        value={text}
        maxLength={120}
        autoComplete="off"
        autoFocus={autoFocus}
        role="combobox"
        aria-expanded={isListOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isListOpen && active >= 0 ? `${listId}-${active}` : undefined}
        leftSection={<IconSearch size={18} aria-hidden />}
        onChange={(event) => {
          setOpen(true)
          setHighlightedId(null)
          picksOnResult.current = false
          onText(event.currentTarget.value)
        }}
        // Not on focus: with autofocus the list would cover the fields below.
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={label}
        className={classes.list}
        data-compact={compact !== undefined}
        hidden={!isListOpen}
      >
        {suggestions.map(({ id, content }, index) => (
          // The focus stays in the input, as the ARIA pattern requires.
          // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter in the box do the same
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points at it instead
          <div
            key={id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            data-at={index}
            className={classes.option}
            // Keeps the focus in the input: its blur would close the list before the click.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(id)}
          >
            {content}
          </div>
        ))}
        {suggestions.length === 0 && (
          <div role="option" aria-selected={false} aria-disabled className={classes.nothing} tabIndex={-1}>
            {t('list.nothingFound')}
          </div>
        )}
      </div>
    </div>
  )
}
