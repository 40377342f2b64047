import { useFormat } from '../../lib/format.ts'

const dimmed = { color: 'var(--wb-dimmed)', whiteSpace: 'nowrap' } as const

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
      <span data-exact>
        {exact} <span style={dimmed}>·</span>{' '}
      </span>
      <span style={dimmed}>{format.relative(at)}</span>
    </time>
  )
}
