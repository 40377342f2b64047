// Layout components: stacks, rows, grids, panels. docs/web-kit.md says which one to use for what.
import type { CSSProperties, ReactNode } from 'react'
import { type BoxProps, box, type Length, length } from './box.ts'
import classes from './layout.module.css'

type Place = 'start' | 'center' | 'end'

/** Children below each other, each as wide as the stack. Also a form (`as="form"`) or a list without markers. */
export function Stack({ gap, align, style, ...rest }: BoxProps & { gap?: Length; align?: Place }) {
  return box(classes.stack, 'div', { ...rest, style: { justifyItems: align, ...style } }, { '--gap': length(gap) })
}

type RowProps = BoxProps & { gap?: Length; justify?: Place | 'between'; align?: Place | 'baseline' }

/** Children next to each other; they wrap if they do not fit. `justify="between"` moves the last one to the end. */
export function Row({ gap, justify, align, style, ...rest }: RowProps) {
  const placement: CSSProperties = {
    ...(justify && { justifyContent: justify === 'between' ? 'space-between' : justify }),
    ...(align && { alignItems: align }),
    ...style,
  }
  return box(classes.row, 'div', { ...rest, style: placement }, { '--gap': length(gap) })
}

/** Buttons next to each other; the one main action last. */
export function Buttons({ align, ...rest }: BoxProps & { align?: Place }) {
  return <Row gap={8} {...(align && { justify: align })} {...rest} />
}

type GridProps = BoxProps & { min?: Length; gap?: Length; fill?: boolean }

/**
 * As many equal columns as fit, none narrower than `min` (default 200). `fill` keeps empty columns, so that grids
 * below each other line up.
 */
export function Grid({ min, gap, fill, ...rest }: GridProps) {
  return box(
    classes.grid,
    'div',
    { ...rest, ...(fill && { 'data-fill': true }) },
    {
      '--min': length(min),
      '--gap': length(gap),
    },
  )
}

/** Columns of unequal width on a wide screen, one on a narrow one. By default the content and a side panel. */
export function Columns({
  template = 'minmax(0, 1fr) 360px',
  gap,
  ...rest
}: BoxProps & { template?: string; gap?: Length }) {
  return box(classes.columns, 'div', rest, { '--columns': template, '--gap': length(gap) })
}

type PanelProps = BoxProps & { title?: ReactNode; gap?: Length; padding?: Length }

/** A framed part of a page, with its heading. Its children are stacked. */
export function Panel({ title, gap, padding, children, ...rest }: PanelProps) {
  const content = title ? (
    <>
      <h2>{title}</h2>
      {children}
    </>
  ) : (
    children
  )
  return box(
    classes.panel,
    'section',
    { ...rest, children: content },
    { '--gap': length(gap), '--padding': length(padding) },
  )
}

/** A part of a page without a frame: a heading and what follows it. */
export function Section({ title, children, ...rest }: BoxProps & { title?: ReactNode }) {
  const content = (
    <>
      {title && <h2>{title}</h2>}
      {children}
    </>
  )
  return box(classes.section, 'section', { ...rest, children: content })
}

/** The heading of a list or table that follows another part of the page. */
export function Heading(props: BoxProps) {
  return box(classes.heading, 'h2', props)
}

/** A list with a line between its entries; the last element of each entry is aligned to the end. */
export function LineList(props: BoxProps) {
  return box(classes.lines, 'ul', props)
}

/** A list whose entries are framed. */
export function CardList({ gap = 12, className, ...rest }: BoxProps & { gap?: Length }) {
  return box(
    classes.list,
    'ul',
    { ...rest, className: `${classes.cards} ${className ?? ''}` },
    { '--gap': length(gap) },
  )
}

/** Fields in a row with their button, which is aligned with the inputs and not with their labels. */
export function FieldRow({ min, ...rest }: BoxProps & { min?: Length }) {
  return box(classes.fieldRow, 'div', rest, { '--min': length(min) })
}
