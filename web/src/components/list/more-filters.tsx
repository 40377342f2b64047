import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Grid } from '../layout/boxes.tsx'
import { Fold } from '../layout/fold.tsx'
import type { ListEndpoint, ListState } from './list-state.ts'

/** Wide enough for a date; two columns on a phone, four or five at a desk. */
export const filterWidth = 'clamp(140px, 18%, 200px)'

type Props<E extends ListEndpoint> = { list: ListState<E>; names: readonly string[]; children: ReactNode }

/** Filters that are rarely needed. It begins open when the address has one of them: nothing narrows a list unseen. */
export function MoreFilters<E extends ListEndpoint>({ list, names, children }: Props<E>) {
  const t = useT()
  const count = names.filter((name) => list.filter(name).value !== null).length
  const [beginsOpen] = useState(count > 0)
  return (
    <Fold data-wide summary={`${t('list.moreFilters')}${count > 0 ? ` (${count})` : ''}`} open={beginsOpen}>
      <Grid fill min={filterWidth} gap="12px 16px" style={{ marginBlockStart: 12 }}>
        {children}
      </Grid>
    </Fold>
  )
}
