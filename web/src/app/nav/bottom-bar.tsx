import { IconMenu2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Dialog } from '../../components/feedback/dialog.tsx'
import { useT } from '../../lib/i18n.ts'
import classes from '../layouts/layout.module.css'
import { findNavItem, type visibleNav } from './nav.ts'
import { SideNav } from './side-nav.tsx'

type Props = { groups: ReturnType<typeof visibleNav>; path: string; loading: boolean }

/** Placeholders for the items next to the last button. */
const places = [1, 2, 3, 4, 5]

/** A phone's navigation: the most used items at the bottom, everything else in a sheet. */
export function BottomBar({ groups, path, loading }: Props) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const present = findNavItem(groups, path)?.to
  const frequentItems = groups.flatMap(({ items }) => items.filter((item) => item.mostUsed))
  const first = frequentItems.filter((item) => item.mostUsed === true)
  const mostUsed = (first.length < places.length ? frequentItems : first).slice(0, places.length)
  return (
    <>
      <nav className={classes.bottom} aria-label={t('nav.main')}>
        {/* Placeholders until the profile is loaded, so that the last button does not move. */}
        {loading && places.map((place) => <span key={place} />)}
        {mostUsed.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} aria-current={to === present ? 'page' : undefined}>
            <Icon size={22} stroke={1.75} aria-hidden />
            <span>{t(`nav.short.${label}`)}</span>
          </Link>
        ))}
        <button type="button" aria-expanded={open} onClick={() => setOpen(true)}>
          <IconMenu2 size={22} stroke={1.75} aria-hidden />
          <span>{t('nav.more')}</span>
        </button>
      </nav>
      {open && (
        <Dialog shape="sheet" title={t('nav.main')} onClose={() => setOpen(false)}>
          <SideNav groups={groups} path={path} loading={loading} onFollow={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}
