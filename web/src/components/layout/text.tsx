// Styles of short texts: second lines, notes, errors, numbers, tags. docs/web-kit.md says which one to use.
import type { Tone } from '@waybill/contract/ground/status/status-look'
import { type BoxProps, box } from './box.ts'
import classes from './layout.module.css'

/** A second line under something, small and dimmed; `inline` keeps it on the same line. */
export function Quiet({ inline, ...rest }: BoxProps & { inline?: boolean }) {
  return box(classes.quiet, 'span', { ...rest, 'data-quiet': true, ...(inline && { 'data-inline': true }) })
}

/** A paragraph that explains or helps. */
export function Note(props: BoxProps) {
  return box(classes.note, 'p', props)
}

/** An error that no field of the kit shows. */
export function ErrorText(props: BoxProps) {
  return box(classes.errorText, 'p', props)
}

/** A number for reading out: monospaced and unbroken. */
export function Mono(props: BoxProps) {
  return box(classes.mono, 'span', props)
}

/** The one large figure of a panel. */
export function Figure(props: BoxProps) {
  return box(classes.figure, 'p', props)
}

/** A tag of one or two words, with the colour of its meaning. */
export function Tag({ tone = 'neutral', ...rest }: BoxProps & { tone?: Tone }) {
  return box(classes.tag, 'span', { ...rest, 'data-tone': tone })
}

type NoticeProps = BoxProps & { tone?: Tone | 'plain'; size?: 'lg' }

/**
 * A coloured background for important messages. A paragraph by default; `as="div"` puts a text and its buttons side by
 * side. `size="lg"` is for the result of a scan.
 */
export function Notice({ tone = 'plain', size, ...rest }: NoticeProps) {
  return box(classes.notice, 'p', { ...rest, 'data-tone': tone, ...(size && { 'data-size': size }) })
}

/** The tone of a success or a failure; plain while it is unknown. */
export const getTone = (well: boolean | undefined) => (well === undefined ? 'plain' : well ? 'success' : 'danger')
