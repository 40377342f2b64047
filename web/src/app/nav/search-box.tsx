import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { SearchSuggest } from '../../features/search/search-suggest.tsx'
import { useT } from '../../lib/i18n.ts'
import { useSession } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'
import { portalNav, staffNav, visibleNav } from './nav.ts'

/** One search box for numbers, names, phones and pages. `/` and Ctrl+K focus it. */
export function SearchBox({ side }: { side: 'customer' | 'staff' }) {
  const t = useT()
  const router = useRouter()
  const input = useRef<HTMLInputElement>(null)
  const permissions = useSession((state) => state.auth.permissions)
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
  const groups = visibleNav(side === 'customer' ? portalNav : staffNav, { permissions, company: true, hasCod: true })
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
      <SearchSuggest side={side} pages={pages} hint={<kbd className={classes.key}>/</kbd>} inputRef={input} />
    </search>
  )
}
