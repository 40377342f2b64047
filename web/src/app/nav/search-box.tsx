import { useRouter } from '@tanstack/react-router'
import type { SearchHit } from '@waybill/contract/search/search'
import { useEffect, useRef } from 'react'
import { SearchSuggest } from '../../features/search/search-suggest.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from '../layouts/layout.module.css'
import type { visibleNav } from './nav.ts'

type Props = {
  side: 'customer' | 'staff'
  /** The navigation that this user sees. The box only finds these pages. */
  groups: ReturnType<typeof visibleNav>
  openHit: (hit: SearchHit) => void
}

/** One search box for numbers, names, phones and pages. `/` and Ctrl+K focus it. */
export function SearchBox({ side, groups, openHit }: Props) {
  const t = useT()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey } = event
      const isCombination = (ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k'
      const target = event.target as HTMLElement
      const isTyping = target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)
      const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping
      if (!isCombination && !isSlash) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  const pages = groups
    .flatMap(({ items }) => items)
    .map(({ to, label, icon: Icon }) => ({
      to,
      label: t(`nav.${label}`),
      icon: <Icon size={18} stroke={1.75} aria-hidden />,
      open: () => void router.navigate({ to }),
    }))
  return (
    <search className={classes.search}>
      <SearchSuggest
        side={side}
        pages={pages}
        openHit={openHit}
        hint={<kbd className={classes.key}>/</kbd>}
        inputRef={input}
      />
    </search>
  )
}
