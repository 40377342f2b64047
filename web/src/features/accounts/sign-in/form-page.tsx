import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Row } from '../../../components/layout/boxes.tsx'
import { Notice } from '../../../components/layout/text.tsx'
import { useTitle } from '../../../lib/browser/title.ts'
import classes from '../profile/account.module.css'

type Props = {
  title: string
  lead?: ReactNode
  /** The error, shown above the form. */
  problem?: string | null
  children: ReactNode
  /** Links below the form. */
  aside?: ReactNode
}

/** The narrow column of sign-in, registration and similar pages. */
export function FormPage({ title, lead, problem, children, aside }: Props) {
  useTitle(title)
  return (
    <>
      <h1 className={classes.title} tabIndex={-1} data-page-title>
        {title}
      </h1>
      {lead && <p className={classes.lead}>{lead}</p>}
      <div role="alert">
        {problem && (
          <Notice tone="danger" style={{ marginBlockEnd: 16 }}>
            <IconAlertCircle size={20} aria-hidden />
            <span>{problem}</span>
          </Notice>
        )}
      </div>
      {children}
      {aside && (
        <Row justify="between" style={{ marginBlockStart: 24 }}>
          {aside}
        </Row>
      )}
    </>
  )
}
