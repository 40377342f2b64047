import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { NotificationType } from '@waybill/contract/ground/enums'
import { useEffect, useId, useRef, useSyncExternalStore } from 'react'
import { ApiError, NetworkError } from '../../lib/api.ts'
import { t, useT } from '../../lib/i18n.ts'
import classes from './notify.module.css'

type Message = { id: number; type: NotificationType; text: string }

const leaveAfterMs = 6_000
let messages: readonly Message[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

function show(type: NotificationType, text: string): void {
  // The same thing said twice at once (two calls failing together) is said once.
  if (messages.some((message) => message.type === type && message.text === text)) return
  update([...messages, { id: nextId++, type, text }])
}

function dismiss(id: number): void {
  update(messages.filter((message) => message.id !== id))
}

/**
 * The one way to tell the user something: a dialog titled Success, Warning, Error or Info. Success and Info don't take
 * the focus and leave by themselves; Warning and Error stay until dismissed.
 */
export const notify = {
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
  error: (text: string) => show('error', text),
  /**
   * What a call threw: the server's words as they came, our own for a fault of the page. An aborted call says nothing.
   */
  problem: (error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return
    // The dialog that asked for the password has said it already.
    if (error instanceof ApiError && error.code === 'session_expired') return
    show('error', errorMessage(error))
  },
}

/** The words for what was thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError || error instanceof NetworkError) return error.message
  console.error(error)
  return t('errors.internal')
}

const icons = {
  success: IconCircleCheck,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconExclamationCircle,
} as const satisfies Record<NotificationType, unknown>

/** Stands once in every entry. */
export function NotifyHost() {
  const present = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => messages,
  )
  const staying = present.find(({ type }) => type === 'warning' || type === 'error')
  const passing = present.filter(({ type }) => type === 'success' || type === 'info')
  return (
    <>
      <section className={classes.passing} aria-live="polite">
        {passing.map((message) => (
          <Passing key={message.id} message={message} />
        ))}
      </section>
      {staying && <Staying key={staying.id} message={staying} />}
    </>
  )
}

function Passing({ message }: { message: Message }) {
  const titleId = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wait = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => dismiss(message.id), leaveAfterMs)
  }
  useEffect(() => {
    wait()
    return () => clearTimeout(timer.current)
  })
  return (
    <div
      role="dialog"
      aria-labelledby={titleId}
      className={classes.card}
      data-type={message.type}
      // Somebody who is reading or about to press has all the time they need.
      onPointerEnter={() => clearTimeout(timer.current)}
      onPointerLeave={wait}
      onFocus={() => clearTimeout(timer.current)}
      onBlur={wait}
    >
      <Content message={message} titleId={titleId} />
      <CloseCross onClick={() => dismiss(message.id)} />
    </div>
  )
}

function Staying({ message }: { message: Message }) {
  const words = useT()
  const titleId = useId()
  const textId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    // The browser's own modal dialog: holds the focus, closes on Escape, gives the focus back.
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      className={classes.staying}
      data-type={message.type}
      onClose={() => dismiss(message.id)}
    >
      <Content message={message} titleId={titleId} textId={textId} />
      <div className={classes.foot}>
        <button type="button" className={classes.button} onClick={() => dialog.current?.close()}>
          {words('actions.ok')}
        </button>
      </div>
    </dialog>
  )
}

function Content({ message, titleId, textId }: { message: Message; titleId: string; textId?: string }) {
  const words = useT()
  const Icon = icons[message.type]
  return (
    <div className={classes.content}>
      <Icon className={classes.icon} size={22} aria-hidden />
      <div>
        <h2 id={titleId} className={classes.title}>
          {words(`notify.${message.type}`)}
        </h2>
        <p id={textId} className={classes.text}>
          {message.text}
        </p>
      </div>
    </div>
  )
}

function CloseCross({ onClick }: { onClick: () => void }) {
  const words = useT()
  return (
    <button type="button" className={classes.cross} aria-label={words('actions.close')} onClick={onClick}>
      <IconX size={18} aria-hidden />
    </button>
  )
}
