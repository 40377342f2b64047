import { IconAlertCircle, IconCircleCheck, IconInbox, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { useT } from '../../lib/i18n.ts'
import { PlainButton } from '../buttons/plain-button.tsx'
import { Stack } from '../layout/boxes.tsx'
import classes from './message-panel.module.css'

type Props = {
  /** `done`: the action succeeded. */
  kind: 'empty' | 'error' | 'forbidden' | 'done'
  title: string
  text?: string | undefined
  /** What to do next: a button or link. */
  action?: ReactNode
}

const icons = { empty: IconInbox, error: IconAlertCircle, forbidden: IconLock, done: IconCircleCheck } as const
const colors = { empty: undefined, error: 'var(--wb-error)', forbidden: undefined, done: 'var(--wb-success)' } as const

/** Replaces a list or page that is empty, failed to load, or is forbidden. */
export function MessagePanel({ kind, title, text, action }: Props) {
  const Icon = icons[kind]
  return (
    <Stack gap={8} align="center" className={classes.root} role={kind === 'error' ? 'alert' : undefined}>
      <Icon size={32} stroke={1.5} aria-hidden color={colors[kind]} />
      <strong>{title}</strong>
      {text && <p>{text}</p>}
      {action}
    </Stack>
  )
}

/** Shows a failed call: 403 and 404 have their own texts. A retry is offered unless the input has to change first. */
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
      action={retry && code !== 422 && <PlainButton onClick={retry}>{t('actions.tryAgain')}</PlainButton>}
    />
  )
}
