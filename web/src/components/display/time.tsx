import { useFormat } from '../../lib/format.ts'

const oneLine = { whiteSpace: 'nowrap', wordSpacing: 'normal' } as const

type Props = {
  at: string
  /** False: without the relative time. */
  relative?: boolean
  /** What a column of a list shows, which has no room for both; `relative` for a wait. Rows on a phone are relative. */
  inList?: 'exact' | 'relative'
}

/**
 * An instant in the deployment's time zone, with the relative time next to it, or below it where there is no room. In a
 * list, the title has what the column does not show.
 */
export function Time({ at, relative = true, inList = 'exact' }: Props) {
  const format = useFormat()
  const exact = format.dateTime(at)
  if (!relative)
    return (
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {exact}
      </time>
    )
  const distance = format.relative(at)
  return (
    // A wide space instead of a dot: a dot would end or begin a line, and a margin would shift its end.
    <time dateTime={at} title={`${exact} · ${distance}`} data-in-list={inList} style={{ wordSpacing: 8 }}>
      <span data-exact style={oneLine}>
        {exact}
      </span>{' '}
      <span data-relative style={{ ...oneLine, color: 'var(--wb-dimmed)' }}>
        {distance}
      </span>
    </time>
  )
}
