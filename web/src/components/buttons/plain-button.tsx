// Buttons without Mantine, for the light pages and for components they share with the application.
import type { ComponentProps } from 'react'
import classes from './plain-button.module.css'

const joinClasses = (own: string | undefined, extra: string | undefined) => (extra ? `${own} ${extra}` : own)

/** A button with words. */
export function PlainButton({ className, ...rest }: Omit<ComponentProps<'button'>, 'type'>) {
  return <button className={joinClasses(classes.plain, className)} {...rest} type="button" />
}

/** A button with an icon, and optionally a word. It needs an `aria-label`. */
export function IconButton({ className, ...rest }: Omit<ComponentProps<'button'>, 'type'>) {
  return <button className={joinClasses(classes.icon, className)} {...rest} type="button" />
}
