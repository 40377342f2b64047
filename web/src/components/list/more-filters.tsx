import { type ReactNode, useState } from 'react'
import { useT } from '../../lib/i18n.ts'
import { Grid } from '../layout/boxes.tsx'
import { Fold } from '../layout/fold.tsx'
import type { ListEndpoint, ListState } from './list-state.ts'

/** Wide enough for a date; two columns on a phone, four or five on a desktop. */
export const filterWidth = 'clamp(140px, 18%, 200px)'

type Props<E extends ListEndpoint> = { list: ListState<E>; names: readonly string[]; children: ReactNode }

/** Rarely used filters. Open at first if the URL has one of them, so that no filter is active invisibly. */
export function MoreFilters<E extends ListEndpoint>({ list, names, children }: Props<E>) {
  const t = useT()
  const count = names.filter((name) => list.filter(name).value !== null).length
  const [beginsOpen] = useState(count > 0)
  return (
    <Fold
      data-wide
      summary={count > 0 ? t('phrase.detail', { text: t('list.moreFilters'), detail: count }) : t('list.moreFilters')}
      open={beginsOpen}
    >
      <Grid fill min={filterWidth} gap="12px 16px" style={{ marginBlockStart: 12 }}>
        {children}
      </Grid>
    </Fold>
  )
}
