import { useFormat } from '../../lib/format.ts'

/** An instant in the deployment's time zone, with the relative time beside it. */
export function Time({ at, relative = true }: { at: string; relative?: boolean }) {
  const format = useFormat()
  return (
    <time dateTime={at}>
      {format.dateTime(at)}
      {relative && ' '}
      {relative && <span style={{ color: 'var(--wb-dimmed)', whiteSpace: 'nowrap' }}>· {format.relative(at)}</span>}
    </time>
  )
}
