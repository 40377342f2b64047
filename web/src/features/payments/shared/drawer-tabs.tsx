import type { ReactNode } from 'react'
import { Tabs } from '../../../components/layout/tabs.tsx'
import { useT } from '../../../lib/i18n.ts'

type Props = {
  numbers: readonly number[]
  current: number
  onSelect: (number: number) => void
  /** What is shown next to a drawer's name; undefined for an open one. */
  state: (number: number) => ReactNode
}

/** Chooses one of the station's cash drawers. Hidden if there is only one. */
export function DrawerTabs({ numbers, current, onSelect, state }: Props) {
  const t = useT()
  if (numbers.length < 2) return null
  return (
    <Tabs
      label={t('cashPage.drawers')}
      current={String(current)}
      onSelect={(key) => onSelect(Number(key))}
      tabs={numbers.map((number) => ({
        key: String(number),
        label: t('cashPage.drawer', { number }),
        count: state(number),
      }))}
    />
  )
}
