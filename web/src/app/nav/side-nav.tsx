import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useT } from '../../lib/i18n.ts'
import classes from '../layouts/layout.module.css'
import { findNavItem, type visibleNav } from './nav.ts'

type Groups = ReturnType<typeof visibleNav>
type Props = {
  groups: Groups
  path: string
  /** The user's permissions are not loaded yet. */
  loading: boolean
  collapsed?: boolean
  onFollow?: () => void
}

/** Minimum distance in pixels between the item and the edge of its box. */
const clear = 8

/**
 * Scrolls only the nearest scrolling box until the item is visible. `scrollIntoView` is not used because it moves the
 * sequential focus starting point: the first Tab would skip everything before the item.
 */
function scrollTo(item: HTMLElement): void {
  let box = item.parentElement
  while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement
  if (!box) return
  const inner = item.getBoundingClientRect()
  const outer = box.getBoundingClientRect()
  if (inner.top < outer.top) box.scrollTop -= outer.top - inner.top + clear
  else if (inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom + clear
}

/** The groups of the navigation: pinned ones are always visible, the others scroll. */
export function SideNav({ groups, path, loading, collapsed = false, onFollow }: Props) {
  const t = useT()
  const present = findNavItem(groups, path)?.to
  const element = useRef<HTMLDivElement>(null)
  // Runs again when an item is added later, because it moves the items below it.
  const count = groups.reduce((sum, { items }) => sum + items.length, 0)
  useEffect(() => {
    const item = count > 0 && present ? element.current?.querySelector<HTMLElement>('[aria-current]') : null
    if (item) scrollTo(item)
  }, [present, count])
  if (loading) {
    return (
      <div className={classes.nav} aria-hidden>
        {[120, 80, 100, 90, 110].map((width) => (
          <div key={width} className={classes.ghost} style={{ width: collapsed ? 24 : width }} />
        ))}
      </div>
    )
  }
  if (groups.length === 0) return <p className={classes.noItems}>{collapsed ? '' : t('nav.noScreens')}</p>
  const list = (some: Groups) =>
    some.map((group) => (
      <div key={group.label} className={classes.group}>
        {/* One item needs no heading; its list still has a name. */}
        <p className={group.items.length > 1 ? classes.groupLabel : 'wb-hidden'} id={`nav-${group.label}`}>
          {t(`nav.groups.${group.label}`)}
        </p>
        <ul aria-labelledby={`nav-${group.label}`}>
          {group.items.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                // The current item is determined above; the link itself would also mark `/parcels` on `/parcels/new`.
                activeOptions={{ exact: true }}
                className={classes.item}
                aria-current={to === present ? 'page' : undefined}
                title={collapsed ? t(`nav.${label}`) : undefined}
                onClick={onFollow}
              >
                <Icon size={20} stroke={1.75} aria-hidden />
                <span className={collapsed ? 'wb-hidden' : undefined}>{t(`nav.${label}`)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    ))
  const pinned = groups.filter((group) => group.pinned)
  return (
    <div ref={element} className={classes.navs} data-collapsed={collapsed}>
      {pinned.length > 0 && <div className={classes.pinned}>{list(pinned)}</div>}
      <div className={classes.nav}>{list(groups.filter((group) => !group.pinned))}</div>
    </div>
  )
}
