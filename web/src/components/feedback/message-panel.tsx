import { IconAlertCircle, IconCircleCheck, IconInbox, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import classes from './message-panel.module.css'
import { errorMessage } from './notify.tsx'

type Props = {
  /** `done`: what was asked for has happened. */
  kind: 'empty' | 'error' | 'forbidden' | 'done'
  title: string
  text?: string | undefined
  /** What to do next: a button or link. */
  action?: ReactNode
}

const icons = { empty: IconInbox, error: IconAlertCircle, forbidden: IconLock, done: IconCircleCheck } as const

/** What stands where a list or page would be: nothing there yet, it failed, or it is not allowed. */
export function MessagePanel({ kind, title, text, action }: Props) {
  const Icon = icons[kind]
  return (
    <div className={classes.root} data-kind={kind} role={kind === 'error' ? 'alert' : undefined}>
      <Icon size={32} stroke={1.5} aria-hidden />
      <p className={classes.title}>{title}</p>
      {text && <p className={classes.text}>{text}</p>}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}

/** The panel for what a call threw: 403 says that it is not allowed, everything else offers to try again. */
export function ErrorPanel({ error, retry }: { error: unknown; retry?: () => void }) {
  const t = useT()
  const code = error instanceof ApiError ? error.statusCode : 0
  if (code === 403) return <MessagePanel kind="forbidden" title={t('list.forbidden')} text={errorMessage(error)} />
  if (code === 404) return <MessagePanel kind="empty" title={t('list.notThere')} text={errorMessage(error)} />
  return (
    <MessagePanel
      kind="error"
      title={t('list.failed')}
      text={errorMessage(error)}
      action={
        retry && (
          <button type="button" className={classes.button} onClick={retry}>
            {t('actions.tryAgain')}
          </button>
        )
      }
    />
  )
}
