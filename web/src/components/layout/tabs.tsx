import { type ReactNode, useEffect, useRef } from 'react'
import classes from './layout.module.css'

type Props<K extends string> = {
  /** What the tabs choose, for those who hear it. */
  label: string
  /** `count` is shown after the name; undefined while it is unknown. */
  tabs: readonly { key: K; label: ReactNode; count?: ReactNode }[]
  current: K | undefined
  onSelect: (key: K) => void
  className?: string
}

/** Parts of a page, one of which is on the screen. */
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

/** Scrolls the bar to the tab that is chosen, which a phone may have no room for. */
function useTabInView(tabs: ReactNode) {
  const bar = useRef<HTMLElement>(null)
  const lastTab = useRef<Element | null>(null)
  useEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]') ?? null
    if (!bar.current || !tab || tab === lastTab.current) return
    lastTab.current = tab
    const { left, width } = tab.getBoundingClientRect()
    const room = bar.current.getBoundingClientRect()
    bar.current.scrollLeft += left - room.left - (room.width - width) / 2
  }, [tabs])
  return bar
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
  const bar = useTabInView(children)
  return (
    <nav ref={bar} className={className ? `${classes.tabs} ${className}` : classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}
