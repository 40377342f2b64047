import { useFormat } from '../../lib/format.ts'

const oneLine = { whiteSpace: 'nowrap', wordSpacing: 'normal' } as const

/**
 * An instant in the deployment's time zone, with the relative time next to it, or below it where there is no room. In a
 * list there is room only for the relative time; the exact time is its title.
 */
export function Time({ at, relative = true }: { at: string; relative?: boolean }) {
  const format = useFormat()
  const exact = format.dateTime(at)
  if (!relative)
    return (
      <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
        {exact}
      </time>
    )
  return (
    // A wide space instead of a dot: a dot would end or begin a line, and a margin would shift its end.
    <time dateTime={at} title={exact} style={{ wordSpacing: 8 }}>
      <span data-exact style={oneLine}>
        {exact}
      </span>{' '}
      <span style={{ ...oneLine, color: 'var(--wb-dimmed)' }}>{format.relative(at)}</span>
    </time>
  )
}
