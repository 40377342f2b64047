// What short texts look like: second lines, notes, errors, numbers, marks. docs/web-kit.md says which one to use.
import type { Tone } from '@waybill/contract/ground/status-look'
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

/** What is wrong, where no field of the kit shows it. */
export function ErrorText(props: BoxProps) {
  return box(classes.errorText, 'p', props)
}

/** A number that is read out: monospaced and unbroken. */
export function Mono(props: BoxProps) {
  return box(classes.mono, 'span', props)
}

/** The one large figure of a panel. */
export function Figure(props: BoxProps) {
  return box(classes.figure, 'p', props)
}

/** A mark of one or two words, with the colour of its meaning. */
export function Tag({ tone = 'neutral', ...rest }: BoxProps & { tone?: Tone }) {
  return box(classes.tag, 'span', { ...rest, 'data-tone': tone })
}

type NoticeProps = BoxProps & { tone?: Tone | 'plain'; size?: 'lg' }

/**
 * A coloured ground for what must not be missed. A paragraph by itself; `as="div"` sets a text and its buttons beside
 * each other. `size="lg"` is for the answer to a scan.
 */
export function Notice({ tone = 'plain', size, ...rest }: NoticeProps) {
  return box(classes.notice, 'p', { ...rest, 'data-tone': tone, ...(size && { 'data-size': size }) })
}

/** The tone of something that went well, or did not; plain while it is not known. */
export const getTone = (well: boolean | undefined) => (well === undefined ? 'plain' : well ? 'success' : 'danger')
