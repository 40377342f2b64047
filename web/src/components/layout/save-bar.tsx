import { type BoxProps, box } from './box.ts'
import classes from './save-bar.module.css'

/** The end of a long form: it stays visible while the form scrolls. */
export function SaveBar(props: BoxProps) {
  return box(classes.root, 'div', { ...props, 'data-foot': true })
}
