import { useFormat } from '../../lib/format.ts'

/**
 * An instant in the deployment's time zone, with the relative time beside it. A list has room for the relative time
 * only; the exact one is its title.
 */
export function Time({ at, relative = true }: { at: string; relative?: boolean }) {
  const format = useFormat()
  const exact = format.dateTime(at)
  if (!relative) return <time dateTime={at}>{exact}</time>
  return (
    <time dateTime={at} title={exact}>
      {/* The dot stays on the first line where the two don't fit on one. */}
      <span data-exact>{exact} · </span>
      <span style={{ color: 'var(--wb-dimmed)', whiteSpace: 'nowrap' }}>{format.relative(at)}</span>
    </time>
  )
}
