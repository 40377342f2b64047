import { type ReactNode, useRef } from 'react'
import classes from './layout.module.css'

type Props<K extends string> = {
  /** The accessible name of the tabs. */
  label: string
  /** `count` is shown after the name; undefined while it is unknown. */
  tabs: readonly { key: K; label: ReactNode; count?: ReactNode }[]
  current: K | undefined
  onSelect: (key: K) => void
  className?: string
}

/** Switches between parts of a page. */
export function Tabs<K extends string>({ label, tabs, current, onSelect, className }: Props<K>) {
  return (
    <TabBar label={label} className={className}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          aria-current={tab.key === current ? 'page' : undefined}
          onClick={() => onSelect(tab.key)}
        >
          {tab.label}
          {tab.count !== undefined && <span className={classes.count}>{tab.count}</span>}
        </button>
      ))}
    </TabBar>
  )
}

/** The bar alone, for tabs that are links. */
export function TabBar({
  label,
  className,
  children,
}: {
  label: string
  className?: string | undefined
  children: ReactNode
}) {
  const lastScroll = useRef<{ tab: Element; width: number } | null>(null)
  /**
   * On a phone the selected tab may be outside the bar, so the bar scrolls to it once, and again when counts that
   * arrive later make the bar wider.
   */
  function scrollToTab(bar: HTMLElement | null) {
    const tab = bar?.querySelector<HTMLElement>('[aria-current]')
    if (!bar || !tab) return
    const width = bar.scrollWidth
    if (tab === lastScroll.current?.tab && width === lastScroll.current.width) return
    lastScroll.current = { tab, width }
    bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.offsetWidth - tab.offsetWidth) / 2
  }
  return (
    <nav
      // A new function on every render, so that it is called whenever another tab is selected.
      ref={(bar) => scrollToTab(bar)}
      className={className ? `${classes.tabs} ${className}` : classes.tabs}
      aria-label={label}
    >
      {children}
    </nav>
  )
}
