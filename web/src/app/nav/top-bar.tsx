import { TextInput } from '@mantine/core'
import { IconSearch, IconShoppingCart } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { cartCount } from '@waybill/contract/parcels/cart'
import { useEffect, useRef, useState } from 'react'
import { LanguageSwitch, SchemeSwitch } from '../../components/buttons/switches.tsx'
import { Brand } from '../../components/layout/brand.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'
import { AccountMenu } from './account-menu.tsx'
import { BellPlace } from './bell-place.tsx'

/** One search box for numbers, names, phones and references; the cart; language, colours, account. */
export function TopBar() {
  return (
    <div className={classes.top}>
      <Link to="/dashboard">
        <span className={classes.wide}>
          <Brand />
        </span>
        <span className={classes.narrow}>
          <Brand compact />
        </span>
      </Link>
      <SearchBox />
      <div className={classes.tools}>
        <CartLink />
        <BellPlace />
        <LanguageSwitch />
        <SchemeSwitch />
        <AccountMenu />
      </div>
    </div>
  )
}

function SearchBox() {
  const t = useT()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) return
      event.preventDefault()
      input.current?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <search className={classes.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim()) void navigate({ to: '/parcels', search: { q: text.trim() } })
        }}
      >
        <TextInput
          ref={input}
          type="search"
          aria-label={t('nav.search')}
          placeholder={t('nav.search')}
          aria-keyshortcuts="/"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={<kbd className={classes.key}>/</kbd>}
          rightSectionPointerEvents="none"
          value={text}
          maxLength={120}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </form>
    </search>
  )
}

function CartLink() {
  const t = useT()
  const may = useMay('customer.view')
  const { data } = useCall(cartCount, {}, { enabled: may })
  const count = data?.count ?? 0
  return (
    <Link to="/cart" className={classes.cart} aria-label={t('nav.cartWith', { count })}>
      <IconShoppingCart size={20} stroke={1.75} aria-hidden />
      {count > 0 && <span className={classes.badge}>{count > 99 ? '99+' : count}</span>}
    </Link>
  )
}
