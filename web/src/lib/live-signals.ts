import { useEffect, useEffectEvent } from 'react'

/** Live events that affect no cached response, such as that somebody is typing. */
const signals = new EventTarget()

/** Dispatches an event of the stream to the listening components. */
export function dispatchSignal(type: string, data: unknown): void {
  signals.dispatchEvent(new CustomEvent(type, { detail: data }))
}

/** Calls `listener` with the data of each event of this type while the component is mounted. */
export function useLiveSignal<T>(type: string, listener: (data: T) => void): void {
  const hear = useEffectEvent((event: Event) => listener((event as CustomEvent<T>).detail))
  useEffect(() => {
    const listen = (event: Event) => hear(event)
    signals.addEventListener(type, listen)
    return () => signals.removeEventListener(type, listen)
  }, [type])
}
