import type { ComponentProps } from 'react'
import classes from './toggle-button.module.css'

/** One of several mutually exclusive options, pressed or not. */
export function ToggleButton({ pressed, ...rest }: Omit<ComponentProps<'button'>, 'type'> & { pressed: boolean }) {
  return <button className={classes.button} {...rest} type="button" aria-pressed={pressed} />
}
