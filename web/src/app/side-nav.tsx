import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useT } from '../lib/i18n.ts'
import classes from './layout.module.css'
import type { visibleNav } from './nav.ts'

type Props = { groups: ReturnType<typeof visibleNav>; path: string; collapsed?: boolean; onFollow?: () => void }

/** The longest path of the navigation that the present one begins with: `/parcels/new` is not `/parcels`. */
export function presentItem(groups: Props['groups'], path: string): string | undefined {
  return groups
    .flatMap(({ items }) => items.map(({ to }) => to))
    .filter((to) => path === to || path.startsWith(`${to}/`))
    .sort((a, b) => b.length - a.length)[0]
}

export function SideNav({ groups, path, collapsed = false, onFollow }: Props) {
  const t = useT()
  const present = presentItem(groups, path)
  const element = useRef<HTMLDivElement>(null)
  // A role may have more than fits: where somebody is must be seen.
  useEffect(() => {
    if (present) element.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [present])
  // What the user may see comes with the profile, a moment later.
  if (groups.length === 0) {
    return (
      <div className={classes.nav} aria-hidden>
        {[120, 80, 100, 90, 110].map((width) => (
          <div key={width} className={classes.ghost} style={{ width: collapsed ? 24 : width }} />
        ))}
      </div>
    )
  }
  return (
    <div ref={element} className={classes.nav} data-collapsed={collapsed}>
      {groups.map((group) => (
        <div key={group.label} className={classes.group}>
          <p className={classes.groupLabel} id={`nav-${group.label}`}>
            {t(`nav.groups.${group.label}`)}
          </p>
          <ul aria-labelledby={`nav-${group.label}`}>
            {group.items.map(({ to, label, icon: Icon }) => (
              <li key={to}>
                <Link
                  to={to}
                  // Which one is present is decided above; the link itself would mark `/parcels` on `/parcels/new` too.
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
      ))}
    </div>
  )
}
