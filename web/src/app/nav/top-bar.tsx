import { IconShoppingCart } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { cartCount } from '@waybill/contract/parcels/cart'
import type { SearchHit } from '@waybill/contract/search/search'
import { badgeText } from '../../components/buttons/badge-text.ts'
import { LanguageSwitch, SchemeSwitch } from '../../components/buttons/switches.tsx'
import { Brand } from '../../components/layout/brand.tsx'
import { useT } from '../../lib/i18n.ts'
import { useCall } from '../../lib/query.ts'
import { useMay } from '../../lib/session.ts'
import classes from '../layouts/layout.module.css'
import { AccountMenu } from './account-menu.tsx'
import { BellPlace } from './bell-place.tsx'
import type { visibleNav } from './nav.ts'
import { SearchBox } from './search-box.tsx'

type Props = {
  side: 'customer' | 'staff'
  groups: ReturnType<typeof visibleNav>
  /** Opens a result of the search. */
  openHit: (hit: SearchHit) => void
}

/** One search box for numbers, names, phones and references; the customer's cart; language, colours, account. */
export function TopBar({ side, groups, openHit }: Props) {
  return (
    <div className={classes.top}>
      <Link to={side === 'staff' ? '/staff' : '/dashboard'}>
        <span className={classes.wide}>
          <Brand />
        </span>
        <span className={classes.narrow}>
          <Brand compact />
        </span>
      </Link>
      <SearchBox side={side} groups={groups} openHit={openHit} />
      <div className={classes.tools}>
        {side === 'customer' && <CartLink />}
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
  const badge = badgeText(count)
  return (
    <Link to="/cart" className={classes.cart} aria-label={t('nav.cartWith', { count, badge })}>
      <IconShoppingCart size={20} stroke={1.75} aria-hidden />
      {count > 0 && <span className={classes.badge}>{badge}</span>}
    </Link>
  )
}
