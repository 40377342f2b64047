import { useEffect, useEffectEvent } from 'react'

/** Events of the live stream, for what is no cached response: such as that somebody is typing. */
const signals = new EventTarget()

/** Hands an event of the stream to the components that listen. */
export function dispatchSignal(type: string, data: unknown): void {
  signals.dispatchEvent(new CustomEvent(type, { detail: data }))
}

/** Calls `listener` with the data of each event of this type while the component is on the screen. */
export function useLiveSignal<T>(type: string, listener: (data: T) => void): void {
  const hear = useEffectEvent((event: Event) => listener((event as CustomEvent<T>).detail))
  useEffect(() => {
    const listen = (event: Event) => hear(event)
    signals.addEventListener(type, listen)
    return () => signals.removeEventListener(type, listen)
  }, [type])
}
