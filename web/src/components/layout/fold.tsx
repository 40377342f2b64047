import type { ComponentProps, ReactNode } from 'react'
import { type Length, length, type Variables } from './box.ts'
import classes from './layout.module.css'

/** Collapsed details that most users do not need. */
export function Fold({ summary, children, className, ...rest }: ComponentProps<'details'> & { summary: ReactNode }) {
  return (
    <details className={className ? `${classes.fold} ${className}` : classes.fold} {...rest}>
      <summary>{summary}</summary>
      {children}
    </details>
  )
}

type FieldsetProps = ComponentProps<'fieldset'> & { legend: ReactNode; gap?: Length }

/** Fields that belong together, under one name. */
export function Fieldset({ legend, gap, children, ...rest }: FieldsetProps) {
  const variables: Variables = { '--gap': length(gap) }
  return (
    <fieldset className={classes.fieldset} style={variables} {...rest}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}
