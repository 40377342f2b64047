import { useFormat } from '../../lib/format.ts'

/**
 * An instant in the deployment's time zone, with the relative time next to it, or below it where there is no room. In a
 * list there is room only for the relative time; the exact time is its title.
 */
export function Time({ at, relative = true }: { at: string; relative?: boolean }) {
  const format = useFormat()
  const exact = format.dateTime(at)
  if (!relative) return <time dateTime={at}>{exact}</time>
  return (
    <time dateTime={at} title={exact}>
      {/* No dot between them: where the line ends there, it would end or begin a line. */}
      <span data-exact style={{ marginInlineEnd: 8 }}>
        {exact}
      </span>{' '}
      <span style={{ color: 'var(--wb-dimmed)', whiteSpace: 'nowrap' }}>{format.relative(at)}</span>
    </time>
  )
}
