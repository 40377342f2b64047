import { IconShoppingCart } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { cartCount } from '@waybill/contract/parcels/cart'
import { LanguageSwitch, SchemeSwitch } from '../../components/buttons/switches.tsx'
import { Brand } from '../../components/layout/brand.tsx'
import { useOpenHit } from '../../features/search/open-hit.ts'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'
import { AccountMenu } from './account-menu.tsx'
import { BellPlace } from './bell-place.tsx'
import type { visibleNav } from './nav.ts'
import { SearchBox } from './search-box.tsx'

/** One search box for numbers, names, phones and references; the cart; language, colours, account. */
export function TopBar({ groups }: { groups: ReturnType<typeof visibleNav> }) {
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
      <SearchBox side="customer" groups={groups} openHit={useOpenHit()} />
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
