import type { ReactNode } from 'react'
import { useTitle } from '../../lib/browser/title.ts'
import { Buttons } from './boxes.tsx'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** One line under the title. */
  description?: ReactNode
  /** Buttons on the right; the main action last. */
  actions?: ReactNode
}

/**
 * The `h1` of a page, which is also the document title. The layout moves the focus to it after navigation.
 */
export function PageHeader({ title, description, actions }: Props) {
  useTitle(title)
  return (
    <header className={classes.root}>
      <div>
        <h1 className={classes.title} tabIndex={-1} data-page-title>
          {title}
        </h1>
        {description && <div className={classes.description}>{description}</div>}
      </div>
      {actions && <Buttons>{actions}</Buttons>}
    </header>
  )
}
