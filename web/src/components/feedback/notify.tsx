import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconX } from '@tabler/icons-react'
import type { NotificationType } from '@waybill/contract/ground/enums/enums'
import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n.ts'
import { IconButton, PlainButton } from '../buttons/plain-button.tsx'
import { Buttons, Row } from '../layout/boxes.tsx'
import classes from './notify.module.css'

/** `isLive`: about what happened elsewhere. */
type Message = { id: number; type: NotificationType; text: string; isLive: boolean }

const leaveAfterMs = 6_000
let messages: readonly Message[] = []
let nextId = 1
const listeners = new Set<() => void>()

function update(next: readonly Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

function show(type: NotificationType, text: string, isLive = false): void {
  // Two calls that fail together with the same message show it once.
  if (messages.some((message) => message.type === type && message.text === text)) return
  // A phone shows the last one only: live messages wait until those about the user's own actions have gone.
  const next = [...messages, { id: nextId++, type, text, isLive }]
  update(next.sort((one, other) => Number(other.isLive) - Number(one.isLive)))
}

function dismiss(id: number): void {
  update(messages.filter((message) => message.id !== id))
}

/**
 * The only way to show a message: a dialog titled Success, Warning, Error or Info. Success and Info do not take the
 * focus and disappear automatically. Warning and Error stay until dismissed.
 */
export const notify = {
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  warning: (text: string) => show('warning', text),
  error: (text: string) => show('error', text),
  /** What happened elsewhere, as the server reports it while the page is open. */
  live: (type: 'success' | 'info', text: string) => show(type, text, true),
}

const icons = {
  success: IconCircleCheck,
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconAlertCircle,
} as const satisfies Record<NotificationType, unknown>

/** Renders the messages; once in every entry. */
export function NotifyHost() {
  const present = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => messages,
  )
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      lastFocus = target
    }
    addEventListener('focusin', remember)
    return () => removeEventListener('focusin', remember)
  }, [])
  const stays = ({ type }: Message) => type === 'warning' || type === 'error'
  const staying = present.find(stays)
  return (
    <>
      <section className={classes.passing} aria-live="polite">
        {present.map((message) => !stays(message) && <Passing key={message.id} message={message} />)}
      </section>
      {staying && <Staying key={staying.id} message={staying} />}
    </>
  )
}

function Passing({ message }: { message: Message }) {
  const { id, type } = message
  const titleId = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isHeld, setIsHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    // A phone shows only the newest message: the others follow it.
    const timer = setInterval(() => box.current?.offsetHeight && dismiss(id), leaveAfterMs)
    return () => clearInterval(timer)
  }, [id, isHeld])
  return (
    <div
      ref={box}
      role="dialog"
      aria-labelledby={titleId}
      className={classes.card}
      data-type={type}
      // It stays while the pointer is over it or the focus is in it.
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Content message={message} titleId={titleId} />
      <CloseCross onClick={() => dismiss(id)} />
    </div>
  )
}

/** The element that had the focus last: it loses it while it is disabled, as a button is while its request runs. */
let lastFocus: EventTarget | null = null

function Staying({ message }: { message: Message }) {
  const words = useT()
  const titleId = useId()
  const textId = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const opener = useRef(lastFocus)
  useEffect(() => {
    // A modal `<dialog>` traps the focus, closes on Escape and restores the focus.
    dialog.current?.showModal()
  }, [])
  const onClose = () => {
    dismiss(message.id)
    const { activeElement } = document
    const isLost = activeElement === document.body || dialog.current?.contains(activeElement)
    if (isLost && opener.current instanceof HTMLElement) opener.current.focus()
  }
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={titleId}
      aria-describedby={textId}
      className={classes.staying}
      data-type={message.type}
      onClose={onClose}
    >
      <Content message={message} titleId={titleId} textId={textId} />
      <Buttons align="end" style={{ marginBlockStart: 20 }}>
        <PlainButton onClick={() => dialog.current?.close()}>{words('actions.ok')}</PlainButton>
      </Buttons>
    </dialog>
  )
}

function Content({ message, titleId, textId }: { message: Message; titleId: string; textId?: string }) {
  const words = useT()
  const Icon = icons[message.type]
  return (
    <Row gap={12} align="start" style={{ flexWrap: 'nowrap' }}>
      <Icon className={classes.icon} size={22} aria-hidden />
      <div>
        <h2 id={titleId}>{words(`notify.${message.type}`)}</h2>
        <p id={textId} className={classes.text}>
          {message.text}
        </p>
      </div>
    </Row>
  )
}

function CloseCross({ onClick }: { onClick: () => void }) {
  const words = useT()
  return (
    <IconButton aria-label={words('actions.close')} onClick={onClick}>
      <IconX size={18} aria-hidden />
    </IconButton>
  )
}
